// [TPS14 Fig. 7]: characters with at most two influences per vertex.
#include "repro/tarini2014/frames.h"
#include "repro/tarini2014/tarini2014.h"
#include "skinlight/rig/procedural_characters.h"

namespace skinlight::repro {

namespace {

constexpr int kInfluences = 2;

ModelCase limited(ModelCase model) {
  model.max_influences = kInfluences;
  return model;
}

}  // namespace

Experiment fig7_nmax2() {
  Experiment e;
  e.id = "tarini2014/fig7_nmax2";
  e.paper = "Tarini, Panozzo, Sorkine-Hornung 2014, Fig. 7";
  e.title = "A simple character with two influences per vertex";
  e.rigs = {{"cactus", "cactus", 0, cactus}};
  std::vector<FrameCase> frames;
  for (const NamedPose& pose : cactus_poses()) {
    e.poses.push_back({pose.name, [pose] { return pose.pose; }});
    frames.push_back({"cactus_" + pose.name, "cactus", pose.name});
  }
  e.methods = standard_and_deform(kInfluences);
  e.npy_rig = "cactus";
  e.models = {limited(quaternius_cactus()), limited(fox())};
  frames.push_back({"quaternius_dance", "quaternius-cactus", "Dance", 0.3});
  frames.push_back({"quaternius_death", "quaternius-cactus", "Death", 0.4});
  frames.push_back({"quaternius_jump", "quaternius-cactus", "Jump", 0.25});
  frames.push_back({"fox_survey", "fox", "Survey", 1.5});
  frames.push_back({"fox_walk", "fox", "Walk", 0.35});
  frames.push_back({"fox_run", "fox", "Run", 0.6});
  e.pictures = with_truth(frames);
  e.shot = {.view = {.towards_eye = {0.35, -1, 0.15}, .up = {0, 0, 1}}, .width = 300, .height = 340};
  e.video = {{.title = "quaternius-cactus, Dance", .subject = "quaternius-cactus", .clip = "Dance"},
             {.title = "fox, Run", .subject = "fox", .clip = "Run"}};
  return e;
}

}  // namespace skinlight::repro
