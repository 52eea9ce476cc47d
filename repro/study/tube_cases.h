// The tube on which experiments measure skinning methods that blend rotations: its bends and twists have
// analytic truth.
#pragma once

#include <cmath>
#include <string>

#include "repro/experiment.h"
#include "skinlight/core/angle.h"

namespace skinlight::repro {

enum class MotionKind { bend, twist };

// The lower of two bones turns against the upper one.
struct TubeMotion {
  MotionKind kind;
  int degrees;

  std::string name() const { return word() + "_" + std::to_string(degrees); }            // "bend_60"
  std::string words() const { return std::to_string(degrees) + " degrees, " + word(); }  // for people
  Pose pose() const {
    return kind == MotionKind::bend ? cylinder_bend(degrees / kDegrees) : cylinder_twist(degrees / kDegrees);
  }

 private:
  std::string word() const { return kind == MotionKind::bend ? "bend" : "twist"; }
};

// "cylinder_96" of family "cylinder": weights change smoothly over two thirds of its length.
inline RigCase tube_case(int segments) {
  return {"cylinder_" + std::to_string(segments), "cylinder", segments, [segments] {
            return cylinder({.half_length = 3, .half_blend = 2, .ramp = Ramp::smootherstep},
                            {.segments = segments});
          }};
}

inline PoseCase pose_case(const TubeMotion& motion) {
  return {motion.name(), [motion] { return motion.pose(); }};
}

// From the side, the bend in the plane of the picture.
inline Shot tube_shot() {
  return {.view = {.towards_eye = {1, -0.35, 0.15}, .up = {0, 0, 1}, .fov_degrees = 0},
          .width = 260,
          .height = 330,
          .error_max_degrees = 30};
}

// From rest to the whole angle and back; time from 0 to 1.
inline double there_and_back(double time) { return 0.5 - 0.5 * std::cos(2 * M_PI * time); }

}  // namespace skinlight::repro
