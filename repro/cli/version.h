// The program's version; its definition is written by the build, which knows the commit.
#pragma once

namespace skinlight::cli {

// "0.1.0+g56a52cc", ".dirty" behind for a tree with changes; without a repository "0.1.0". [semver.org]
const char* build_version();

}  // namespace skinlight::cli
