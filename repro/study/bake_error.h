// What a number format costs: how far the normals of a baked file are from those of exact numbers.
#pragma once

#include <string>
#include <vector>

#include "skinlight/bake/bake.h"
#include "skinlight/rig/pose.h"

namespace skinlight::repro {

struct FormatError {
  NumberFormat format = NumberFormat::f32;
  double mean = 0, p99 = 0, max = 0;  // degrees; every vertex of every pose counts alike
};

// The poses that formats are judged by.
struct SamplePoses {
  std::vector<Pose> poses;
  std::string description;  // "9 frames of 3 clips"
};

// Frames spread evenly over all clips; of a model without clips, every joint turned by a random angle up to
// 30 degrees (seeded). Fewer for large meshes, so that judging takes well below a second.
SamplePoses sample_poses(const Model& model);

// All formats, in the order of kNumberFormats; linear blend skinning, or the method of the frames; no guard.
std::vector<FormatError> format_errors(const BakeReport& report, const std::vector<Pose>& poses, int threads);

}  // namespace skinlight::repro
