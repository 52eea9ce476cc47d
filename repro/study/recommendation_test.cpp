#include "repro/study/recommendation.h"

#include <gtest/gtest.h>

namespace skinlight::repro {
namespace {

constexpr NormalMode kStandard = NormalMode::standard, kDeform = NormalMode::deform,
                     kVectors = NormalMode::deform_vectors;

MeasuredWay way(NormalMode mode, double mean, Guard guard = Guard::none) {
  MeasuredWay measured;
  measured.options.mode = mode;
  measured.options.guard.guard = guard;
  measured.mean = mean;
  return measured;
}

std::optional<Recommendation> of(std::vector<MeasuredWay> ways) { return recommend(ways); }

TEST(Recommendation, IsTheBestOfWhatBakeWrites) {
  const auto fox = of({way(kStandard, 3.89), way(kDeform, 4.30), way(kVectors, .42)});
  EXPECT_EQ(fox->choice.mode, kVectors);
  EXPECT_EQ(sentence(*fox),
            "deform-vectors takes the error of normals from 3.89 (standard) to 0.42 degrees on average.");
  EXPECT_EQ(of({way(kStandard, 3), way(kDeform, 3.5)})->choice.mode, kStandard);
  // Normals that bake does not write are no choice.
  EXPECT_EQ(of({way(kStandard, 3), way(NormalMode::smoothed, 2), way(NormalMode::exact, .1)})->choice.mode,
            NormalMode::smoothed);
  EXPECT_FALSE(of({way(kDeform, 1), way(kVectors, .1)}));
  EXPECT_FALSE(of({way(kStandard, 1, Guard::test_then_fix)}));
}

// Under methods that blend rotations: their own kinds, and the exact derivative by the same factors.
TEST(Recommendation, KnowsTheNormalsOfTheMethod) {
  const auto by = [](Method method, NormalMode mode, double mean) {
    MeasuredWay measured = way(mode, mean);
    measured.options.method = method;
    return measured;
  };
  const auto recommended = [&](Method method, double exact, double smoothed, double frames) {
    return of({by(method, NormalMode::smoothed, smoothed), by(method, kStandard, 4),
               by(method, NormalMode::deform_frames, frames), by(method, NormalMode::exact, exact)});
  };
  const auto fox = recommended(Method::dqs, 4.3, 2.5, .7);
  EXPECT_EQ(fox->choice.mode, NormalMode::deform_frames);
  EXPECT_EQ(next_command(*fox, "fox.glb"),
            "skinlight bake fox.glb -o fox_baked.glb --normals deform-frames --method dqs");
  const auto dense = recommended(Method::dqs, .3, .31, .29);  // frames cost more
  EXPECT_EQ(dense->choice.mode, NormalMode::exact);
  EXPECT_EQ(next_command(*dense, "a.glb"),
            "skinlight bake a.glb -o a_baked.glb --normals deform --method dqs");
  EXPECT_EQ(next_command(*recommended(Method::crs, 4.3, 2.5, .7), "fox.glb"), "");
  EXPECT_EQ(next_command(*recommended(Method::crs, .3, .3, .3), "a.glb"),
            "skinlight bake a.glb -o a_baked.glb --normals deform --method crs");
  EXPECT_EQ(modes_by_cost(Method::lbs), (std::vector{kStandard, kDeform, NormalMode::smoothed, kVectors}));
  // The paper's approximation is a kind of its own under dual quaternions, and all kinds have to be measured.
  std::vector<MeasuredWay> ways = {by(Method::dqs, kStandard, 4), by(Method::dqs, NormalMode::exact, 4),
                                   by(Method::dqs, NormalMode::smoothed, 2.5),
                                   by(Method::dqs, NormalMode::deform_frames, .7)};
  EXPECT_EQ(cheapest_that_pays(ways), std::nullopt);
  ways.push_back(by(Method::dqs, kDeform, 4.2));
  EXPECT_EQ(cheapest_that_pays(ways), NormalMode::deform_frames);
}

TEST(Recommendation, TakesTheCheaperOneOfWhatIsAsGood) {
  for (const double best : {.1, 5.}) {
    const double bound = std::max(best * (1 + kAsGood), best + kAsGoodDegrees);
    const double margin = .01 * (bound - best);
    EXPECT_EQ(of({way(kVectors, best), way(kStandard, 9), way(kDeform, bound - margin)})->choice.mode,
              kDeform);
    EXPECT_EQ(of({way(kVectors, best), way(kStandard, 9), way(kDeform, bound + margin)})->choice.mode,
              kVectors);
    EXPECT_EQ(of({way(kVectors, best), way(kStandard, bound - margin)})->choice.mode, kStandard);
  }
}

std::optional<NormalMode> pays(double standard, double deform, double smoothed, double vectors) {
  const MeasuredWay ways[] = {way(kVectors, vectors), way(NormalMode::smoothed, smoothed),
                              way(kStandard, standard), way(kDeform, .01, Guard::test_then_fix),
                              way(kDeform, deform)};
  return cheapest_that_pays(ways);
}

// Of 3.2 degrees that the best kind takes away, four fifths are 2.56.
TEST(Recommendation, TheCheapestThatPaysTakesFourFifthsOfTheBestGain) {
  EXPECT_EQ(pays(4, 1.43, 1, .8), kDeform);
  EXPECT_EQ(pays(4, 1.45, 1, .8), NormalMode::smoothed);
  EXPECT_EQ(pays(4, 1.45, 1.45, .8), kVectors);
  // A kind that is worse than standard normals takes nothing away.
  EXPECT_EQ(pays(1, 2, .9, .2), kVectors);
  EXPECT_EQ(pays(.99 * kSlightDegrees, 0, 0, 0), std::nullopt);
  EXPECT_EQ(pays(1.01 * kSlightDegrees, 0, 0, 0), kDeform);
  EXPECT_EQ(pays(1, 2, 2, 1), std::nullopt);
  const MeasuredWay few[] = {way(kStandard, 4), way(kDeform, 1)};
  EXPECT_EQ(cheapest_that_pays(few), std::nullopt);
}

TEST(Recommendation, NamesAGuardOnlyWhereItHelps) {
  const double enough = 1 - kGuardGain;
  const auto with = [&](double mean) {
    return of({way(kStandard, 3), way(kDeform, 1), way(kDeform, mean, Guard::test_then_fix)});
  };
  EXPECT_FALSE(with(enough * 1.001)->guarded);
  EXPECT_FALSE(with(1.2)->guarded);
  ASSERT_TRUE(with(enough * .999)->guarded);
  EXPECT_EQ(with(.5)->guarded->guard.guard, Guard::test_then_fix);
  EXPECT_NE(sentence(*with(.5)).find("to 1.00 degrees on average, with the guard test-then-fix to 0.50."),
            std::string::npos)
      << sentence(*with(.5));
  // The guard of another kind than the one chosen says nothing of it.
  EXPECT_FALSE(
      of({way(kStandard, 3), way(kVectors, .1), way(kDeform, 1), way(kDeform, .05, Guard::test_then_fix)})
          ->guarded);
}

TEST(Recommendation, SaysNothingWhereNothingThatBakeWritesWasMeasured) {
  EXPECT_FALSE(of({way(kStandard, 3)}));
  EXPECT_FALSE(of({way(kStandard, 3), way(NormalMode::cofactors, 1)}));
}

TEST(Recommendation, NamesTheCommandToRunNext) {
  const auto good = of({way(kStandard, 3), way(kDeform, 1)});
  EXPECT_EQ(next_command(*good, "a/hero.glb"),
            "skinlight bake a/hero.glb -o a/hero_baked.glb --normals deform");
  EXPECT_EQ(next_command(*good, "hero.GLTF"), "skinlight bake hero.GLTF -o hero_baked.gltf --normals deform");
  EXPECT_EQ(next_command(*good, "hero.vrm"), "skinlight bake hero.vrm -o hero_baked.vrm --normals deform");
  EXPECT_EQ(next_needs(*good, "hero.vrm"), "");
  // bake reads nothing but glTF.
  EXPECT_EQ(next_command(*good, "a/hero.fbx"),
            "skinlight bake a/hero.glb -o a/hero_baked.glb --normals deform");
  EXPECT_EQ(next_needs(*good, "a/hero.fbx"), "the model as glTF, a/hero.glb");
  EXPECT_EQ(next_needs(*of({way(kStandard, 3), way(kDeform, 3)}), "hero.fbx"), "");
  EXPECT_EQ(next_command(*good, "it's me.glb"),
            "skinlight bake 'it'\\''s me.glb' -o 'it'\\''s me_baked.glb' --normals deform");
  EXPECT_EQ(next_command(*of({way(kStandard, 3), way(kDeform, 3)}), "hero.glb"), "skinlight check hero.glb");
}

TEST(Recommendation, EveryClipCountsAlike) {
  const std::vector<SkinOptions> ways(2);
  std::vector<ClipError> clips(2);
  const double means[2][2] = {{1, 10}, {4, 30}};
  for (std::size_t clip = 0; clip < 2; ++clip)
    for (const double mean : means[clip])
      for (const Truth truth : {Truth::transported, Truth::recomputed}) {
        ClipModeError error{.truth = truth};
        error.error.mean = truth == Truth::transported ? mean : 1000;
        clips[clip].modes.push_back(error);
      }
  const std::vector<MeasuredWay> measured = mean_errors(ways, clips);
  EXPECT_DOUBLE_EQ(measured[0].mean, 2.5);
  EXPECT_DOUBLE_EQ(measured[1].mean, 20);
}

}  // namespace
}  // namespace skinlight::repro
