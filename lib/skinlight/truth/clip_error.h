// How wrong a rig's skinned normals are over an animation.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinlight/mesh/surface.h"
#include "skinlight/preprocess/morph_tangents.h"
#include "skinlight/rig/model.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/truth/angular_error.h"

namespace skinlight {

enum class Truth { analytic, transported, recomputed };

std::string_view name(Truth truth);

// A posed mesh with the truths that its positions define.
struct PosedTruth {
  std::vector<Vec3d> p;                        // #V by 3
  std::vector<Vec3d> transported, recomputed;  // #V by 3, unit
  std::vector<double> areas;                   // #V, of the deformed surface: the weighting of all means
  std::vector<Mat3d> extension;                // #V, what the method does to directions at fixed weights

  std::span<const Vec3d> normals(Truth truth) const;
};

// The truth depends on how positions are skinned: on the method, not on a normal mode.
PosedTruth posed_truth(const RiggedMesh& mesh, const Surface& surface, const SkinData& data, const Pose& pose,
                       Method method = Method::lbs, int threads = 0);

// The same of positions that are given. p: #V by 3; `method` posed them. morphed: #V by 3, what it posed when
// morph targets had moved the mesh before; empty: p0.
PosedTruth truth_of_positions(const RiggedMesh& mesh, const Surface& surface, const Pose& pose,
                              std::vector<Vec3d> p, Method method = Method::lbs,
                              std::span<const Vec3d> morphed = {});

// Morph targets of a rig, which move it before its bones do. Refers to what others hold; empty: none.
struct ClipMorphs {
  std::span<const MorphTarget> targets;
  std::span<const MorphTangents> tangents;  // morph_tangents() of the targets
  std::span<const double> weights;          // #targets: where a clip does not animate them
};

// A rig at one moment of a clip. Refers to what it is made of.
class ClipFrame {
 public:
  // threads: of everything below. Throws InputError as pose_at() and morph_weights_at() do.
  ClipFrame(const RiggedMesh& mesh, const Surface& surface, const SkinData& data, const Skeleton& skeleton,
            const Clip& clip, double seconds, const ClipMorphs& morphs = {}, int threads = 0);

  const Pose& pose() const { return pose_; }
  // Morph targets move standard normals as engines do, by what the file says, and those of every other mode
  // with the surface (skinning/morph.h). Modes that read weight gradients or deform vectors know the faces of
  // the rest shape only.
  SkinnedMesh<double> skinned(SkinOptions way) const;
  // Computed when first asked for. The rest normals are carried from the mesh without morph targets.
  const PosedTruth& truth(Method method);

 private:
  const RiggedMesh& rest(NormalMode mode) const;

  const RiggedMesh& mesh_;
  const Surface& surface_;
  SkinData data_;
  Pose pose_;
  std::optional<RiggedMesh> as_authored_, carried_;  // where a morph target has a weight
  std::map<Method, PosedTruth> truths_;
  int threads_;
};

// One way to skin against one truth over all frames of a clip. Every frame counts alike, every vertex by its
// share of the frame's deformed area.
struct ClipModeError {
  SkinOptions options = {};
  Truth truth = Truth::transported;
  NormalError error = {};                // worst_vertex is a vertex of the frame that holds `max`
  int worst_frame = 0;                   // the frame of the largest mean
  double worst_mean = 0;                 // degrees
  int max_frame = 0;                     // the frame that holds `max`
  std::vector<NormalError> frames = {};  // of each frame alone
};

struct ClipError {
  std::string clip;
  std::vector<double> times;         // seconds, one per frame
  std::vector<ClipModeError> modes;  // for each way to skin, against the transported and the recomputed truth

  // `way` counts the ways to skin that clip_error() was given.
  const ClipModeError& of(std::size_t way, Truth truth) const;
};

// What a clip may have besides bones, and who wants to know how far its measuring is.
struct ClipOptions {
  ClipMorphs morphs = {};
  std::function<void(int frame)> progress = {};  // called before each frame; what it throws stops the work
};

// Poses the clip at `frames` times, evenly from its first to its last second, and measures each way to skin
// against the transported and the recomputed truth of its method. frames >= 1. The thread counts of `ways`
// are not used.
ClipError clip_error(const RiggedMesh& mesh, const Surface& surface, const SkinData& data,
                     const Skeleton& skeleton, const Clip& clip, int frames,
                     std::span<const SkinOptions> ways, int threads = 0, const ClipOptions& options = {});

}  // namespace skinlight
