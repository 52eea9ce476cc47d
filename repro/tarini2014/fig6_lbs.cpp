// [TPS14 Fig. 6]: frames of animations with linear blend skinning, beside the ground truth.
#include "repro/runner/judgement.h"
#include "repro/study/frames.h"
#include "repro/study/insets.h"
#include "skinlight/samples/characters.h"

namespace skinlight::repro::tarini2014::fig6_lbs {

namespace {

// Seen from near.
const std::vector<FrameCase> kNear = {{"body_crouch", "body", "crouch"},
                                      {"formal_roll", "quaternius-formal", "Roll", 0.6},
                                      {"man_1", "cesium-man", "clip 0", 0.25}};

std::vector<Finding> findings() {
  std::vector<Finding> all;
  for (const char* rig : {"body", "quaternius-formal", "cesium-man"}) {
    all.push_back(ratio_finding(rig, Truth::transported));
    all.push_back(ratio_finding(rig, Truth::recomputed));
    all.push_back(not_better_finding(rig));
  }
  for (const char* model : {"quaternius-formal", "cesium-man"}) all.push_back(alike_finding(model));
  for (const FrameCase& frame : kNear) add_inset_findings(frame, all);
  all.push_back(gpu_finding());
  return all;
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Fig. 6";
  e.title = "Characters with linear blend skinning";
  e.says =
      "Frames of an animation with linear blend skinning: standard method, deform factors, ground truth. "
      "Deform factors come much closer to the truth. "
      "The truth here is each rest normal carried along by the posed triangles around its vertex, which keeps authored normals; the paper's, recomputed from the posed triangles, is measured too.";
  e.rigs = {{"body", "body", 0, branching_body}};
  std::vector<FrameCase> frames;
  for (const NamedPose& pose : branching_body_poses()) {
    e.poses.push_back({pose.name, [pose] { return pose.pose; }});
    frames.push_back({"body_" + pose.name, "body", pose.name});
  }
  e.methods = standard_and_deform(4);
  e.npy_rig = "body";
  e.models = {formal({"Walk", "Run", "Roll", "Kick_Left"}), cesium_man()};
  frames.push_back({"formal_walk", "quaternius-formal", "Walk", 0.4});
  frames.push_back({"formal_kick", "quaternius-formal", "Kick_Left", 0.5});
  frames.push_back({"formal_roll", "quaternius-formal", "Roll", 0.6});
  for (const auto& [stem, seconds] :
       {std::pair("man_1", 0.25), std::pair("man_2", 0.75), std::pair("man_3", 1.25)})
    frames.push_back({stem, "cesium-man", "clip 0", seconds});
  e.recompute_rest_normals = true;
  e.pictures = with_truth(frames);
  e.shot = {.view = {.towards_eye = {0.35, -1, 0.15}, .up = {0, 0, 1}}, .width = 300, .height = 360};
  e.extra = [e](Workbench& bench) { draw_insets(e, kNear, bench); };
  e.findings = findings();
  e.video = {through_poses("procedural body", "body", branching_body_poses()),
             {.title = "quaternius-formal, Kick_Left", .subject = "quaternius-formal", .clip = "Kick_Left"},
             {.title = "cesium-man", .subject = "cesium-man", .clip = "clip 0"}};
  return e;
}

}  // namespace skinlight::repro::tarini2014::fig6_lbs
