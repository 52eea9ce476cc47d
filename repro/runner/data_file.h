// Data files of repro/ that are embedded at build time.
#pragma once

#include <string>
#include <string_view>

namespace skinlight::repro {

// By its place below repro/: "models.json". Throws std::logic_error when there is none.
std::string_view data_file(const std::string& name);

}  // namespace skinlight::repro
