/* What the C++ library of Debian's emscripten lacks of C++20. Included before every source of ours. */
#ifndef SKINLIGHT_WEB_LIBCXX_H
#define SKINLIGHT_WEB_LIBCXX_H
#include <bit>
#if !defined(__cpp_lib_bit_cast)
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif
#endif
