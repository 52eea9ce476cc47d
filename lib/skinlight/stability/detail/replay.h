// Runs a tape of kernels over any scalar. Nothing here but templates over the scalar, and plain data: a file compiled for
// another instruction set gives its own scalar, a type of an unnamed namespace (see core/pack.h).
#pragma once

#include <memory>

#include "skinlight/stability/detail/kernel_tape.h"
#include "skinlight/stability/detail/run_case.h"

namespace skinlight::stability {

// inputs: of put_tape_inputs(). Calls before(Stage) where one begins, and done(subject, result) with each of its numbers as
// result(0), result(1) ...
template <class Real, class Before, class Done>
void replay(const KernelTape& tape, std::span<const Real> inputs, Before before, Done done) {
  using Mask = decltype(Real() < Real());
  std::vector<Real> number(inputs.begin(), inputs.end());
  for (const double constant : tape.constants) number.push_back(Real(constant));
  number.resize(static_cast<std::size_t>(tape.registers));
  const auto mask = std::make_unique<Mask[]>(static_cast<std::size_t>(tape.masks));
  Real* const r = number.data();
  for (const TapeStep& s : tape.steps) {
    switch (s.code) {
      case TapeCode::sum:
        r[s.to] = r[s.a] + r[s.b];
        break;
      case TapeCode::difference:
        r[s.to] = r[s.a] - r[s.b];
        break;
      case TapeCode::product:
        r[s.to] = r[s.a] * r[s.b];
        break;
      case TapeCode::quotient:
        r[s.to] = r[s.a] / r[s.b];
        break;
      case TapeCode::root:
        r[s.to] = sqrt(r[s.a]);
        break;
      case TapeCode::inverse_root:
        r[s.to] = inversesqrt(r[s.a]);
        break;
      case TapeCode::less:
        mask[s.to] = r[s.a] < r[s.b];
        break;
      case TapeCode::both:
        mask[s.to] = mask[s.a] && mask[s.b];
        break;
      case TapeCode::choice:
        r[s.to] = select(mask[s.c], r[s.a], r[s.b]);
        break;
      case TapeCode::stage:
        before(static_cast<Stage>(s.a));
        break;
      case TapeCode::done: {
        const int* const at = tape.results.data() + s.a;
        done(static_cast<std::size_t>(s.to), [&](int i) -> const Real& { return r[at[i]]; });
      }
    }
  }
}

// A scalar that computes several cases at once.
template <class Real>
concept HasLanes = requires {
  Real::kLanes;
};

// What scalars of one case and of several have in common.
template <class Real>
struct CaseLanes {
  static constexpr std::size_t count = 1;
  static Real load(const float* from) { return Real(static_cast<double>(*from)); }
  static void store(const Real& x, float* to) { *to = static_cast<float>(x.value()); }
  static void seed(const std::uint64_t* seeds) {
    if constexpr (requires { Real::seed(*seeds); }) Real::seed(*seeds);
  }
  static bool missed(std::size_t) {
    if constexpr (requires { Real::missed(); }) return Real::missed();
    return false;
  }
};

template <HasLanes Real>
struct CaseLanes<Real> {
  static constexpr std::size_t count = Real::kLanes;
  static Real load(const float* from) { return Real::load(from); }
  static void store(const Real& x, float* to) { x.store(to); }
  static void seed(const std::uint64_t (&seeds)[count]) {
    if constexpr (requires { Real::seed(seeds); }) Real::seed(seeds);
  }
  static bool missed(std::size_t lane) {
    if constexpr (requires { Real::missed(0); }) return Real::missed(static_cast<int>(lane));
    return false;
  }
};

// Cases of the tape's number of slots, as many as the scalar has lanes or a multiple. results: [case][subject]; those of
// rivals stay as they are.
template <class Real>
void replay_cases(const KernelTape& tape, std::span<const VertexCase> cases, std::span<Result> results) {
  using Lanes = CaseLanes<Real>;
  constexpr std::size_t kLanes = Lanes::count;
  const auto subjects = static_cast<std::size_t>(tape.subjects),
             inputs = static_cast<std::size_t>(tape.inputs);
  std::vector<Real> numbers(inputs);
  const auto side_by_side = std::make_unique<float[]>(inputs * kLanes);
  for (std::size_t begin = 0; begin < cases.size(); begin += kLanes) {
    const std::span<const VertexCase> of = cases.subspan(begin, kLanes);
    for (std::size_t l = 0; l < kLanes; ++l) put_tape_inputs(of[l], side_by_side.get() + l, kLanes);
    for (std::size_t i = 0; i < inputs; ++i) numbers[i] = Lanes::load(side_by_side.get() + i * kLanes);
    bool shared_missed[kLanes] = {};
    Stage last = Stage::kernel;
    replay<Real>(
        tape, numbers,
        [&](Stage stage) {
          if (stage != Stage::continued || last == Stage::shared)
            for (std::size_t l = 0; l < kLanes; ++l)
              shared_missed[l] = stage == Stage::continued && Lanes::missed(l);
          last = stage;
          std::uint64_t seeds[kLanes];
          for (std::size_t l = 0; l < kLanes; ++l)
            seeds[l] = of[l].seed + (stage == Stage::continued ? 1 : 0);
          Lanes::seed(seeds);
        },
        [&](std::size_t subject, auto result) {
          float plain[kResultNumbers][kLanes];
          for (int i = 0; i < kResultNumbers; ++i) Lanes::store(result(i), plain[i]);
          for (std::size_t l = 0; l < kLanes; ++l) {
            const auto vector = [&](int i) { return Vec3d(plain[i][l], plain[i + 1][l], plain[i + 2][l]); };
            results[(begin + l) * subjects + subject] = {vector(0), vector(3), vector(6), vector(9),
                                                         shared_missed[l] || Lanes::missed(l)};
          }
        });
  }
}

}  // namespace skinlight::stability
