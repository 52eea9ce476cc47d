// A character in the pose where standard normals are worst, drawn in several normal modes beside the truth.
#pragma once

#include <span>
#include <string>

#include "repro/studio.h"
#include "skinlight/character/character.h"

namespace skinlight::repro {

struct WorstPose {
  std::string clip;
  double time = 0, mean = -1;  // seconds; degrees, of the standard normals over the surface
};

// Where the standard normals of a method have their largest mean error, of `frames` of every clip.
WorstPose worst_pose(const Character& model, int frames, Method method = Method::lbs);

struct SheetMode {
  NormalMode mode;
  const char* label;
};

// A row of shaded pictures, one per mode, with the transported truth at its end, and under it one of the errors of the
// modes. data: what all the modes read.
Image8 mode_sheet(const Character& model, const SkinData& data, Method method,
                  std::span<const SheetMode> modes, const Pose& pose, Studio& studio);

}  // namespace skinlight::repro
