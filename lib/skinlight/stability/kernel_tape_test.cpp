// Tapes against the kernels themselves, and scalars of several lanes against those of one.
#include "skinlight/stability/detail/kernel_tape.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "skinlight/core/cpu.h"
#include "skinlight/core/random.h"
#include "skinlight/core/vulkan_float.h"
#include "skinlight/stability/detail/replay.h"
#include "skinlight/stability/detail/runs.h"
#include "skinlight/stability/regimes.h"

namespace skinlight::stability {
namespace {

// A float in a few places that no regime draws.
void make_wild(VertexCase& c, Random& random) {
  using Limits = std::numeric_limits<float>;
  constexpr float kWild[] = {
      0, -0.0f, Limits::denorm_min(), -Limits::min() / 2, Limits::max(), -Limits::infinity(), 7e4f, 1e-6f};
  for_each_float(c, {}, [&](float& x) {
    const bool here = random.below(300) == 0;
    const int which = random.below(std::size(kWild));
    if (here) x = kWild[which];
  });
}

// Cases as every regime draws them, and wild ones: visit(cases, name of the regime).
template <class Visit>
void for_each_drawn(std::uint64_t seed, Visit visit) {
  Random random(seed);
  for (const Regime& regime : regimes())
    for (const bool wild : {false, true}) {
      std::vector<VertexCase> cases;
      for (std::size_t i = 0; i < kCaseLanes; ++i) {
        cases.push_back(draw(regime, static_cast<int>(i)));
        if (wild) make_wild(cases.back(), random);
      }
      visit(cases, regime.name);
    }
}

std::uint64_t bits(double x) {
  return std::bit_cast<std::uint64_t>(std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x);
}

bool same_bits(const Result& a, const Result& b) {
  const Vec3d Result::*vectors[] = {&Result::p, &Result::t, &Result::b, &Result::n};
  for (const auto vector : vectors)
    for (int axis = 0; axis < 3; ++axis)
      if (bits((a.*vector)[axis]) != bits((b.*vector)[axis])) return false;
  return a.miss == b.miss;
}

// results: [case][subject], but for rivals.
void expect_same(std::span<const Result> expected, std::span<const Result> found, const std::string& where) {
  ASSERT_EQ(expected.size(), found.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Subject& subject = subjects()[i % subjects().size()];
    if (!subject.rival) {
      EXPECT_TRUE(same_bits(expected[i], found[i]))
          << subject.name << " " << where << " " << i / subjects().size();
    }
  }
}

// Floats without their last bits: inputs and constants round too.
template <int dropped>
class Truncated {
 public:
  Truncated() = default;
  explicit Truncated(double value) {
    const auto kept = std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> dropped << dropped;
    v_ = std::bit_cast<float>(kept);
  }
  float value() const { return v_; }
  explicit operator double() const { return v_; }
  friend Truncated operator+(Truncated a, Truncated b) { return of(a.v_ + b.v_); }
  friend Truncated operator-(Truncated a, Truncated b) { return of(a.v_ - b.v_); }
  friend Truncated operator*(Truncated a, Truncated b) { return of(a.v_ * b.v_); }
  friend Truncated operator/(Truncated a, Truncated b) { return of(a.v_ / b.v_); }
  friend bool operator<(Truncated a, Truncated b) { return a.v_ < b.v_; }
  friend bool operator>(Truncated a, Truncated b) { return a.v_ > b.v_; }
  friend Truncated sqrt(Truncated a) { return of(std::sqrt(a.v_)); }
  friend Truncated inversesqrt(Truncated a) { return of(1.0f / std::sqrt(a.v_)); }
  friend Truncated select(bool c, Truncated a, Truncated b) { return c ? a : b; }

