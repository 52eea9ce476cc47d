// [TPS14 Fig. 1]: a low-poly, normal-mapped skirt in four poses, lit through the skinned tangent frames.
#include "repro/runner/judgement.h"
#include "repro/study/frames.h"
#include "repro/study/insets.h"
#include "skinlight/render/normal_map.h"
#include "skinlight/samples/skirt.h"

namespace skinlight::repro::tarini2014::fig1_skirt {

namespace {

// Seen from near.
const std::vector<FrameCase> kNear = {{"skirt_twirl", "skirt", "twirl"},
                                      {"skirt_step_left", "skirt", "step_left"},
                                      {"formal_roll", "quaternius-formal", "Roll", 0.4}};

std::vector<Finding> findings() {
  std::vector<Finding> all = {
      {"skirt_standard_mean",
       [](const Results& r) { return mean_error(r, "skirt", "standard", Truth::transported); }},
      ratio_finding("skirt", Truth::transported),
      ratio_finding("skirt", Truth::recomputed),
      not_better_finding("skirt"),
      ratio_finding("quaternius-formal", Truth::transported),
      ratio_finding("quaternius-formal", Truth::recomputed),
      not_better_finding("quaternius-formal"),
      gpu_finding()};
  for (const FrameCase& frame : kNear) add_inset_findings(frame, all);
  return all;
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Fig. 1";
  e.title = "A low-poly skirt under a normal map";
  e.says =
      "A low-poly, normal-mapped model in an animation. "
      "With the standard method, normals are so inaccurate that the skirt looks flat; with deform factors the light shows its shape. "
      "Its lowest row is the difference of the normals; here it is how far each is off the truth. "
      "Here the skirt is made from formulas, with pleats in a tangent-space map whose uv is mirrored on one half; per pixel the skinned frame is made orthonormal around its normal. "
      "The real character wears the colours of its file; it has no normal map and is lit without one.";
  e.rigs = {{"skirt", "skirt", 0, skirt, [] { return make_normal_map(256, 256, pleat_normal); }}};
  for (const NamedPose& pose : skirt_poses()) e.poses.push_back({pose.name, [pose] { return pose.pose; }});
  e.methods = standard_and_deform(4);
  e.npy_rig = "skirt";
  e.models = {formal({"Walk", "Run", "Roll"})};
  e.shot = {.view = {.towards_eye = {0.25, -1, 0.28}, .up = {0, 0, 1}}, .width = 300, .height = 300};
  e.extra = [e](Workbench& bench) { draw_insets(e, kNear, bench); };
  e.findings = findings();
  e.video.push_back(through_poses("skirt under a normal map", "skirt", skirt_poses()));
  for (const char* clip : {"Walk", "Run", "Roll"})
    e.video.push_back(
        {.title = std::string("quaternius-formal, ") + clip, .subject = "quaternius-formal", .clip = clip});
  return e;
}

}  // namespace skinlight::repro::tarini2014::fig1_skirt
