// [TPS14 Fig. 1]: a low-poly, normal-mapped skirt in four poses, lit through the skinned tangent frames.
#include "repro/tarini2014/frames.h"
#include "repro/tarini2014/tarini2014.h"
#include "skinlight/render/normal_map.h"
#include "skinlight/rig/procedural_skirt.h"

namespace skinlight::repro {

Experiment fig1_skirt() {
  Experiment e;
  e.id = "tarini2014/fig1_skirt";
  e.paper = "Tarini, Panozzo, Sorkine-Hornung 2014, Fig. 1";
  e.title = "A low-poly skirt under a normal map";
  e.rigs = {{"skirt", "skirt", 0, skirt, [] { return make_normal_map(256, 256, pleat_normal); }}};
  std::vector<FrameCase> frames;
  for (const NamedPose& pose : skirt_poses()) {
    e.poses.push_back({pose.name, [pose] { return pose.pose; }});
    frames.push_back({"skirt_" + pose.name, "skirt", pose.name});
  }
  e.methods = standard_and_deform(4);
  e.npy_rig = "skirt";
  e.models = {formal({"Walk", "Run", "Roll"})};
  frames.push_back({"formal_walk", "quaternius-formal", "Walk", 0.4});
  frames.push_back({"formal_run", "quaternius-formal", "Run", 0.2});
  frames.push_back({"formal_roll", "quaternius-formal", "Roll", 0.6});
  e.pictures = with_difference(frames);
  e.shot = {.view = {.towards_eye = {0.25, -1, 0.28}, .up = {0, 0, 1}},
            .width = 300,
            .height = 300,
            .error_max_degrees = 45};
  for (const char* clip : {"Walk", "Run", "Roll"})
    e.video.push_back(
        {.title = std::string("quaternius-formal, ") + clip, .subject = "quaternius-formal", .clip = clip});
  return e;
}

}  // namespace skinlight::repro
