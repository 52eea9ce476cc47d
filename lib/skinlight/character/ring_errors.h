// Errors of normals by what the one-rings look like: where which way to get normals is right.
#pragma once

#include <limits>
#include <string_view>

#include "skinlight/character/clip_angles.h"
#include "skinlight/preprocess/one_ring.h"

namespace skinlight {

// Vertices and frames whose property is in [from, to).
struct RingBin {
  double from = 0, to = std::numeric_limits<double>::infinity();
  double share = 0;              // of the deformed area, all frames alike; the bins of a property sum to 1
  std::vector<double> mean_deg;  // per way, against the transported truth, by area; 0 in an empty bin
};

// What errors are sorted by.
struct RingProperty {
  std::string_view name, unit;     // "weight-change", "" where it is a share
  std::span<const double> limits;  // between the bins, ascending
};
// Of the rest: edge-length, weight-change, dihedral (see OneRings); of the pose: non-rigidity.
std::span<const RingProperty> ring_properties();

// Sorts what clip_error() finds, over as many clips as it is handed.
class RingErrors {
 public:
  RingErrors(const Character& character, std::size_t ways);
  void add(const ClipAngles& angles);  // Character and count of ways as given
  RingSummary rest() const { return summary(rings_, character_.mesh(), character_.surface()); }
  // By the order of ring_properties().
  std::vector<std::vector<RingBin>> bins() const;

 private:
  Character character_;
  OneRings rings_;
  std::size_t ways_, frames_ = 0;
  std::vector<double> non_rigidity_;                   // of the frame
  std::vector<std::vector<double>> share_, weighted_;  // per property: #bins, #bins by #ways
};

}  // namespace skinlight
