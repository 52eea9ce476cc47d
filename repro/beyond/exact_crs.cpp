// Exact normals under optimised centres of rotation, with and without the gradient of the centre.
#include <algorithm>

#include "repro/runner/judgement.h"
#include "repro/study/exact.h"

namespace skinlight::repro::beyond::exact_crs {

namespace {

constexpr SkinOptions kStandard = {.method = Method::crs, .mode = NormalMode::standard};
constexpr SkinOptions kFixed = {.method = Method::crs, .mode = NormalMode::exact_fixed_centre};
constexpr SkinOptions kExact = {.method = Method::crs, .mode = NormalMode::exact};
constexpr SkinOptions kSmoothed = {.method = Method::crs, .mode = NormalMode::smoothed};
constexpr TubeMotion kBend30{MotionKind::bend, 30}, kBend60{MotionKind::bend, 60},
    kBend90{MotionKind::bend, 90};

constexpr const char* kModels[] = {"quaternius-wolf", "trex", "velociraptor", "quaternius-formal",
                                   "xr-hand-poses"};

auto rest_mean(const TubeMotion& motion, const char* method) {
  return [=](const Results& r) { return table(r, kTube, motion, method, TableFigure::rest_mean); };
}

// The share of the standard error that stays when centres are held, at the worse of two bends.
double share_left(const Results& r) {
  double worst = 0;
  for (const TubeMotion& bend : {kBend30, kBend60})
    worst = std::max(worst, rest_mean(bend, "fixed")(r) / rest_mean(bend, "standard")(r));
  return worst;
}

double largest_exact(const Results& r) {
  double worst = 0;
  for (const char* body : {kTube, kCuboid}) {
    worst = std::max(worst, largest(r, body, MotionKind::twist, "exact", TableFigure::max));
    for (const TubeMotion& bend : {kBend30, kBend60})
      worst = std::max(worst, table(r, body, bend, "exact", TableFigure::max));
  }
  return worst;
}

double mean_exact_bend_90(const Results& r) {
  return std::max(table(r, kTube, kBend90, "exact", TableFigure::mean),
                  table(r, kCuboid, kBend90, "exact", TableFigure::mean));
}

std::vector<Finding> findings() {
  std::vector<Finding> all = {
      {"exact_max", largest_exact},
      {"exact_mean_bend_90", mean_exact_bend_90},
      {"standard_exact_on_twist",
       [](const Results& r) { return largest(r, kTube, MotionKind::twist, "standard", TableFigure::max); }},
      {"standard_wrong_on_twisted_cuboid",
       [](const Results& r) {
         return largest(r, kCuboid, MotionKind::twist, "standard", TableFigure::mean);
       }},
      tube_finding(kBend30, "standard"),
      tube_finding(kBend60, "standard"),
      tube_finding(kBend90, "standard"),
      tube_finding(kBend30, "fixed"),
      tube_finding(kBend60, "fixed"),
      tube_finding(kBend90, "fixed"),
      {"centres_held", share_left},
      {"exact_order", [](const Results& r) { return order(r, "exact"); }},
      {"centres_held_stall",
       [](const Results& r) {
         const auto rms = [&](const char* rig) {
           return r.error(rig, "bend_60", "fixed", Truth::analytic).rms;
         };
         return rms("cylinder_96") / rms("cylinder_48");
       }},
  };
  for (const char* model : kModels)
    for (const char* method : {"exact", "smoothed"}) all.push_back(model_finding(model, method, "standard"));
  // None at 90 degrees, where the inner side has collapsed.
  all.push_back(maxima_finding({{kBend30, "standard", 9.3, .1},
                                {kBend60, "standard", 23, 1},
                                {kBend30, "fixed", .4, .1},
                                {kBend60, "fixed", 5.0, .1}}));
  all.push_back(gpu_finding());
  return all;
}

}  // namespace

Experiment make() {
  Experiment e =
      exact_experiment({.methods = {{"standard", "standard normals", kStandard},
                                    {"fixed", "centres held", kFixed},
                                    {"exact", "exact derivative", kExact},
                                    {"smoothed", "exact, smooth weights", kSmoothed}},
                        .table = {{"standard", "standard normals", kStandard, kExactGradients},
                                  {"fixed", "centres held", kFixed, kExactGradients},
                                  {"exact", "exact derivative", kExact, kExactGradients}},
                        .shown = {"standard", "fixed", "exact"},
                        .shown_on_models = {"standard", "smoothed"},
                        .drawn = {{MotionKind::bend, 60}, {MotionKind::bend, 90}},
                        .models = {wolf(), trex(), velociraptor(), formal({}), hand()},
                        .frames = {{"wolf", "quaternius-wolf", "AnimalArmature|Gallop", 0.27},
                                   {"trex", "trex", "Armature|TRex_Run", 0.45},
                                   {"velociraptor", "velociraptor", "Armature|Velociraptor_Run", 0.27},
                                   {"formal", "quaternius-formal", "Run", 0.5},
                                   {"hand", "xr-hand-poses", "Grip", 1.0}}});
  e.builds_on = {"le2016", "bittner2019"};
  e.title = "Exact normals under optimised centres of rotation";
  e.says =
      "Skinning about centres of rotation is published with standard normals. "
      "The deform factors of [TPS14] and, per vertex, how its centre changes along the surface give the exact tangents: t' = R (t0 - dC) + w x R (p0 - C) + sum alpha_s (M_s C - M_0 C) + T dC.";
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::beyond::exact_crs
