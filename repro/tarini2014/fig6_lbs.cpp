// [TPS14 Fig. 6]: frames of animations with linear blend skinning, beside the ground truth.
#include "repro/tarini2014/frames.h"
#include "repro/tarini2014/tarini2014.h"
#include "skinlight/rig/procedural_characters.h"

namespace skinlight::repro {

Experiment fig6_lbs() {
  Experiment e;
  e.id = "tarini2014/fig6_lbs";
  e.paper = "Tarini, Panozzo, Sorkine-Hornung 2014, Fig. 6";
  e.title = "Characters with linear blend skinning";
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
  e.pictures = with_truth(frames);
  e.shot = {.view = {.towards_eye = {0.35, -1, 0.15}, .up = {0, 0, 1}}, .width = 300, .height = 360};
  e.video = {{.title = "quaternius-formal, Kick_Left", .subject = "quaternius-formal", .clip = "Kick_Left"},
             {.title = "cesium-man", .subject = "cesium-man", .clip = "clip 0"}};
  return e;
}

}  // namespace skinlight::repro
