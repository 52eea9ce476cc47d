// Poses that a character is likely to take: what choices made once, before run time, are fitted to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skinlight/rig/pose.h"
#include "skinlight/rig/skeleton.h"

namespace skinlight {

// `per_clip` poses of every clip, at the middles of as many even parts of it. per_clip >= 1. Throws as
// pose_at().
std::vector<Pose> clip_poses(const Skeleton& skeleton, std::span<const Clip> clips, int per_clip);

// The default pose with every joint turned about a random axis by up to `radians`, `count` times. For
// characters that are animated elsewhere. Throws as default_pose().
std::vector<Pose> random_joint_poses(const Skeleton& skeleton, int count, double radians, std::uint64_t seed);

}  // namespace skinlight
