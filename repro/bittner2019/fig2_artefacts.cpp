// [BTGM19 Fig. 2]: candy wrapper and elbow collapse under LBS, bulge under DQS.
#include <cmath>
#include <string>

#include "repro/bittner2019/bittner2019.h"
#include "repro/runner/csv.h"
#include "repro/runner/judgement.h"
#include "repro/study/posed_shape.h"
#include "skinlight/core/angle.h"

namespace skinlight::repro {

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
  bench.write_table("artefacts.csv",
                    "Area of the section at the joint, twisted by 180 or bent by 120 degrees, over that at "
                    "rest; by how many radii the bent skin gets farther from the skeleton",
                    table);
}

void compute(Workbench& bench) {
  const RigCase rig_case = limb_case();
  const PreparedRig rig(rig_case.make(), bench.threads);
  const Subject subject = subject_of(rig, rig_case);
  const Stage stage(subject, bench);
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

std::vector<Claim> claims() {
  return {
      {.name = "candywrapper",
       .statement = "Candy wrapper (LBS, twist of 180 degrees): area of the section at the joint, over that "
                    "at rest",
       .expected = 1e-12,
       .bound = Bound::at_most,
       .value = value_of("twist_lbs"),
       .why = "cos^2(90 degrees) = 0."},
      {.name = "elbow_collapse",
       .statement = "Elbow collapse (LBS, bend of 120 degrees): area of the section at the joint, over that "
                    "at rest",
       .expected = 0.5,
       .tolerance = 1e-9,
       .value = value_of("bend_lbs"),
       .why = "cos(120 / 2 degrees): the section keeps its width along the hinge and loses half of its "
              "thickness."},
      {.name = "dqs_keeps",
       .statement = "DQS avoids volume loss: the smaller of both sections under DQS",
       .expected = 1,
       .tolerance = 1e-9,
       .value = [](const Results& r) { return std::fmin(r.value("twist_dqs"), r.value("bend_dqs")); },
       .why = "It turns every section as a whole."},
      {.name = "dqs_bulge",
       .statement = "but introduces new bulging artefacts: by how many radii its skin gets farther from the "
                    "skeleton at the bend",
       .expected = 0.1,
       .bound = Bound::at_least,
       .value = value_of("bulge_dqs"),
       .why = "The paper prints no number. The same shape of joint on the cuboid of Fig. 6, of half that "
              "thickness, gives 0.123 of its width."},
      {.name = "lbs_over_dqs",
       .statement = "which LBS hardly has: its bulge over that of DQS",
       .expected = 0.1,
       .bound = Bound::at_most,
       .value = [](const Results& r) { return r.value("bulge_lbs") / r.value("bulge_dqs"); },
       .why =
           "A vertex of LBS lies between where either bone takes it; beyond the joint the other bone's place "
           "may lie a little outside."},
      {.name = "crs_over_dqs",
       .statement = "CRS addresses these: its bulge over that of DQS",
       .expected = 0.5,
       .bound = Bound::at_most,
       .value = [](const Results& r) { return r.value("bulge_crs") / r.value("bulge_dqs"); },
       .why = "As on the cuboid of Fig. 6."},
      gpu_claim(),
  };
}

}  // namespace

Experiment bittner_fig2_artefacts() {
  Experiment e;
  e.id = "bittner2019/fig2_artefacts";
  e.paper = "Bittner et al. 2019, Fig. 2";
  e.title = "Candy wrapper, elbow collapse, bulge";
  e.says =
      "The artefacts of popular skinning methods on one limb: twisted under LBS it shrinks to a candy "
      "wrapper, bent under LBS its elbow collapses. DQS keeps the volume but stretches the outer side of the "
      "bend out to a bulge. CRS is shown beside it.";
  e.extra = compute;
  e.claims = claims();
  return e;
}

}  // namespace skinlight::repro
