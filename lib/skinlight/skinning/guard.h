// Guards against flipped normals [TPS14 Sec. 4.4]: what shaders/kernels/guards.glsl does, by name.
#pragma once

#include <limits>
#include <span>
#include <string_view>

#include "skinlight/rig/pose.h"

namespace skinlight {

enum class Guard {
  none,           // Eq. 13 as it is: flips where the surface does
  clamp,          // each second term of Eq. 13 to length c, as printed
  joint,          // both by one factor, to c times the smaller singular value of [T t0, T b0]
  test_then_fix,  // clamp; shorten further, both by one factor, only where the normal turns away from T n0
};

// The paper's c. Differs from paper: it does not prevent flips; with a rigid T that takes c <= 1/sqrt(2),
// with a blend of rotations no c does.
inline constexpr double kPaperClamp = 0.9;

struct GuardOptions {
  Guard guard = Guard::none;
  double c = kPaperClamp;  // bound of the second terms; a length in units of the pose's scale for clamp and
                           // test_then_fix (may be infinite: no clamp); for joint a share below 1
  double k = 0.1;  // test_then_fix: share of the standard normal's height along T n0 that is kept, in [0, 1)
};

// The guard to draw with when flipped normals disturb the picture. SkinOptions have none by default: Eq. 13
// follows the surface best, and nearly every normal that it turns away from T n0 belongs to a face that
// really turned over. Of the guards that leave no flips, test-then-fix without the clamp is the most accurate
// on every rig tried: it touches only vertices that flip or nearly so, hence keeps the convergence of Eq. 13
// on smooth surfaces, which clamps end. On the careless rig of tarini2014/fig5_flips it costs .10 degrees of
// the mean (the paper's clamp before it .34, joint 1.2); on nine animated characters .3 % of the error, and 9 %
// more normals point away from the truth (tarini2014/claims): measure before you switch it on.
inline constexpr GuardOptions kRecommendedGuard = {Guard::test_then_fix,
                                                   std::numeric_limits<double>::infinity(), 0.1};

struct GuardRow {
  Guard guard;
  std::string_view name;   // command line, CSV, plots
  std::string_view label;  // for people
  GuardOptions usual;      // with its usual parameters
  std::string_view glsl;   // the function of shaders/kernels/guards.glsl
};

std::span<const GuardRow> guards();
const GuardRow& row(Guard guard);

// Throws InputError listing the names that exist.
Guard guard_from_name(std::string_view name);

// What the kernels of a guard are given in a pose.
struct GuardInput {
  double limit = 0;  // of the second terms
  double kept = 0;   // GuardOptions::k
};

// Throws InputError naming c or k when it is not a number or outside its range.
GuardInput guard_input(const GuardOptions& options, const Pose& pose);

}  // namespace skinlight
