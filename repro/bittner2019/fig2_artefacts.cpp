// [BTGM19 Fig. 2]: candy wrapper and elbow collapse under LBS, bulge under DQS.
#include <cmath>
#include <string>

#include "repro/runner/csv.h"
#include "repro/runner/judgement.h"
#include "repro/study/posed_shape.h"
#include "skinlight/core/angle.h"

namespace skinlight::repro::bittner2019::fig2_artefacts {

namespace {

constexpr int kTwist = 180, kBend = 120;
constexpr int kRegularBend = 90;  // for the GPU: the inner side does not fold

RigCase limb_case() {
  return {"limb", "cylinder", 64, [] { return cylinder({.half_length = M_PI}, {.segments = 64}); }};
}

Pose twisted() { return cylinder_twist(kTwist / kDegrees); }
Pose bent(int degrees) { return cylinder_bend(degrees / kDegrees); }

void measure(const Stage& stage, Workbench& bench) {
  const RiggedMesh& mesh = stage.mesh();
  const std::vector<BoneLine> bones = {{Vec3d(0, 0, 0), Vec3d(0, 0, M_PI), 0},
                                       {Vec3d(0, 0, -M_PI), Vec3d(0, 0, 0), 1}};
  const double rest = section_area(mesh.p0, mesh.p0, 0);
  std::string table = "method,section_twist,section_bend,bulge\n";
  auto& values = bench.results.values;
  for (const Skinning& s : kSkinnings) {
    const std::vector<Vec3d> p = stage.points(bent(kBend), s.method);
    const double twist = section_area(mesh.p0, stage.points(twisted(), s.method), 0) / rest,
                 bend = section_area(mesh.p0, p, 0) / rest, out = bulge(mesh.p0, p, bones, bent(kBend));
    values[std::string("twist_") + s.name] = twist;
    values[std::string("bend_") + s.name] = bend;
    values[std::string("bulge_") + s.name] = out;
    table += csv_row({s.name}, {twist, bend, out});
  }
  bench.write_table(
      "artefacts.csv",
      "Area of the section at the joint, twisted by 180 or bent by 120 degrees, over that at rest; by how many radii the bent skin gets farther from the skeleton",
      table);
}

void compute(Workbench& bench) {
  const Stage stage(limb_case().make(), bench);
  measure(stage, bench);
  bench.results.gpu_cpu_difference = stage.gpu_difference(bent(kRegularBend));

  bench.progress("drawing the limb");
  Shot shot{.view = {.towards_eye = {0.35, -1, 0.2}, .up = {0, 0, 1}}, .width = 240, .height = 420};
  const Pose twist[] = {twisted()}, bend[] = {bent(kBend)};
  bench.write_image("candywrapper.png", "Candy wrapper: LBS, twisted by 180 degrees",
                    stage.picture(twist[0], kSkinnings[0], stage.framing(shot, twist)));
  shot.view = {.towards_eye = {1, 0.15, 0.3}, .up = {0, 0, 1}};
  shot.width = 380;
  const Framing framing = stage.framing(shot, bend);
  const std::string labels[] = {"Elbow collapse: LBS, bent by 120 degrees", "Bulge: DQS, bent by 120 degrees",
                                "For comparison: CRS, bent by 120 degrees"};
  for (std::size_t i = 0; i < kPaperSkinnings; ++i)
    bench.write_image(std::string("bend_") + kSkinnings[i].name + ".png", labels[i],
                      stage.picture(bend[0], kSkinnings[i], framing));
}

std::vector<Finding> findings() {
  return {
      {"candywrapper", value_of("twist_lbs")},
      {"elbow_collapse", value_of("bend_lbs")},
      {"dqs_keeps", [](const Results& r) { return std::fmin(r.value("twist_dqs"), r.value("bend_dqs")); }},
      {"dqs_bulge", value_of("bulge_dqs")},
      {"lbs_over_dqs", [](const Results& r) { return r.value("bulge_lbs") / r.value("bulge_dqs"); }},
      {"crs_over_dqs", [](const Results& r) { return r.value("bulge_crs") / r.value("bulge_dqs"); }},
      gpu_finding(),
  };
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Fig. 2";
  e.title = "Candy wrapper, elbow collapse, bulge";
  e.says =
      "The artefacts of popular skinning methods on one limb: twisted under LBS it shrinks to a candy wrapper, bent under LBS its elbow collapses. "
      "DQS keeps the volume but stretches the outer side of the bend out to a bulge. "
      "CRS is shown beside it.";
  e.extra = compute;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::bittner2019::fig2_artefacts
