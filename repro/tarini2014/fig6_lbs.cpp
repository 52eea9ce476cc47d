// [TPS14 Fig. 6]: frames of animations with linear blend skinning, beside the ground truth.
#include "repro/study/frames.h"
#include "repro/tarini2014/tarini2014.h"
#include "skinlight/samples/characters.h"

namespace skinlight::repro {

namespace {

std::vector<Claim> claims() {
  const std::string none = "The paper prints no number. ";
  const std::string coarse =
      "Weights of this mesh jump along single edges, where the product rule at the vertex is wrong in second "
      "order. ";
  const std::string recomputed =
      "Normals recomputed from the posed triangles are a discretisation whose own error adds to both "
      "methods'. ";
  return {
      ratio_claim({"body", "the procedural body", Truth::transported, 0.151,
                   none + "Smooth weights; the vertices are a third of a limb's radius apart or more."}),
      ratio_claim({"body", "the procedural body", Truth::recomputed, 0.399, none + recomputed}),
      worse_claim("body", 0, "Every pose gains by a factor of five or more.", false),
      ratio_claim({"quaternius-formal", "quaternius-formal (Walk, Run, Roll, Kick_Left)", Truth::transported,
                   0.593, none + coarse, true}),
      ratio_claim({"quaternius-formal", "quaternius-formal (Walk, Run, Roll, Kick_Left)", Truth::recomputed,
                   0.643, none + coarse + recomputed, true}),
      worse_claim("quaternius-formal", 0, "The exception among its other clips is in tarini2014/characters.",
                  true),
      ratio_claim({"cesium-man", "cesium-man", Truth::transported, 0.438,
                   none + "A smooth mesh with smooth weights: what the paper describes.", true}),
      ratio_claim({"cesium-man", "cesium-man", Truth::recomputed, 0.673, none + recomputed, true}),
      worse_claim("cesium-man", 0, "Its one clip gains by half.", true),
      gpu_claim(),
  };
}

}  // namespace

Experiment fig6_lbs() {
  Experiment e;
  e.id = "tarini2014/fig6_lbs";
  e.paper = "Tarini, Panozzo, Sorkine-Hornung 2014, Fig. 6";
  e.title = "Characters with linear blend skinning";
  e.says =
      "Frames of an animation with linear blend skinning: standard method, deform factors, ground truth. "
      "Deform factors "
      "come much closer to the truth. The truth here is each rest normal carried along by the posed "
      "triangles around "
      "its vertex, which keeps authored normals; the paper's, recomputed from the posed triangles, is "
      "measured too.";
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
  e.claims = claims();
  e.video = {through_poses("procedural body", "body", branching_body_poses()),
             {.title = "quaternius-formal, Kick_Left", .subject = "quaternius-formal", .clip = "Kick_Left"},
             {.title = "cesium-man", .subject = "cesium-man", .clip = "clip 0"}};
  return e;
}

}  // namespace skinlight::repro
