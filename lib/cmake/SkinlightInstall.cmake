# What `cmake --install` puts where, so that another project can say find_package(skinlight) or ask pkg-config, and what
# CPack packs for Debian: the components runtime (program and shared library), dev and python. Included last.

include(CMakePackageConfigHelpers)
include(SkinlightNeeds)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/skinlight")
get_property(room_targets GLOBAL PROPERTY SKINLIGHT_ROOMS)
set(dev COMPONENT dev)

# One export per room: who asks for one room is not asked for the packages of the others.
foreach(target IN LISTS room_targets)
  string(REPLACE skinlight_ "" room ${target})
  install(TARGETS ${target} EXPORT skinlight_${room}Targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" ${dev})
  install(EXPORT skinlight_${room}Targets NAMESPACE skinlight:: DESTINATION "${package_dir}" ${dev})
endforeach()
if(TARGET skinlight_c)
  install(TARGETS skinlight_c EXPORT skinlight_cTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime
    NAMELINK_COMPONENT dev)
  install(EXPORT skinlight_cTargets NAMESPACE skinlight:: DESTINATION "${package_dir}" ${dev})
  install(FILES "${PROJECT_SOURCE_DIR}/lib/skinlight/c/skinlight.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" ${dev})
endif()
# For renderers of your own; the kernels are read by the C++ headers too.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/lib/skinlight" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" ${dev}
  FILES_MATCHING PATTERN "*.h" PATTERN "detail" EXCLUDE PATTERN "fuzz" EXCLUDE
  # The first is installed as skinlight.h, the others are for the tests.
  PATTERN "c/*.h" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/shaders" DESTINATION "${CMAKE_INSTALL_DATADIR}/skinlight" ${dev}
  USE_SOURCE_PERMISSIONS PATTERN "*_test.py" EXCLUDE)
foreach(package IN ITEMS runtime:skinlight dev:libskinlight-dev python:python3-skinlight)
  string(REPLACE ":" ";" package "${package}")
  list(POP_FRONT package component)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}" RENAME copyright
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/lib/cmake/skinlightConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/skinlightConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/skinlightConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/skinlightConfig.cmake" "${PROJECT_BINARY_DIR}/skinlightConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/lib/cmake/SkinlightNeeds.cmake" DESTINATION "${package_dir}" ${dev})

# skinlight.pc: the C interface; skinlight-ROOM.pc: a room for C++, everything static.
set(libraries_Threads -pthread)
set(libraries_OpenMesh -lOpenMeshCore)
set(libraries_draco -ldraco)
set(libraries_TinyGLTF -ltinygltf)
set(libraries_assimp -lassimp)
set(libraries_meshoptimizer -lmeshoptimizer)
set(libraries_ZLIB -lz)
set(libraries_PNG -lpng)
function(skinlight_pkg_config name description requires cflags libraries)
  string(REGEX REPLACE "[^/]+" ".." up "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc" @ONLY CONTENT "prefix=\${pcfiledir}/@up@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
Name: @name@
Description: @description@
Version: @PROJECT_VERSION@
Requires: @requires@
Cflags: @cflags@
Libs: -L\${libdir} @libraries@
")
  install(FILES "${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    COMPONENT dev)
endfunction()
if(TARGET skinlight_c)
  skinlight_pkg_config(skinlight "Right normals of skinned meshes: the C interface" "" "-I\${includedir}"
    -lskinlight_c)
endif()
foreach(target IN LISTS room_targets)
  string(REPLACE skinlight_ "" room ${target})
  list(TRANSFORM skinlight_${room}_stands_on PREPEND skinlight- OUTPUT_VARIABLE requires)
  list(JOIN requires ", " requires)
  # The right tinygltf stands before the one in libdraco.
  set(libraries -lskinlight_${room})
  foreach(package IN ITEMS TinyGLTF draco OpenMesh assimp meshoptimizer ZLIB PNG Threads)
    if(package IN_LIST skinlight_${room}_links)
      string(APPEND libraries " ${libraries_${package}}")
    endif()
  endforeach()
  skinlight_pkg_config(skinlight-${room} "Right normals of skinned meshes: the room ${room}" "${requires}"
    "-std=c++20 -I\${includedir} -I\${prefix}/${CMAKE_INSTALL_DATADIR}/skinlight/shaders" "${libraries}")
endforeach()

# cpack --config build/release/CPackConfig.cmake
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "skinlight <https://github.com/skinlight>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime dev)
if(TARGET skinlight_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME skinlight)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION graphics)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Right normals of skinned meshes: program and library for C")
# Loaded at run time, by pictures alone.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libegl1, libegl-mesa0, libgl1-mesa-dri")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libskinlight-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "skinlight (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "libopenmesh-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS
  "libassimp-dev, libdraco-dev, libtinygltf-dev, libmeshoptimizer-dev, zlib1g-dev, libpng-dev")
set(CPACK_COMPONENT_DEV_DESCRIPTION "Right normals of skinned meshes: headers, static libraries, shaders")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-skinlight)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS python3-matplotlib)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Right normals of skinned meshes: package for Python")
set(CPACK_OUTPUT_FILE_PREFIX "${PROJECT_BINARY_DIR}/packages")
include(CPack)
