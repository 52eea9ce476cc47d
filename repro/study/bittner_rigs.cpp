#include "repro/study/bittner_rigs.h"

#include <stdexcept>

#include "skinlight/rig/partway.h"
#include "skinlight/samples/cuboid.h"
#include "skinlight/samples/quadruped.h"

namespace skinlight::repro {

namespace {

Pose attack(const QuadrupedShape& shape, double share) {
  for (const NamedPose& named : quadruped_poses(shape))
    if (named.name == "attack") return partway(named.pose, share);
  throw std::logic_error("the quadruped has no such pose");
}

}  // namespace

std::span<const BittnerRig> bittner_rigs() {
  static const BittnerRig rigs[] = {
      {"cuboid", "cuboid", [] { return cuboid(); }, 16800, 8400,
       [](double share) { return cuboid_pose(179 * share, 120 * share); }},
      {"wolf", "quadruped, 30 bones", [] { return quadruped(kWolfShape); }, 1291, 1470,
       [](double share) { return attack(kWolfShape, share); }},
      {"raptor", "quadruped, 79 bones", [] { return of_size(quadruped(kRaptorShape), 15005, 21959); }, 15005,
       21959, [](double share) { return attack(kRaptorShape, share); }}};
  return rigs;
}

}  // namespace skinlight::repro
