// How wrong a character's skinned normals are over an animation.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skinlight/character/character.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/truth/angular_error.h"
#include "skinlight/truth/posed_truth.h"

namespace skinlight {

// A character at one moment of a clip: its morph targets move it before its bones do.
class ClipFrame {
 public:
  // Throws InputError as pose_at() and morph_weights_at() do.
  ClipFrame(const Character& character, const Clip& clip, double seconds);
  // A pose of one's own, with one weight per morph target of the character, or none: nothing is morphed.
  ClipFrame(const Character& character, Pose pose, std::span<const double> morph_weights = {});

  const Character& character() const { return character_; }
  const Pose& pose() const { return pose_; }
  // What the bones move in this mode, see skinned().
  const RiggedMesh& rest(NormalMode mode) const;
  // Morph targets move standard normals as engines do, by what the file says, and those of every other mode
  // with the surface (skinning/morph.h). Modes that read weight gradients or deform vectors know the faces of
  // the rest shape only. The thread count of `way` is not used.
  SkinnedMesh<double> skinned(SkinOptions way) const;
  // The normals alone, whatever else `way` computes.
  std::vector<Vec3d> normals(SkinOptions way) const;
  // Computed when first asked for. The rest normals are carried from the mesh without morph targets.
  const PosedTruth& truth(Method method);
  // The same of positions that are given. p: #V by 3; `method` posed them.
  PosedTruth truth_of(std::vector<Vec3d> p, Method method) const;

 private:
  void morph(std::span<const double> weights);

  Character character_;
  Pose pose_;
  std::optional<RiggedMesh> as_authored_, carried_;  // where a morph target has a weight
  std::map<Method, PosedTruth> truths_;
};

// The truth of a character in a pose under a method.
PosedTruth posed_truth(const Character& character, const Pose& pose, Method method = Method::lbs);

// One way to skin against one truth over all frames of a clip. Every frame counts alike, every vertex by its
// share of the frame's deformed area. Frames in which the posed mesh has no area, as when its root has scale 0, have no
// errors and do not count.
struct ClipModeError {
  SkinOptions options = {};
  Truth truth = Truth::transported;
  NormalError error = {};                // worst_vertex is a vertex of the frame that holds `max`
  int worst_frame = -1;                  // the frame of the largest mean; -1: no frame has area
  double worst_mean = 0;                 // degrees
  int max_frame = -1;                    // the frame that holds `max`
  std::vector<NormalError> frames = {};  // of each frame alone; a worst_vertex of -1: without area

  int measured_frames() const;  // those that have area
};

struct ClipError {
  std::string clip;
  std::vector<double> times;         // seconds, one per frame
  std::vector<ClipModeError> modes;  // for each way to skin, against the transported and the recomputed truth

  // `way` counts the ways to skin that clip_error() was given.
  const ClipModeError& of(std::size_t way, Truth truth) const;
  // Whether every way to skin has a frame with area: else its statistics are those of nothing, with a worst_vertex of -1.
  bool is_measured() const;
  int frames_without_area() const;  // the most that a way to skin has
};

// Poses the clip at `frames` times, evenly from its first to its last key, and measures each way to skin
// against the transported and the recomputed truth of its method. frames >= 1. The thread counts of `ways`
// are not used. `progress` is called before each frame; what it throws stops the work. A clip may be left without any
// measured frame: is_measured().
ClipError clip_error(const Character& character, const Clip& clip, int frames,
                     std::span<const SkinOptions> ways, const std::function<void(int frame)>& progress = {});

// The clips of a model, or one clip without channels that holds its default pose.
std::vector<Clip> clips_or_default_pose(const Model& model);

}  // namespace skinlight
