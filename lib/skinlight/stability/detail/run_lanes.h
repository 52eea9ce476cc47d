// Runs the kernels of subjects on several cases at once, over a scalar that has a lane for each.
#pragma once

#include "skinlight/stability/detail/run_case.h"

namespace skinlight::stability {

// case_guard() of cases of that scale.
GuardInput guard_at(float scale, Guard guard);

// Cases side by side, and their scales as floats, whatever the scalar makes of them.
template <HasLanes Real>
struct LaneCase : BasicVertexCase<Real> {
  float scales[Real::kLanes];
};

// What a guard is given in each of the cases.
template <class Real>
struct LaneGuard {
  Real limit, kept;
};

// c: a LaneCase.
template <HasLanes Real>
LaneGuard<Real> case_guard(const BasicVertexCase<Real>& c, Guard guard) {
  float limit[Real::kLanes], kept[Real::kLanes];
  for (int l = 0; l < Real::kLanes; ++l) {
    const GuardInput with = guard_at(static_cast<const LaneCase<Real>&>(c).scales[l], guard);
    limit[l] = static_cast<float>(with.limit);
    kept[l] = static_cast<float>(with.kept);
  }
  return {Real::load(limit), Real::load(kept)};
}

// cases: as many as Real has lanes, of the same number of slots.
template <HasLanes Real>
LaneCase<Real> side_by_side(std::span<const VertexCase> cases) {
  float numbers[sizeof(VertexCase) / sizeof(float)][Real::kLanes];
  for (std::size_t l = 0; l < cases.size(); ++l) {
    std::size_t at = 0;
    for_each_float(cases[l], {}, [&](float x) { numbers[at++][l] = x; });
  }
  LaneCase<Real> all;
  all.slots = cases[0].slots;
  for (std::size_t l = 0; l < cases.size(); ++l) all.scales[l] = cases[l].scale;
  std::size_t at = 0;
  for_each_float(all, {}, [&](Real& x) { x = Real::load(numbers[at++]); });
  return all;
}

// Trait of a scalar of lanes.
template <class Real>
struct LaneTrait {
  static void seed(const std::uint64_t (&)[Real::kLanes]) {}
  static bool missed(int) { return false; }
};

// What run_case() makes of each of the cases over the scalar of one lane. cases: kCaseLanes, of the same number of slots;
// results: [case][subject].
template <class Real>
void run_lanes(std::span<const VertexCase> cases, std::span<const Subject> chosen,
               std::span<Result> results) {
  static_assert(kCaseLanes % Real::kLanes == 0);
  constexpr std::size_t kLanes = Real::kLanes;
  using T = LaneTrait<Real>;
  for (std::size_t begin = 0; begin < kCaseLanes; begin += kLanes) {
    const std::span<const VertexCase> of = cases.subspan(begin, kLanes);
    const LaneCase<Real> c = side_by_side<Real>(of);
    with_case_kernels<Real>(c, [&](auto kernels) {
      using K = decltype(kernels);
      bool shared_missed[kLanes] = {}, first = false;
      run_subjects<K>(
          c, chosen,
          [&](Stage stage) {
            if (stage == Stage::continued) {
              for (std::size_t l = 0; l < kLanes && first; ++l)
                shared_missed[l] = T::missed(static_cast<int>(l));
              first = false;
            } else {
              for (bool& missed : shared_missed) missed = false;
              first = stage == Stage::shared;
            }
            std::uint64_t seeds[kLanes];
            for (std::size_t l = 0; l < kLanes; ++l)
              seeds[l] = of[l].seed + (stage == Stage::continued ? 1 : 0);
            T::seed(seeds);
          },
          [&](std::size_t i, const typename K::PosedVertex& posed, const typename K::RestVertex& rest) {
            float side[kLanes];
            for (std::size_t l = 0; l < kLanes; ++l)
              side[l] = static_cast<float>(case_side(of[l], chosen[i].mode));
            const typename K::PosedVertex v = K().finish(posed, rest, Real::load(side));
            const Vec3<Real>* vectors[] = {&v.p, &v.t, &v.b, &v.n};
            float plain[4][3][kLanes];
            for (int k = 0; k < 4; ++k)
              for (int axis = 0; axis < 3; ++axis) (*vectors[k])[axis].store(plain[k][axis]);
            for (std::size_t l = 0; l < kLanes; ++l) {
              const auto vector = [&](int k) {
                return Vec3d(plain[k][0][l], plain[k][1][l], plain[k][2][l]);
              };
              results[(begin + l) * chosen.size() + i] = {vector(0), vector(1), vector(2), vector(3),
                                                          shared_missed[l] || T::missed(static_cast<int>(l))};
            }
          });
    });
  }
}

}  // namespace skinlight::stability
