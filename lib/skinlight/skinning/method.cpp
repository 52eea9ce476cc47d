#include "skinlight/skinning/method.h"

#include <array>
#include <string>

#include "skinlight/core/error.h"

namespace skinlight {

namespace {

constexpr std::array kLbsModes = {NormalMode::standard,     NormalMode::inverse_transpose,
                                  NormalMode::cofactors,    NormalMode::tangent_pair,
                                  NormalMode::deform_naive, NormalMode::deform,
                                  NormalMode::smoothed,     NormalMode::deform_vectors};

constexpr std::array kDqsModes = {NormalMode::standard, NormalMode::deform, NormalMode::exact,
                                  NormalMode::smoothed};

constexpr std::array kCrsModes = {NormalMode::standard, NormalMode::exact_fixed_centre, NormalMode::exact,
                                  NormalMode::smoothed};

constexpr std::array kExactModes = {NormalMode::standard, NormalMode::exact, NormalMode::smoothed};

constexpr std::array kMethods = {
    MethodRow{Method::lbs, "lbs", "Linear blend skinning", kLbsModes, false},
    MethodRow{Method::dqs, "dqs", "Dual quaternion skinning", kDqsModes, true},
    MethodRow{Method::crs, "crs", "Optimised centres of rotation", kCrsModes, true},
    MethodRow{Method::sbs, "sbs", "Spherical blend skinning", kExactModes, true},
    MethodRow{Method::log, "log", "Log-matrix blending", kExactModes, true},
};

constexpr std::array kNormalModes = {
    NormalModeRow{NormalMode::standard, "standard", "standard", "TPS14 Eq. 3", NormalSide::outward, false},
    NormalModeRow{NormalMode::inverse_transpose, "inverse-transpose", "exact Jacobian, inverse transpose",
                  "TPS14 Eq. 2, 7", NormalSide::outward, true},
    NormalModeRow{NormalMode::cofactors, "cofactors", "exact Jacobian, cofactors", "MMG06 Eq. 3, 4",
                  NormalSide::orientation, true},
    NormalModeRow{NormalMode::tangent_pair, "tangent-pair", "exact Jacobian, tangent pair", "TPS14 Eq. 8",
                  NormalSide::frame, true},
    NormalModeRow{NormalMode::deform_naive, "deform-naive", "deform factors, naive", "TPS14 Eq. 10",
                  NormalSide::frame, false},
    NormalModeRow{NormalMode::deform, "deform", "deform factors", "TPS14 Eq. 13", NormalSide::frame, false},
    NormalModeRow{NormalMode::exact, "exact", "deform factors, exact derivative",
                  "derivative of the position", NormalSide::frame, false},
    NormalModeRow{NormalMode::smoothed, "smoothed", "exact derivative at smooth weights",
                  "derivative of the position", NormalSide::frame, false},
    NormalModeRow{NormalMode::exact_fixed_centre, "exact-fixed-centre", "exact derivative, centres held",
                  "derivative of the position", NormalSide::frame, false},
    NormalModeRow{NormalMode::deform_vectors, "deform-vectors", "deform vectors",
                  "derivative along the posed triangles", NormalSide::frame, false},
};

template <class Rows>
const auto& find_by_name(const Rows& rows, std::string_view name, const char* what) {
  std::string known;
  for (const auto& r : rows) {
    if (r.name == name) return r;
    known += (known.empty() ? "" : ", ") + std::string(r.name);
  }
  throw InputError("", std::string(what) + " '" + std::string(name) + "'", "unknown; choose one of " + known);
}

}  // namespace

std::span<const MethodRow> methods() { return kMethods; }
std::span<const NormalModeRow> normal_modes() { return kNormalModes; }

const MethodRow& row(Method method) { return kMethods[static_cast<std::size_t>(method)]; }
const NormalModeRow& row(NormalMode mode) { return kNormalModes[static_cast<std::size_t>(mode)]; }

void require_mode(Method method, NormalMode mode) {
  std::string known;
  for (const NormalMode m : row(method).modes) {
    if (m == mode) return;
    known += (known.empty() ? "" : ", ") + std::string(row(m).name);
  }
  throw InputError("", "skinning method '" + std::string(row(method).name) + "'",
                   "has no normal mode '" + std::string(row(mode).name) + "'; choose one of " + known);
}

Method method_from_name(std::string_view name) {
  return find_by_name(kMethods, name, "skinning method").method;
}
NormalMode normal_mode_from_name(std::string_view name) {
  return find_by_name(kNormalModes, name, "normal mode").mode;
}

}  // namespace skinlight
