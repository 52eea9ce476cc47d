// Guards on random tangents, without a mesh: T of a vertex between four bones, and second terms far longer
// than any limit.
#include <algorithm>
#include <cmath>

#include "repro/runner/csv.h"
#include "repro/studio.h"
#include "repro/study/random_guard_cases.h"
#include "skinlight/core/angle.h"
#include "skinlight/rig/turn.h"

namespace skinlight::repro {

namespace {

constexpr std::pair<RandomBones, const char*> kBones[] = {
    {RandomBones::one_rotation, "one rotation"},
    {RandomBones::blend_to_60, "4 rotations up to 60"},
    {RandomBones::blend_to_180, "4 rotations up to 180"}};

Mat3d random_rotation(Random& random, double radians) {
  const Vec3d axis = random.direction();
  const double angle = random.uniform(-radians, radians);
  return Mat3d(turn_about(Vec3d(0.0), axis, angle));
}

struct RandomCases {
  int cases = 0, flips = 0;
  double smallest = 1;          // share_left()
  double smallest_tangent = 1;  // (T t0 + d) . T t0 / |T t0|^2
};

template <class Apply>
RandomCases random_cases(RandomBones bones, int cases, Apply guard) {
  Random random(2014);
  RandomCases r{cases};
  for (int i = 0; i < cases; ++i) {
    const RandomTerms k = guard(random_terms(random, bones));
    const double share = share_left(k);
    r.smallest_tangent = std::min(r.smallest_tangent, dot(k.Tt + k.d, k.Tt) / dot(k.Tt, k.Tt));
    r.flips += share < 0;
    r.smallest = std::min(r.smallest, share);
  }
  return r;
}

}  // namespace

RandomTerms random_terms(Random& random, RandomBones bones) {
  const double reach = (bones == RandomBones::blend_to_60 ? 60 : 180) / kDegrees;
  double w[4] = {1, 0, 0, 0}, sum = 0;
  if (bones != RandomBones::one_rotation)
    for (double& x : w) x = random.uniform();
  for (const double x : w) sum += x;
  Mat3d T(Vec3d(0.0), Vec3d(0.0), Vec3d(0.0));
  for (const double x : w) T = T + random_rotation(random, reach) * (x / sum);
  return {Vec3d(0.0), T[0], T[1], T[2], random.in_cube(5), random.in_cube(5)};
}

double share_left(const RandomTerms& k) {
  const Vec3d standard = cross(k.Tt, k.Tb);
  return dot(cross(k.Tt + k.d, k.Tb + k.e), standard) / dot(standard, standard);
}

void try_random_guard_cases(Workbench& bench, int cases) {
  Kernels<double, 4> kernels;
  bench.progress("random cases");
  std::string csv = "transform,guard,c,cases,flips,flipped_percent,smallest_share\n";
  const auto add = [&](const char* bones_name, const std::string& guard, double c, const RandomCases& r) {
    const double percent = 100.0 * r.flips / r.cases;
    csv += std::string(bones_name) + "," + guard + "," + number_text(c) + "," + std::to_string(r.cases) +
           "," + std::to_string(r.flips) + "," + number_text(percent) + "," + number_text(r.smallest) + "\n";
    const std::string key = std::string(bones_name) + "/" + guard + " " + number_text(c);
    bench.results.values[key + "/percent"] = percent;
    bench.results.values[key + "/smallest"] = r.smallest;
    bench.results.values[key + "/smallest tangent"] = r.smallest_tangent;
  };
  for (const auto& [bones, bones_name] : kBones) {
    for (const double c : {0.9, std::sqrt(0.5), 0.5, 0.1})
      add(bones_name, "clamp", c,
          random_cases(bones, cases, [&](const auto& k) { return kernels.guard_clamp(k, c); }));
    add(bones_name, "joint", 0.9,
        random_cases(bones, cases, [&](const auto& k) { return kernels.guard_joint(k, 0.9); }));
  }
  bench.write_table(
      "random_cases.csv",
      "Random second terms under each guard: how many flip against T t0 x T b0, and the smallest share of the standard normal's height that is left",
      csv);
  // The case by hand: T = I, d and e both along -(1, 1), longer than the limit.
  const Mat4x3d I = identity_transform<double>();
  const Vec3d worst(-10, -10, 0);
  bench.results.values["by_hand"] =
      share_left(kernels.guard_clamp({I[3], I[0], I[1], I[2], worst, worst}, kPaperClamp));
}

}  // namespace skinlight::repro
