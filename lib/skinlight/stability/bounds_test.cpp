// What intervals and stochastic rounding say of the digits, without a truth, against the truth.
#include <gtest/gtest.h>

#include <algorithm>

#include "skinlight/core/interval.h"
#include "skinlight/core/random.h"
#include "skinlight/core/wide.h"
#include "skinlight/stability/detail/digits.h"
#include "skinlight/stability/detail/kernel_tape.h"
#include "skinlight/stability/detail/runs.h"
#include "skinlight/stability/regimes.h"

namespace skinlight::stability {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

bool contains(const Interval& i, const Wide& x) { return !(x < Wide(i.low())) && !(x > Wide(i.high())); }
bool contains(const Vec3<Interval>& box, const Vec3<Wide>& v) {
  return contains(box.x, v.x) && contains(box.y, v.y) && contains(box.z, v.z);
}
bool finite(const Vec3<Interval>& box) { return box.x.finite() && box.y.finite() && box.z.finite(); }

// The digits that a box guarantees: of the angle between the truth and the corner farthest from it.
double guaranteed(const Vec3<Interval>& box, const Vec3<Wide>& truth) {
  if (!finite(box)) return kMissDigits;
  double angle = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const auto end = [&](const Interval& i, int bit) { return (corner >> bit) & 1 ? i.high() : i.low(); };
    angle = std::max(angle, angle_to(Vec3d(end(box.x, 0), end(box.y, 1), end(box.z, 2)), truth));
  }
  return digits_of(angle);
}

// Where bounds are farther than three digits at the median.
bool singular(const Regime& regime, const Subject& subject) {
  // The logarithms of bones so far away that floats themselves have two digits left, under a guard, which compares them.
  const bool far = regime.distance >= 1e5 && subject.method == Method::dib && subject.guard != Guard::none;
  // The determinant of a Jacobian that is a thousand times as steep across as along.
  const bool flat = regime.sliver < 1 && subject.mode == NormalMode::inverse_transpose;
  return far || flat;
}

// The truth closes the sums over slots [Eq. 12], which factors in half precision do not: what Eq. 10 loses by that is in
// its input, where neither bounds nor scatter see it.
bool is_open(const Regime& regime, const Subject& subject) {
  return regime.half && subject.mode == NormalMode::deform_naive;
}

constexpr int kIntervalCases = 60;
constexpr double kWithin = 3;

TEST(Interval, ContainsTheTruthInEveryCellAndIsWithinThreeDigitsAtTheMedian) {
  std::vector<Result> results(subjects().size());
  for (const Regime& regime : regimes()) {
    std::vector<std::vector<double>> loss(subjects().size());
    for (int i = 0; i < kIntervalCases; ++i) {
      const VertexCase c = draw(regime, i);
      const auto truth = truths<Wide>(c, subjects());
      run_float(c, subjects(), results);
      with_case_kernels<Interval>(c, [&](auto kernels) {
        using K = decltype(kernels);
        ErrorTape tape = Interval::recorded();
        run_subjects<K>(
            c, subjects(), [](Stage) {},
            [&](std::size_t k, const typename K::PosedVertex& v, const typename K::RestVertex&) {
              const std::string where =
                  subjects()[k].name + " " + std::string(regime.name) + " " + std::to_string(i);
              const bool open = is_open(regime, subjects()[k]);
              EXPECT_TRUE(open || contains(v.n, truth[k].n)) << where;
              EXPECT_TRUE(open || contains(v.t, truth[k].t)) << where;
              EXPECT_TRUE(open || contains(v.b, truth[k].b)) << where;
              EXPECT_TRUE(contains(v.p, truth[k].p)) << where;
              const double found = digits(Quantity::normal, c, subjects()[k], results[k], truth[k]);
              // Iterated blending and guards use each bone's numbers several times: what the tape follows once is up to
              // 1.9 digits closer there. Elsewhere the interval is enough.
              Vec3<Interval> n = v.n;
              if (found - guaranteed(n, truth[k].n) > kWithin) {
                n = {n.x.narrowed(tape), n.y.narrowed(tape), n.z.narrowed(tape)};
                EXPECT_TRUE(open || contains(n, truth[k].n)) << where;
              }
              loss[k].push_back(found - guaranteed(n, truth[k].n));
            });
      });
    }
    for (std::size_t k = 0; k < subjects().size(); ++k)
      if (!subjects()[k].rival && !singular(regime, subjects()[k])) {
        EXPECT_LT(median(loss[k]), kWithin) << subjects()[k].name << " " << regime.name;
      }
  }
}

// Sixteen runs under stochastic rounding: how far they scatter about their mean.
constexpr int kStochasticCases = 60, kSamples = 16;

TEST(Stochastic, PredictsTheDigitsOfFloatWithoutATruth) {
  int cells = 0, close = 0;
  std::vector<Result> of_float(subjects().size()), sample(subjects().size());
  const KernelTapes tapes(subjects());
  for (const Regime& regime : regimes()) {
    std::vector<std::vector<double>> predicted(subjects().size()), found(subjects().size());
    for (int i = 0; i < kStochasticCases; ++i) {
      const VertexCase c = draw(regime, i);
      const auto truth = truths<DoubleDouble>(c, subjects());
      run_float(c, subjects(), of_float);
      std::vector<std::vector<Vec3d>> samples(subjects().size());
      VertexCase again = c;
      for (int run = 0; run < kSamples; ++run) {
        again.seed = Random(c.seed + static_cast<std::uint64_t>(run)).bits();
        replay_stochastic(tapes.of(again), std::span(&again, 1), sample);
        for (std::size_t k = 0; k < subjects().size(); ++k) samples[k].push_back(sample[k].n);
      }
      for (std::size_t k = 0; k < subjects().size(); ++k) {
        if (subjects()[k].rival) continue;
        Vec3d mean(0.0);
        for (const Vec3d& n : samples[k]) mean += n;
        double square = 0;
        for (const Vec3d& n : samples[k]) {
          const double angle = std::atan2(length(cross(n, mean)), dot(n, mean));
          square += angle * angle;
        }
        predicted[k].push_back(digits_of(std::sqrt(square / (kSamples - 1))));
        found[k].push_back(digits(Quantity::normal, c, subjects()[k], of_float[k], truth[k]));
      }
    }
    for (std::size_t k = 0; k < subjects().size(); ++k) {
      if (subjects()[k].rival || is_open(regime, subjects()[k])) continue;
      const double off = std::abs(median(predicted[k]) - median(found[k]));
      EXPECT_LT(off, 1) << subjects()[k].name << " " << regime.name;
      ++cells;
      close += off < .5 ? 1 : 0;
    }
  }
  EXPECT_GT(close, .95 * cells) << close << " of " << cells;
}

}  // namespace
}  // namespace skinlight::stability
