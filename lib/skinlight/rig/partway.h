// Poses between the rest pose and another one.
#pragma once

#include "skinlight/rig/pose.h"

namespace skinlight {

// Every bone a share of the way along the screw motion that leads from rest to `pose`: 0 is the rest pose, 1
// is `pose`. A bone that turns about a point keeps turning about that point. The bones must be rigid; throws
// InputError naming one that is not.
Pose partway(const Pose& pose, double share);

}  // namespace skinlight
