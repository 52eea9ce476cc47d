// Surfaces of revolution and weights along z, from which the procedural rigs are made. Private to rig.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "skinlight/samples/procedural.h"

namespace skinlight {

// A curve (r, z) of arc length s that is turned about the z axis, with the outward normal (nr, nz).
struct ProfilePoint {
  double r, z, nr, nz;
};

struct Profile {
  double length;
  bool poles;  // r = 0 at both ends
  std::function<ProfilePoint(double s)> at;
  std::vector<int> rings;  // intervals per piece of the curve
  std::vector<double> piece_length;
};

// Rings of vertices with a uv seam at angle 0; every vertex lies exactly on the surface, jittered or not. No
// weights yet. Throws InputError for a jitter outside [0, 0.5).
RiggedMesh revolve(const Profile& profile, const Tessellation& tessellation);

// Rings along a piece of a profile of about that radius. Throws InputError for fewer than 8 segments or an
// aspect outside [0.01, 100].
int intervals(double length, double radius, const Tessellation& tessellation);

// A weight that rises from 0 to 1 over x in 0 .. 1, and its derivative by x.
double rise(Ramp ramp, double x);
double rise_slope(Ramp ramp, double x);

// Binds the vertices to a chain of bones along z, bone 0 lowest: around joint s the weight passes from bone s
// to bone s + 1 over |z - joint[s]| < half_blend; blends must not overlap. Two slots, exact gradients. Fills
// the tangent frames.
ProceduralRig bind_chain(RiggedMesh mesh, std::span<const double> joint_z, double half_blend, Ramp ramp);

// Throws InputError unless `ok`.
void require(bool ok, const std::string& element, const std::string& reason);

}  // namespace skinlight
