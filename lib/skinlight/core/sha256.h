// SHA-256, to tell whether a file is the one that was meant.
#pragma once

#include <string>
#include <string_view>

namespace skinlight {

// The digest of `bytes` as 64 lower-case hexadecimal digits [FIPS 180-4].
std::string sha256(std::string_view bytes);

}  // namespace skinlight
