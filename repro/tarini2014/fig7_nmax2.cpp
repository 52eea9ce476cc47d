// [TPS14 Fig. 7]: characters with at most two influences per vertex.
#include "repro/runner/judgement.h"
#include "repro/study/frames.h"
#include "repro/study/insets.h"
#include "skinlight/samples/characters.h"

namespace skinlight::repro::tarini2014::fig7_nmax2 {

namespace {

constexpr int kInfluences = 2;

ModelCase limited(ModelCase model) {
  model.max_influences = kInfluences;
  return model;
}

// Seen from near.
const std::vector<FrameCase> kNear = {{"cactus_dance", "cactus", "dance"},
                                      {"quaternius_jump", "quaternius-cactus", "Jump", 0.25},
                                      {"fox_survey", "fox", "Survey", 1.5}};

std::vector<Finding> findings() {
  std::vector<Finding> all;
  for (const char* rig : {"cactus", "quaternius-cactus", "fox"}) {
    all.push_back(ratio_finding(rig, Truth::transported));
    all.push_back(ratio_finding(rig, Truth::recomputed));
    all.push_back(not_better_finding(rig));
  }
  for (const char* model : {"quaternius-cactus", "fox"}) all.push_back(alike_finding(model));
  for (const FrameCase& frame : kNear) add_inset_findings(frame, all);
  all.push_back({"fox_survey_lines_ratio", [](const Results& r) {
                   return r.value("fox_survey_lines_deform") / r.value("fox_survey_lines_standard");
                 }});
  all.push_back(gpu_finding());
  return all;
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Fig. 7";
  e.title = "A simple character with two influences per vertex";
  e.says =
      "A simple character with at most two influences per vertex, in an animation with linear blend skinning: standard method, deform factors, ground truth. "
      "Beside a cactus made from formulas, a real one and a fox, both limited to two influences and two slots of deform factors.";
  e.rigs = {{"cactus", "cactus", 0, cactus}};
  std::vector<FrameCase> frames;
  for (const NamedPose& pose : cactus_poses()) {
    e.poses.push_back({pose.name, [pose] { return pose.pose; }});
    frames.push_back({"cactus_" + pose.name, "cactus", pose.name});
  }
  e.methods = standard_and_deform(kInfluences);
  e.npy_rig = "cactus";
  e.models = {limited(quaternius_cactus()), limited(fox())};
  e.recompute_rest_normals = true;
  frames.push_back({"quaternius_dance", "quaternius-cactus", "Dance", 0.3});
  frames.push_back({"quaternius_death", "quaternius-cactus", "Death", 0.4});
  frames.push_back({"quaternius_jump", "quaternius-cactus", "Jump", 0.25});
  frames.push_back({"fox_survey", "fox", "Survey", 1.5});
  frames.push_back({"fox_walk", "fox", "Walk", 0.35});
  frames.push_back({"fox_run", "fox", "Run", 0.6});
  e.pictures = with_truth(frames);
  e.shot = {.view = {.towards_eye = {0.35, -1, 0.15}, .up = {0, 0, 1}}, .width = 300, .height = 340};
  e.extra = [e](Workbench& bench) { draw_insets(e, kNear, bench); };
  e.findings = findings();
  e.video = {through_poses("procedural cactus, two influences", "cactus", cactus_poses()),
             {.title = "quaternius-cactus, Dance", .subject = "quaternius-cactus", .clip = "Dance"},
             {.title = "fox, Run", .subject = "fox", .clip = "Run"}};
  return e;
}

}  // namespace skinlight::repro::tarini2014::fig7_nmax2
