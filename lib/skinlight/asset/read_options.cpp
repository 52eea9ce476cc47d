#include "skinlight/asset/read_options.h"

#include <array>
#include <cstddef>

#include "skinlight/core/names.h"

namespace skinlight {

namespace {

struct Row {
  MissingNormals missing;
  std::string_view name;
};

// In the order of MissingNormals.
constexpr std::array kRows = {Row{MissingNormals::as_the_format_says, "usual"},
                              Row{MissingNormals::flat, "flat"}, Row{MissingNormals::smooth, "smooth"}};

}  // namespace

std::string_view name(MissingNormals missing) { return kRows[static_cast<std::size_t>(missing)].name; }

MissingNormals missing_normals_from_name(std::string_view name) {
  return row_named(kRows, name, "missing normals").missing;
}

}  // namespace skinlight
