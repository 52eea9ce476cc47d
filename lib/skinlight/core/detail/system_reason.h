// What the operating system says of a call that failed.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace skinlight {

inline std::string system_reason() { return std::generic_category().message(errno); }

}  // namespace skinlight
