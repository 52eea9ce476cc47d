// Exact normals under dual quaternion skinning beside the approximation of [TPS14 Sec. 4.5], on the table of
// [numerics 5] and on real characters, where smooth weights belong to the exact derivative [numerics 9].
#include <algorithm>

#include "repro/beyond/beyond.h"
#include "repro/runner/judgement.h"
#include "repro/study/exact.h"

namespace skinlight::repro {

namespace {

constexpr SkinOptions kStandard = {.method = Method::dqs, .mode = NormalMode::standard};
constexpr SkinOptions kPaper = {.method = Method::dqs, .mode = NormalMode::deform};
constexpr SkinOptions kExact = {.method = Method::dqs, .mode = NormalMode::exact};
constexpr SkinOptions kSmoothed = {.method = Method::dqs, .mode = NormalMode::smoothed};
constexpr SkinOptions kLbs = {.method = Method::lbs, .mode = NormalMode::standard};
constexpr const char* kLbsWords = "linear blend skinning with standard normals, on its own surface";
constexpr const char* kStandardWords = "standard normals";
constexpr const char* kPaperWords = "the paper's approximation";

// Ratios to the standard mean. An independent prototype, which welded by position and replaced authored
// normals, so that hard edges vanished, found for standard, paper's, exact, smooth weights in degrees: fox
// 3.6/4.3/4.7/2.9, Formal 3.3/1.9/2.0/1.2, man 4.1/1.6/1.4/.83, wolf 2.1/1.6/1.5/.91, T. rex 4.7/3.1/3.1/1.7,
// raptor 4.1/3.3/3.4/1.9.
struct ModelFigures {
  const char* model;
  double paper, exact, smoothed;
  const char* degrees;
};
constexpr ModelFigures kModels[] = {{"fox", 1.052, 1.143, .601, "4.18, 4.39, 4.77, 2.51"},
                                    {"quaternius-formal", .764, .819, .453, "3.88, 2.97, 3.18, 1.76"},
                                    {"cesium-man", .485, .459, .360, "4.01, 1.95, 1.84, 1.44"},
                                    {"quaternius-wolf", .902, .909, .572, "2.47, 2.23, 2.24, 1.41"},
                                    {"trex", .743, .760, .435, "5.72, 4.25, 4.35, 2.49"},
                                    {"velociraptor", .906, .934, .509, "4.78, 4.33, 4.47, 2.43"},
                                    {"xr-hand-poses", .459, .471, .264, "1.27, .58, .60, .33"}};

double largest_exact(const Results& r) {
  double worst = 0;
  for (const char* body : {kTube, kCuboid})
    for (const MotionKind kind : {MotionKind::twist, MotionKind::bend})
      worst = std::max(worst, largest(r, body, kind, "exact", TableFigure::max));
  return worst;
}

std::vector<Claim> claims() {
  std::vector<Claim> all = {
      {.name = "exact_max",
       .statement =
           "With exact weight gradients nothing is left: largest error in degrees on tube and cuboid, "
           "all motions",
       .expected = 1e-3,
       .bound = Bound::at_most,
       .value = largest_exact,
       .why = "Rounding in double. The truth differentiates the blended motion by the complex step."},
      {.name = "standard_exact_on_twist",
       .statement = "Standard normals are exact on a twisted tube: largest error in degrees",
       .expected = 1e-3,
       .bound = Bound::at_most,
       .value =
           [](const Results& r) {
             return largest(r, kTube, MotionKind::twist, "standard", TableFigure::max);
           },
       .why = "Every cross-section turns in its plane about the axis."},
      {.name = "standard_wrong_on_twisted_cuboid",
       .statement = "But not on a twisted cuboid: largest mean error in degrees, twists of 60 to 170",
       .expected = 2,
       .bound = Bound::at_least,
       .value =
           [](const Results& r) {
             return largest(r, kCuboid, MotionKind::twist, "standard", TableFigure::mean);
           },
       .why = "The zeros of the tube are its symmetry: flat sides become helicoids, whose normals lean along "
              "the axis."},
  };
  const auto add = [&](MotionKind kind, int degrees, double expected, const char* method, const char* words,
                       double unit = 0.1) {
    all.push_back(prototype_claim({kind, degrees}, method, words, expected, unit));
  };
  constexpr MotionKind kTwist = MotionKind::twist, kBend = MotionKind::bend;
  add(kTwist, 60, 2.5, "lbs-standard", kLbsWords);
  add(kTwist, 120, 9.1, "lbs-standard", kLbsWords);
  add(kTwist, 170, 15, "lbs-standard", kLbsWords, 1);
  add(kBend, 30, 2.1, "lbs-standard", kLbsWords);
  add(kBend, 60, 4.6, "lbs-standard", kLbsWords);
  add(kBend, 90, 8, "lbs-standard", kLbsWords, 1);
  add(kBend, 30, 2.0, "standard", kStandardWords);
  add(kBend, 60, 4.1, "standard", kStandardWords);
  add(kBend, 90, 6.7, "standard", kStandardWords);
  add(kTwist, 60, 2.4, "paper", kPaperWords);
  add(kTwist, 120, 7.9, "paper", kPaperWords);
  add(kTwist, 170, 11.7, "paper", kPaperWords);
  add(kBend, 30, .30, "paper", kPaperWords, .01);
  add(kBend, 60, .94, "paper", kPaperWords, .01);
  add(kBend, 90, 1.9, "paper", kPaperWords);
  all.push_back(prototype_maxima_claim({{{kTwist, 60}, "lbs-standard", 6.8, .1},
                                        {{kTwist, 120}, "lbs-standard", 24.5, .1},
                                        {{kTwist, 170}, "lbs-standard", 40, 1},
                                        {{kBend, 30}, "lbs-standard", 11, 1},
                                        {{kBend, 60}, "lbs-standard", 29, 1},
                                        {{kBend, 90}, "lbs-standard", 67, 1},
                                        {{kBend, 30}, "standard", 9.5, .1},
                                        {{kBend, 60}, "standard", 23, 1},
                                        {{kBend, 90}, "standard", 44, 1},
                                        {{kTwist, 60}, "paper", 6.6, .1},
                                        {{kTwist, 120}, "paper", 21.3, .1},
                                        {{kTwist, 170}, "paper", 31.5, .1},
                                        {{kBend, 30}, "paper", 1.7, .1},
                                        {{kBend, 60}, "paper", 6.4, .1},
                                        {{kBend, 90}, "paper", 12.8, .1}}));
  for (const ModelFigures& m : kModels) {
    const std::string seen =
        std::string(" Standard, paper's, exact, smooth weights: ") + m.degrees + " degrees here.";
    all.push_back(model_claim({m.model, "paper", "standard",
                               "mean error of the paper's approximation over that of standard normals",
                               m.paper, kCoarse + seen}));
    all.push_back(model_claim({m.model, "exact", "standard",
                               "mean error of the exact derivative over that of standard normals", m.exact,
                               kCoarse + seen}));
    all.push_back(
        model_claim({m.model, "smoothed", "standard",
                     "mean error of the exact derivative at smooth weights over that of standard normals",
                     m.smoothed, kAveraged + seen}));
  }
  all.push_back(gpu_claim());
  return all;
}

}  // namespace

Experiment beyond_exact_dqs() {
  Experiment e =
      exact_experiment({.methods = {{"standard", "standard normals", kStandard},
                                    {"paper", "the paper's approximation", kPaper},
                                    {"exact", "exact derivative", kExact},
                                    {"smoothed", "exact, smooth weights", kSmoothed}},
                        .table = {{"lbs-standard", "LBS, standard normals", kLbs, true},
                                  {"standard", "standard normals", kStandard, true},
                                  {"paper", "the paper's approximation", kPaper, true},
                                  {"exact", "exact derivative", kExact, true}},
                        .shown = {"standard", "paper", "exact"},
                        .shown_on_models = {"standard", "paper", "smoothed"},
                        .drawn = {{MotionKind::twist, 170}},  // the others are in tarini2014/fig8_dqs
                        .models = {fox(), formal({}), cesium_man(), wolf(), trex(), velociraptor(), hand()},
                        .frames = {{"fox", "fox", "Run", 0.6},
                                   {"formal", "quaternius-formal", "Run", 0.5},
                                   {"man", "cesium-man", "clip 0", 0.75},
                                   {"wolf", "quaternius-wolf", "AnimalArmature|Gallop", 0.27},
                                   {"trex", "trex", "Armature|TRex_Run", 0.45},
                                   {"velociraptor", "velociraptor", "Armature|Velociraptor_Run", 0.27},
                                   {"hand", "xr-hand-poses", "Grip", 1.0}}});
  e.id = "beyond/exact_dqs";
  e.paper = "Beyond Tarini, Panozzo, Sorkine-Hornung 2014, Sec. 4.5";
  e.title = "Exact normals under dual quaternion skinning";
  e.says =
      "The paper serves dual quaternion skinning by an approximation: rigid motions of the bones stand in "
      "for "
      "the derivative of their blend. The same deform factors give the exact derivative. On coarse meshes "
      "its "
      "gain shows when it is taken at weights averaged over the one-ring.";
  e.claims = claims();
  return e;
}

}  // namespace skinlight::repro
