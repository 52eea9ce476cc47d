// Whether the truth is one: pairs of doubles against 113 and 200 bits, and the kernels in 113 bits against formulas that
// were written apart from them.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "skinlight/core/wide.h"
#include "skinlight/stability/detail/digits.h"
#include "skinlight/stability/detail/run_case.h"
#include "skinlight/stability/detail/runs.h"
#include "skinlight/stability/regimes.h"

namespace skinlight::stability {
namespace {

using Bits200 = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<200, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

constexpr int kTruthCases = 10;        // of each regime
constexpr double kDigitsAgree = 1e-6;  // of what is recorded to the third place

TEST(Truth, PairsOfDoublesAnd113And200BitsAgreeInEveryCell) {
  std::vector<Result> results(subjects().size());
  for (const Regime& regime : regimes())
    for (int i = 0; i < kTruthCases; ++i) {
      const VertexCase c = draw(regime, i);
      run_float(c, subjects(), results);
      const auto pairs = truths<DoubleDouble>(c, subjects());
      const auto wide = truths<Wide>(c, subjects());
      const auto widest = truths<Bits200>(c, subjects());
      for (std::size_t k = 0; k < subjects().size(); ++k)
        for (const QuantityRow& q : quantities()) {
          const auto of = [&](const auto& truth) {
            return digits(q.quantity, c, subjects()[k], results[k], truth[k]);
          };
          EXPECT_NEAR(of(pairs), of(widest), kDigitsAgree)
              << subjects()[k].name << q.suffix << " " << regime.name;
          EXPECT_NEAR(of(wide), of(widest), kDigitsAgree)
              << subjects()[k].name << q.suffix << " " << regime.name;
        }
    }
}

// Away from where guards collapse, kernels and truth are the same to 20 digits; the series of LOG and DIB end at double's.
constexpr double kSame = 1e-20, kSameSeries = 1e-12;

// Turns near half a turn that differ, about axes that hardly do: blends turn as far, where the series of LOG need all of
// their terms and their slopes matter.
constexpr Regime kWideTurns{
    .name = "wide-turns", .label = "", .seed = 1000, .least_angle = 2.8, .common_axis = .2};

TEST(Truth, IsWhatTheKernelsGiveIn113Bits) {
  std::vector<Regime> all(regimes().begin(), regimes().end());
  all.push_back(kWideTurns);
  for (const Regime& regime : all) {
    if (regime.half) continue;  // what slot 0 holds is rounded, and Eq. 10 reads it
    for (int i = 0; i < kTruthCases; ++i) {
      const VertexCase c = draw(regime, i);
      const auto truth = truths<Wide>(c, subjects());
      with_case_kernels<Wide>(c, [&](auto kernels) {
        using K = decltype(kernels);
        run_subjects<K>(
            c, subjects(), [](Stage) {},
            [&](std::size_t k, const typename K::PosedVertex& v, const typename K::RestVertex&) {
              const Method method = subjects()[k].method;
              const double limit = method == Method::log || method == Method::dib ? kSameSeries : kSame;
              const auto expect = [&](const Vec3<Wide>& kernel, const Vec3<Wide>& expected,
                                      const char* what) {
                const double off = static_cast<double>(length(kernel - expected));
                const double size = static_cast<double>(length(expected)) + case_size(c);
                EXPECT_LT(off / size, limit)
                    << subjects()[k].name << " " << what << " " << regime.name << " " << i;
              };
              expect(v.p, truth[k].p, "p");
              expect(v.t, truth[k].t, "t");
              expect(v.b, truth[k].b, "b");
              expect(v.n, truth[k].n, "n");
            });
      });
    }
  }
}

TEST(Kernels, RunOverLongDouble) {
  const VertexCase c = draw(regime_from_name("near"), 0);
  const auto truth = truths<DoubleDouble>(c, subjects());
  using K = Kernels<long double, 4>;
  run_subjects<K>(
      c, subjects(), [](Stage) {},
      [&](std::size_t k, const K::PosedVertex& v, const K::RestVertex&) {
        EXPECT_LT(std::abs(angle_to(Vec3d(v.n), truth[k].n)), 1e-13) << subjects()[k].name;
      });
}

}  // namespace
}  // namespace skinlight::stability
