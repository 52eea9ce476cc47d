// Exact normals under dual quaternion skinning beside the approximation of [TPS14 Sec. 4.5], on tube and
// cuboid and on real characters, where smooth weights belong to the exact derivative.
#include <algorithm>

#include "repro/runner/judgement.h"
#include "repro/study/exact.h"

namespace skinlight::repro::beyond::exact_dqs {

namespace {

constexpr SkinOptions kStandard = {.method = Method::dqs, .mode = NormalMode::standard};
constexpr SkinOptions kPaper = {.method = Method::dqs, .mode = NormalMode::deform};
constexpr SkinOptions kExact = {.method = Method::dqs, .mode = NormalMode::exact};
constexpr SkinOptions kSmoothed = {.method = Method::dqs, .mode = NormalMode::smoothed};
constexpr SkinOptions kLbs = {.method = Method::lbs, .mode = NormalMode::standard};
constexpr const char* kModels[] = {"fox",  "quaternius-formal", "cesium-man",   "quaternius-wolf",
                                   "trex", "velociraptor",      "xr-hand-poses"};

double largest_exact(const Results& r) {
  double worst = 0;
  for (const char* body : {kTube, kCuboid})
    for (const MotionKind kind : {MotionKind::twist, MotionKind::bend})
      worst = std::max(worst, largest(r, body, kind, "exact", TableFigure::max));
  return worst;
}

std::vector<Finding> findings() {
  std::vector<Finding> all = {
      {"exact_max", largest_exact},
      {"standard_exact_on_twist",
       [](const Results& r) { return largest(r, kTube, MotionKind::twist, "standard", TableFigure::max); }},
      {"standard_wrong_on_twisted_cuboid",
       [](const Results& r) {
         return largest(r, kCuboid, MotionKind::twist, "standard", TableFigure::mean);
       }},
  };
  const TubeMotion twists[] = {{MotionKind::twist, 60}, {MotionKind::twist, 120}, {MotionKind::twist, 170}},
                   bends[] = {{MotionKind::bend, 30}, {MotionKind::bend, 60}, {MotionKind::bend, 90}};
  for (const TubeMotion& twist : twists) all.push_back(tube_finding(twist, "lbs-standard"));
  for (const TubeMotion& bend : bends) all.push_back(tube_finding(bend, "lbs-standard"));
  for (const TubeMotion& bend : bends) all.push_back(tube_finding(bend, "standard"));
  for (const TubeMotion& twist : twists) all.push_back(tube_finding(twist, "paper"));
  for (const TubeMotion& bend : bends) all.push_back(tube_finding(bend, "paper"));
  all.push_back(maxima_finding({{twists[0], "lbs-standard", 6.8, .1},
                                {twists[1], "lbs-standard", 24.5, .1},
                                {twists[2], "lbs-standard", 40, 1},
                                {bends[0], "lbs-standard", 11, 1},
                                {bends[1], "lbs-standard", 29, 1},
                                {bends[2], "lbs-standard", 67, 1},
                                {bends[0], "standard", 9.5, .1},
                                {bends[1], "standard", 23, 1},
                                {bends[2], "standard", 44, 1},
                                {twists[0], "paper", 6.6, .1},
                                {twists[1], "paper", 21.3, .1},
                                {twists[2], "paper", 31.5, .1},
                                {bends[0], "paper", 1.7, .1},
                                {bends[1], "paper", 6.4, .1},
                                {bends[2], "paper", 12.8, .1}}));
  for (const char* model : kModels)
    for (const char* method : {"paper", "exact", "smoothed"})
      all.push_back(model_finding(model, method, "standard"));
  all.push_back(gpu_finding());
  return all;
}

}  // namespace

Experiment make() {
  Experiment e =
      exact_experiment({.methods = {{"standard", "standard normals", kStandard},
                                    {"paper", "the paper's approximation", kPaper},
                                    {"exact", "exact derivative", kExact},
                                    {"smoothed", "exact, smooth weights", kSmoothed}},
                        .table = {{"lbs-standard", "LBS, standard normals", kLbs, kExactGradients},
                                  {"standard", "standard normals", kStandard, kExactGradients},
                                  {"paper", "the paper's approximation", kPaper, kExactGradients},
                                  {"exact", "exact derivative", kExact, kExactGradients}},
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
  e.builds_on = {"tarini2014"};
  e.place = "Sec. 4.5";
  e.title = "Exact normals under dual quaternion skinning";
  e.says =
      "The paper serves dual quaternion skinning by an approximation: rigid motions of the bones stand in for the derivative of their blend. "
      "The same deform factors give the exact derivative. "
      "On coarse meshes its gain shows when it is taken at weights averaged over the one-ring.";
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::beyond::exact_dqs
