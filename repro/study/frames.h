// Frames of an animation, each drawn in several ways, and findings about how much closer deform factors come
// to the truth.
#pragma once

#include <string>
#include <vector>

#include "repro/experiment.h"
#include "skinlight/samples/skirt.h"

namespace skinlight::repro {

// A pose of a rig, or a time of a model's clip. Its pictures are <stem>_<what>.png.
struct FrameCase {
  std::string stem;
  std::string rig, pose;  // or model and clip
  double time = 0;        // seconds into the clip
};

// The names of the two methods: "standard" and "deform", as <stem>_standard.png and <stem>_deform.png.
std::vector<MethodCase> standard_and_deform(int max_slots);

// Standard, deform factors and the truth [TPS14 Fig. 6, 7]: the latter as <stem>_truth.png.
std::vector<Picture> with_truth(const std::vector<FrameCase>& frames);

// The real characters of the figures.
ModelCase formal(std::vector<std::string> clips);
ModelCase cesium_man();
ModelCase fox();
ModelCase quaternius_cactus();

// A name as claims have it: without hyphens.
std::string identifier(std::string name);

// Over all poses of a rig or clips of a model, each counting alike: mean error of a method in degrees.
double mean_error(const Results& results, const std::string& rig, const std::string& method, Truth truth);

// The ratio of the mean errors of deform factors and the standard method, which the paper says is below 1:
// <rig>_ratio_<truth>.
Finding ratio_finding(const std::string& rig, Truth truth);
// Of a model against the recomputed truth when its rest normals are made the same way: <rig>_ratio_alike.
Finding alike_finding(const std::string& model);

// In how many poses or clips deform factors are no better on average (transported truth): <rig>_not_better.
Finding not_better_finding(const std::string& rig);

// A take of a rig's poses one after another, each from rest and back along its bones' screw motions.
Take through_poses(const std::string& title, const std::string& rig, std::vector<NamedPose> poses);

}  // namespace skinlight::repro
