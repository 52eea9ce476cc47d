// The weights of deform frames, from the weights of a one-ring: three ways to find them, each right where the
// others are not. Inside this room only.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "skinlight/core/glsl.h"
#include "skinlight/preprocess/deform_frames.h"
#include "skinlight/preprocess/slots.h"

namespace skinlight {

using SlotVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxSlots, 1>;  // a number per slot

// A vertex and its one-ring. Tangents are measured along two directions of the vertex's plane.
struct FrameProblem {
  struct Corner {
    SlotVector D;                 // its weights less the vertex's own; sum 0
    Vec3d edge;                   // from the vertex to it
    Vec3d centre;                 // from the vertex's centre of rotation to its own
    std::array<double, 2> along;  // how the hat function of the corner changes: 1 / length
    double omega() const { return std::hypot(along[0], along[1]); }
  };
  int frames = 2;
  SlotVector own;  // the vertex's weights
  std::vector<Corner> ring;

  // Whether the ring has other weights, or other centres, than the vertex.
  bool varies() const;
  // The mean length of the edges.
  double radius() const;
};

struct Frames {
  struct Frame {
    SlotVector offset;  // of its weights from the vertex's own
    Vec3d centre{0.0};  // from the vertex's centre of rotation
    std::array<Vec3d, 2> v = {Vec3d(0.0), Vec3d(0.0)};
    std::array<double, 2> alpha = {0, 0};
  };
  int count = 0;
  std::array<Frame, kMaxFrames> frame;

  bool is_finite() const;
};

// Frames that add nothing.
Frames no_frames(const FrameProblem& problem);

// The candidates, vectors in closed form: every corner's weights as a combination of the frames', by least
// squares, D[j] = sum_k mu[j][k] offset[k], and (v[k], alpha[k]) = sum_j along[j] mu[j][k] (edge[j], 1). One
// of them where it is exact. Of a problem that varies.
std::vector<Frames> frame_candidates(const FrameProblem& problem);

}  // namespace skinlight
