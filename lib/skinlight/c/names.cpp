// Names of the header's constants: those that the tables of the library have.
#include "skinlight/c/detail/call.h"

using namespace skinlight;

namespace {

// Names in tables are literals: they end with a 0.
template <class T, std::size_t N, class Name>
const char* name_in(const std::array<T, N>& table, std::int32_t constant, const Name& name_of,
                    std::int32_t first = 0) {
  const auto place = c::place_of(table, constant, first);
  return place ? name_of(table[*place]).data() : nullptr;
}

constexpr auto kOfRow = [](auto of) { return row(of).name; };
constexpr auto kName = [](auto of) { return name(of); };

}  // namespace

extern "C" const char* skinlight_name(std::int32_t of, std::int32_t constant) {
  switch (of) {
    case SKINLIGHT_METHODS:
      return name_in(c::kMethods, constant, kOfRow);
    case SKINLIGHT_MODES:
      return constant == SKINLIGHT_USUAL_MODE ? "usual"
                                              : name_in(c::kModes, constant, kOfRow, SKINLIGHT_STANDARD);
    case SKINLIGHT_GUARDS:
      return name_in(c::kGuards, constant, kOfRow);
    case SKINLIGHT_AVERAGINGS:
      return constant == SKINLIGHT_USUAL_AVERAGING
                 ? "usual"
                 : name_in(c::kAveragings, constant, kName, SKINLIGHT_MIXED_VORONOI);
    case SKINLIGHT_BAKED_RECORDS:
      return name_in(c::kBakedRecords, constant, kOfRow);
    case SKINLIGHT_LAYOUTS:
      return name_in(c::kLayouts, constant, kName);
    case SKINLIGHT_FORMATS:
      return name_in(c::kFormats, constant, kOfRow);
    case SKINLIGHT_MISSING_NORMALS:
      return name_in(c::kMissingNormals, constant, kName);
    default:
      return nullptr;
  }
}
