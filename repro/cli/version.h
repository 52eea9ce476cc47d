// The program's version and flags; their definitions are written by the build, which knows the commit.
#pragma once

namespace skinlight::cli {

// "0.1.0+g56a52cc", ".dirty" behind for a tree with changes; without a repository "0.1.0". [semver.org]
const char* build_version();

// What the library's code was compiled with that bears on its arithmetic, "-O3 -DNDEBUG -ffp-contract=off".
const char* build_flags();

}  // namespace skinlight::cli
