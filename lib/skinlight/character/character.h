// A skinned character with all that is computed once for it: its welded surface, what its normals need, its
// centres of rotation. Each part is computed when it is first asked for.
//
//   const Character hero(read_model("hero.glb"));
//   skin<float>(hero.mesh(), hero.data(Method::dqs, NormalMode::exact), pose, {...});
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "skinlight/mesh/surface.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/preprocess/deform_frames.h"
#include "skinlight/preprocess/morph_tangents.h"
#include "skinlight/preprocess/normal_record.h"
#include "skinlight/rig/model.h"
#include "skinlight/rig/procedural_rig.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/skinning/skin_data.h"

namespace skinlight {

// How what normals need is computed.
struct Preparation {
  // Of deform factors and centres from the rig's exact gradients: procedural rigs know them.
  bool exact_gradients = false;
  int max_slots = 4;  // bones per vertex, or kAllSlots
  // Usually mixed Voronoi for factors, centres and morph targets, area for vectors and frames.
  std::optional<Averaging> averaging = {};
  bool gradients = true;  // columns of the deform factors that are kept
  bool smooth_weights = true;
};

// The slots of deform frames: with the ring's most important bone besides the usual four.
inline constexpr int kFrameSlots = 5;

// Copies are cheap: they share what they hold, and references to it live as long as any of them. Threads may
// ask at the same time; what one of them computes the others wait for.
class Character {
 public:
  Character();  // without vertices
  // threads: of all that is computed; 0: all cores.
  explicit Character(Model model, const Preparation& usual = {}, int threads = 0);
  // A mesh alone: without skeleton and clips.
  explicit Character(RiggedMesh mesh, const Preparation& usual = {}, int threads = 0);
  explicit Character(ProceduralRig rig, const Preparation& usual = {}, int threads = 0);

  // The same character prepared in another way.
  Character with(const Preparation& how) const;

  const Model& model() const;
  const RiggedMesh& mesh() const { return model().mesh; }
  int threads() const;

  // All of these throw InputError as the functions that compute them do, and for exact gradients of a rig
  // that has none.
  const Surface& surface() const;
  const NormalRecord& factors() const;
  const NormalRecord& vectors() const;
  // Deform frames of one of the methods that blend rotations: in closed form, of kFrameSlots, or of as many bones
  // as a vertex of the mesh has if that is more, chosen over random poses of the skeleton.
  const FrameRecord& frames(Method method) const;
  const RotationCentres& centres() const;
  const std::vector<MorphTangents>& morph_tangents() const;  // one per target

  // What the kernel of the method and mode reads, and no more. Refers to what the character holds.
  SkinData data(Method method, NormalMode mode) const;

  bool has_exact_gradients() const;
  // True normals in closed form, #V by 3, unit: of rigs with exact gradients.
  std::vector<Vec3d> analytic_normals(const Pose& pose, Method method) const;

 private:
  Averaging factor_averaging() const;

  struct Parts;
  std::shared_ptr<Parts> parts_;
  Preparation how_;
};

}  // namespace skinlight
