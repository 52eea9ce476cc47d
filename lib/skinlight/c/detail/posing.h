// What skinning, its truth and batches share: options, poses, the mesh that morph targets moved.
#pragma once

#include <optional>

#include "skinlight/c/detail/call.h"
#include "skinlight/skinning/skin.h"

namespace skinlight::c {

// The caller's options without morph weights; all outputs.
SkinOptions skin_options(const skinlight_skin_options& own, const Character& character);

Pose pose_of(const skinlight_array& pose, const Character& character);

// Of dense arrays: a target keeps the vertices that it moves.
std::vector<MorphTarget> morph_targets(const skinlight_rig_arrays& arrays);

// One per target, all 0 where none are given. Throws InputError for weights that are not finite, and for weights of no targets.
std::vector<double> morph_weights(const skinlight_array& weights, std::size_t targets);

// The rest mesh of a character under morph weights, as the normal modes want it.
class Morphed {
 public:
  // Throws InputError for weights that are not finite, and for weights of a rig without targets.
  Morphed(const Character& character, const skinlight_array& weights);
  // As ClipFrame has it: standard normals move as authored, those of all other modes with the surface.
  const RiggedMesh& rest(NormalMode mode) const;
  // #V by 3, or empty when nothing moved.
  std::span<const Vec3d> positions() const;

 private:
  const Character& character_;
  std::optional<RiggedMesh> as_authored_, carried_;
};

// The type that all wanted outputs share.
std::int32_t type_of(const skinlight_skin_output& out);
// What has to be computed for those that are wanted.
Outputs outputs_of(const skinlight_skin_output& out);

}  // namespace skinlight::c
