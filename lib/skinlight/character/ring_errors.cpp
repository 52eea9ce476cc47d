#include "skinlight/character/ring_errors.h"

#include <algorithm>

namespace skinlight {

namespace {

// About equal steps of the logarithm: every property spans two to four decades on characters.
constexpr double kEdgeLengths[] = {.003, .006, .0125, .025, .05, .1};
constexpr double kWeightChanges[] = {.001, .01, .03, .1, .2, .4, .7};
constexpr double kDihedrals[] = {5, 10, 20, 40, 80};
constexpr double kNonRigidities[] = {.001, .01, .03, .1, .2, .4};

constexpr RingProperty kProperties[] = {{"edge-length", "size", kEdgeLengths},
                                        {"weight-change", "", kWeightChanges},
                                        {"dihedral", "deg", kDihedrals},
                                        {"non-rigidity", "", kNonRigidities}};

std::size_t bin_of(const RingProperty& property, double value) {
  return static_cast<std::size_t>(std::upper_bound(property.limits.begin(), property.limits.end(), value) -
                                  property.limits.begin());
}

}  // namespace

std::span<const RingProperty> ring_properties() { return kProperties; }

RingErrors::RingErrors(const Character& character, std::size_t ways)
    : character_(character), rings_(one_rings(character.mesh(), character.surface())), ways_(ways) {
  for (const RingProperty& property : kProperties) {
    share_.emplace_back(property.limits.size() + 1);
    weighted_.emplace_back((property.limits.size() + 1) * ways);
  }
}

void RingErrors::add(const ClipAngles& angles) {
  if (angles.way == 0) {
    ++frames_;
    non_rigidity_ = non_rigidity(character_.surface(), character_.mesh().p0, angles.truth.p);
  }
  const std::vector<double>* const values[] = {&rings_.edge_length, &rings_.weight_change, &rings_.dihedral,
                                               &non_rigidity_};
  for (std::size_t p = 0; p < std::size(kProperties); ++p)
    for (std::size_t v = 0; v < angles.degrees.size(); ++v) {
      const std::size_t bin = bin_of(kProperties[p], (*values[p])[v]);
      if (angles.way == 0) share_[p][bin] += angles.shares[v];
      weighted_[p][bin * ways_ + angles.way] += angles.shares[v] * angles.degrees[v];
    }
}

std::vector<std::vector<RingBin>> RingErrors::bins() const {
  std::vector<std::vector<RingBin>> result;
  for (std::size_t p = 0; p < std::size(kProperties); ++p) {
    const std::span<const double> limits = kProperties[p].limits;
    std::vector<RingBin>& bins = result.emplace_back(limits.size() + 1);
    for (std::size_t b = 0; b < bins.size(); ++b) {
      if (b > 0) bins[b].from = bins[b - 1].to;
      if (b < limits.size()) bins[b].to = limits[b];
      if (frames_ > 0) bins[b].share = share_[p][b] / static_cast<double>(frames_);
      for (std::size_t way = 0; way < ways_; ++way)
        bins[b].mean_deg.push_back(share_[p][b] > 0 ? weighted_[p][b * ways_ + way] / share_[p][b] : 0);
    }
  }
  return result;
}

}  // namespace skinlight
