// Skeletons and their animation, as glTF 2.0 defines them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "skinlight/core/glsl.h"
#include "skinlight/rig/pose.h"

namespace skinlight {

using Quat = std::array<double, 4>;  // x, y, z, w; unit

// A node of the scene's tree. Its local transform is T R S, or `matrix` when the file gives one (never
// animated then).
struct Node {
  std::string name;
  int parent = -1;
  Vec3d translation{0, 0, 0};
  Quat rotation{0, 0, 0, 1};
  Vec3d scale{1, 1, 1};
  bool has_matrix = false;
  Mat4x3d matrix = identity_transform<double>();
};

struct Skeleton {
  std::vector<Node> nodes;            // in any order; parents form a forest
  std::vector<int> bone_node;         // #bones: the node that moves each bone
  std::vector<Mat4x3d> inverse_bind;  // #bones: mesh space -> bone space at rest

  int bone_count() const { return static_cast<int>(bone_node.size()); }
};

enum class Interpolation { step, linear, cubic_spline };
enum class Path { translation, rotation, scale };

// One animated property of one node. Values: 3 per key (rotation: 4), three times as many for cubic splines
// (in-tangent, value, out-tangent).
struct Channel {
  int node = -1;
  Path path = Path::translation;
  Interpolation interpolation = Interpolation::linear;
  std::vector<double> times;  // #keys, seconds, ascending
  std::vector<double> values;
};

// Animated weights of the morph targets first .. first + count - 1 of a model. Values: count per key, three
// times as many for cubic splines (in-tangents, values, out-tangents).
struct MorphChannel {
  int first = 0, count = 0;
  Interpolation interpolation = Interpolation::linear;
  std::vector<double> times;  // #keys, seconds, ascending
  std::vector<double> values;
};

struct Clip {
  std::string name;
  double duration = 0;  // seconds: the last key of any channel
  std::vector<Channel> channels;
  std::vector<MorphChannel> morph_channels = {};
};

// The pose of the nodes' own transforms (a file's default pose; not always the bind pose): M = global(node)
// inverse_bind. Quaternions are normalised. Throws InputError naming the node or bone: cycles, parents or
// nodes out of range, a rotation of length zero, transforms that are not finite.
Pose default_pose(const Skeleton& skeleton);

// The pose of a clip at `time` seconds; times outside the keys hold the first or last key. Throws as
// default_pose does, and names a channel without keys, with the wrong number of values, or that animates a
// node given by a matrix.
Pose pose_at(const Skeleton& skeleton, const Clip& clip, double time);

// The weights of all morph targets at `time` seconds of a clip: `weights` (#targets, a file's defaults) where
// the clip does not animate them. Throws InputError naming a channel without keys, with the wrong number of
// values, or of targets that do not exist.
std::vector<double> morph_weights_at(std::span<const double> weights, const Clip& clip, double time);

}  // namespace skinlight
