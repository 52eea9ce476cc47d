# What `cmake --install` puts where, so that another project can say find_package(skinlight). Included after the rooms.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/skinlight")
get_property(rooms GLOBAL PROPERTY SKINLIGHT_ROOMS)

install(TARGETS ${rooms} EXPORT skinlightTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS skinlight_c EXPORT skinlightTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/lib/skinlight/c/skinlight.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT skinlightTargets NAMESPACE skinlight:: DESTINATION "${package_dir}")
# For renderers of your own; the kernels are read by the C++ headers too.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/lib/skinlight" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "detail" EXCLUDE PATTERN "fuzz" EXCLUDE
  # Installed as skinlight.h.
  PATTERN "c/skinlight.h" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/shaders" DESTINATION "${CMAKE_INSTALL_DATADIR}/skinlight"
  USE_SOURCE_PERMISSIONS PATTERN "*_test.py" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/lib/cmake/skinlightConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/skinlightConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/skinlightConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/skinlightConfig.cmake" "${PROJECT_BINARY_DIR}/skinlightConfigVersion.cmake"
  DESTINATION "${package_dir}")