 private:
  static Truncated of(float v) { return Truncated(static_cast<double>(v)); }
  float v_ = 0;
};

// run: of kernels compiled for Real.
template <class Real>
void expect_same_replayed(std::uint64_t seed, decltype(run_float) run) {
  const KernelTapes tapes(subjects());
  const std::size_t count = subjects().size();
  std::vector<Result> compiled(kCaseLanes * count), replayed(kCaseLanes * count);
  for_each_drawn(seed, [&](std::span<const VertexCase> cases, std::string_view regime) {
    for (std::size_t i = 0; i < cases.size(); ++i)
      run(cases[i], subjects(), std::span(compiled).subspan(i * count, count));
    replay_cases<Real>(tapes.of(cases[0]), cases, replayed);
    expect_same(compiled, replayed, std::string(regime));
  });
}

TEST(KernelTape, ReplayedHasTheBitsOfTheCompiledKernels) {
  expect_same_replayed<Truncated<0>>(78, run_float);
  expect_same_replayed<Truncated<9>>(79, run_case<Truncated<9>>);
}

// What is random draws by the case's seed, and by the next one where kernels with guards part; what is not finite counts from
// where the kernel begins, in what it shares with others too. Written anew, a subject at a time.
TEST(KernelTape, SeedsAndMissesAreThoseOfTheSubjectAlone) {
  const KernelTapes together(subjects());
  const std::size_t count = subjects().size();
  std::vector<Result> found(kCaseLanes * count);
  int missed_before_a_guard = 0;
  for_each_drawn(81, [&](std::span<const VertexCase> cases, std::string_view regime) {
    replay_vulkan(together.of(cases[0]), cases, found);
    for (std::size_t k = 0; k < count; ++k) {
      if (subjects()[k].rival) continue;
      const KernelTape alone = kernel_tape(subjects().subspan(k, 1), cases[0].slots);
      for (std::size_t i = 0; i < 2; ++i) {
        const VertexCase& c = cases[i];
        std::vector<float> floats(static_cast<std::size_t>(alone.inputs));
        put_tape_inputs(c, floats.data(), 1);
        const std::vector<VulkanFloat> inputs(floats.begin(), floats.end());
        int stages = 0;
        bool missed = false;
        replay<VulkanFloat>(
            alone, inputs,
            [&](Stage stage) {
              if (++stages > 2) missed = missed || VulkanFloat::missed();
              VulkanFloat::seed(stage == Stage::continued ? c.seed + 1 : c.seed);
            },
            [&](std::size_t, auto result) {
              missed_before_a_guard += missed && !VulkanFloat::missed() ? 1 : 0;
              const auto vector = [&](int at) {
                return Vec3d(result(at).value(), result(at + 1).value(), result(at + 2).value());
              };
              const Result expected{vector(0), vector(3), vector(6), vector(9),
                                    missed || VulkanFloat::missed()};
              EXPECT_TRUE(same_bits(expected, found[i * count + k]))
                  << subjects()[k].name << " " << regime << " " << i;
            });
      }
    }
  });
  EXPECT_GT(missed_before_a_guard, 0);
}

TEST(KernelTape, RegistersAreFewAndNoStepReadsWhatIsNotThere) {
  for (const int slots : {4, 8, 16}) {
    const KernelTape tape = kernel_tape(subjects(), slots);
    std::vector<bool> written(static_cast<std::size_t>(tape.registers), false);
    std::fill_n(written.begin(), tape.inputs + static_cast<int>(tape.constants.size()), true);
    const auto there = [&](int number) { return written.at(static_cast<std::size_t>(number)); };
    std::size_t made = 0;
    for (const TapeStep& step : tape.steps) {
      switch (step.code) {
        case TapeCode::stage:
          break;
        case TapeCode::both:
          break;
        case TapeCode::less:
          EXPECT_TRUE(there(step.a) && there(step.b));
          break;
        case TapeCode::done:
          for (int i = 0; i < kResultNumbers; ++i)
            EXPECT_TRUE(there(tape.results.at(static_cast<std::size_t>(step.a + i))));
          break;
        default:
          EXPECT_TRUE(there(step.a) && there(step.b));
          EXPECT_GE(step.to, tape.inputs + static_cast<int>(tape.constants.size()));
          written.at(static_cast<std::size_t>(step.to)) = true;
          ++made;
      }
    }
    EXPECT_LT(static_cast<std::size_t>(tape.registers), made / 4) << slots;
    EXPECT_EQ(tape.results.size() % kResultNumbers, 0u);
  }
}

TEST(Scalars, CasesAtOnceHaveTheBitsOfOneAfterTheOther) {
  if (best_instruction_set() != InstructionSet::avx2) GTEST_SKIP() << "one instruction set here";
  const KernelTapes tapes(subjects());
  std::vector<Result> one(kCaseLanes * subjects().size()), at_once(one.size());
  int scalars_at_once = 0, misses = 0;
  for (const ScalarRow& scalar : scalars()) {
    if (!scalar.replay_avx2) continue;
    ++scalars_at_once;
    for_each_drawn(77, [&](std::span<const VertexCase> cases, std::string_view regime) {
      scalar.replay_avx2(tapes.of(cases[0]), cases, at_once);
      scalar.replay(tapes.of(cases[0]), cases, one);
      expect_same(one, at_once, std::string(regime) + " " + std::string(scalar.name));
      for (const Result& r : one) misses += r.miss ? 1 : 0;
    });
  }
  EXPECT_EQ(scalars_at_once, 3);
  EXPECT_GT(misses, 0);
}

}  // namespace
}  // namespace skinlight::stability
