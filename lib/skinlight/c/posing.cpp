#include "skinlight/c/detail/posing.h"

#include <algorithm>

#include "skinlight/skinning/morph.h"
#include "skinlight/skinning/way.h"

namespace skinlight::c {

namespace {

NormalMode mode_of(std::int32_t constant, Method method) {
  if (constant == SKINLIGHT_USUAL_MODE) return row(method).derivative;
  return meaning(kModes, constant, "mode", SKINLIGHT_STANDARD);
}

}  // namespace

SkinOptions skin_options(const skinlight_skin_options& own, const Character& character) {
  SkinOptions options;
  options.method = method_of(own.method);
  options.mode = mode_of(own.mode, options.method);
  kernel_row(options.method, options.mode);  // throws where the method lacks the mode
  options.guard = row(meaning(kGuards, own.guard, "guard")).usual;
  if (own.own_guard != 0) {
    if (options.guard.guard == Guard::none)
      throw InputError("", "guard", "is none, guard_c and guard_k are numbers of one");
    options.guard.c = own.guard_c;
    options.guard.k = own.guard_k;
  }
  if (options.guard.guard != Guard::none)
    if (const std::string why = why_unguarded(options.method, options.mode); !why.empty())
      throw InputError("", "guard '" + std::string(row(options.guard.guard).name) + "'", why);
  guard_input(options.guard, Pose());  // told before there is a pose
  options.threads = character.threads();
  return options;
}

Pose pose_of(const skinlight_array& pose, const Character& character) {
  require_array(pose, "pose");
  try {
    return make_pose(transforms(pose, static_cast<std::size_t>(character.mesh().bone_count)));
  } catch (const InputError& e) {
    throw InputError("", "pose" + (e.element().empty() ? "" : ", " + e.element()), e.reason());
  }
}

std::vector<MorphTarget> morph_targets(const skinlight_rig_arrays& arrays) {
  if (arrays.morph_count == 0 && !arrays.morphs.data) return {};
  const std::size_t vertices = arrays.vertex_count;
  count_of(arrays.morph_count, "morph_count");
  count_of(arrays.morph_count * vertices, "morph_count * vertex_count");
  require_array(arrays.morphs, "morphs");
  return skinlight::morph_targets(vectors(arrays.morphs, arrays.morph_count * vertices, "morphs"), vertices);
}

std::vector<double> morph_weights(const skinlight_array& weights, std::size_t targets) {
  if (!weights.data) return std::vector<double>(targets, 0.0);
  if (targets == 0) throw InputError("", "morph weights", "the rig has no morph targets");
  return numbers(weights, targets, 1, "morph weights");
}

Morphed::Morphed(const Character& character, const skinlight_array& weights) : character_(character) {
  const Model& model = character.model();
  const std::vector<double> numbers = morph_weights(weights, model.morphs.size());
  if (std::all_of(numbers.begin(), numbers.end(), [](double w) { return w == 0; })) return;
  as_authored_ = morphed_as_authored(model.mesh, model.morphs, numbers);
  carried_ = morphed(model.mesh, model.morphs, character.morph_tangents(), numbers);
}

const RiggedMesh& Morphed::rest(NormalMode mode) const {
  if (!carried_) return character_.mesh();
  return mode == NormalMode::standard ? *as_authored_ : *carried_;
}

std::span<const Vec3d> Morphed::positions() const {
  return carried_ ? std::span<const Vec3d>(carried_->p0) : std::span<const Vec3d>();
}

std::int32_t type_of(const skinlight_skin_output& out) {
  std::int32_t type = -1;
  for (const skinlight_output& output : {out.positions, out.tangents, out.bitangents, out.normals}) {
    if (!wanted(output, false, "output")) continue;
    if (type != -1 && output.type != type) throw BadCall{"output: the types differ"};
    type = output.type;
  }
  if (type == -1) throw BadCall{"output: nothing is wanted"};
  return type;
}

Outputs outputs_of(const skinlight_skin_output& out) {
  return out.bitangents.data ? Outputs::frame
         : out.tangents.data ? Outputs::tangents
         : out.normals.data  ? Outputs::normals
                             : Outputs::positions;
}

}  // namespace skinlight::c
