#include "skinlight/character/character.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "skinlight/core/error.h"
#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/preprocess/deform_frames.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/rig/typical_poses.h"
#include "skinlight/truth/centre_field.h"
#include "skinlight/truth/truth.h"

namespace skinlight {

namespace {

// The entry of the key, made unless it is there. What make() throws leaves no entry.
template <class Key, class Value, class Make>
const Value& known(std::map<Key, Value>& entries, const Key& key, const Make& make) {
  auto entry = entries.find(key);
  if (entry == entries.end()) entry = entries.emplace(key, make()).first;
  return entry->second;
}

template <class Value, class Make>
const Value& known(std::optional<Value>& value, const Make& make) {
  if (!value) value.emplace(make());
  return *value;
}

Model model_of(RiggedMesh mesh) {
  Model model;
  model.mesh = std::move(mesh);
  return model;
}

}  // namespace

struct Character::Parts {
  Model model;
  ProceduralRig exact;  // the model's mesh again, where its gradients are known; else empty
  int threads;

  std::recursive_mutex computing;  // parts are made from other parts
  std::optional<Surface> surface;
  std::map<std::tuple<bool, Averaging, int, bool, bool>, NormalRecord> factors;
  std::map<std::pair<Averaging, int>, NormalRecord> vectors;
  std::map<std::tuple<FrameBlend, Averaging, int, bool>, FrameRecord> frames;
  std::map<std::pair<bool, Averaging>, RotationCentres> centres;  // by whether their gradients are exact
  std::optional<CentreField> field;
  std::map<Averaging, std::vector<MorphTangents>> morph_tangents;

  Parts(Model of, ProceduralRig rig, int thread_count)
      : model(std::move(of)), exact(std::move(rig)), threads(thread_count) {}

  const ProceduralRig& exact_rig() const {
    if (exact.gradient.empty()) throw InputError("", "rig", "has no exact gradients of its weights");
    return exact;
  }
  const CentreField& centre_field() {
    return known(field, [&] { return skinlight::centre_field(exact_rig()); });
  }
};

Character::Character() : Character(Model()) {}

Character::Character(Model model, const Preparation& usual, int threads)
    : parts_(std::make_shared<Parts>(std::move(model), ProceduralRig(), threads)), how_(usual) {}

Character::Character(RiggedMesh mesh, const Preparation& usual, int threads)
    : Character(model_of(std::move(mesh)), usual, threads) {}

Character::Character(ProceduralRig rig, const Preparation& usual, int threads)
    : Character(model_of(rig.mesh), usual, threads) {
  if (!rig.gradient.empty()) parts_->exact = std::move(rig);
}

Character Character::with(const Preparation& how) const {
  Character other = *this;
  other.how_ = how;
  return other;
}

const Model& Character::model() const { return parts_->model; }
int Character::threads() const { return parts_->threads; }
bool Character::has_exact_gradients() const { return !parts_->exact.gradient.empty(); }

const Surface& Character::surface() const {
  const std::lock_guard lock(parts_->computing);
  return known(parts_->surface, [&] { return Surface(mesh().faces, weld(mesh())); });
}

// Of all that goes into one kernel: its derivatives add up to that of the surface only when all are averaged alike.
Averaging Character::factor_averaging() const {
  return how_.averaging.value_or(DeformFactorOptions().averaging);
}

const NormalRecord& Character::factors() const {
  const std::lock_guard lock(parts_->computing);
  const DeformFactorOptions options{.averaging = factor_averaging(),
                                    .max_slots = how_.max_slots,
                                    .threads = threads(),
                                    .gradients = how_.gradients,
                                    .smooth_weights = how_.smooth_weights};
  const std::tuple key(how_.exact_gradients, options.averaging, options.max_slots, options.gradients,
                       options.smooth_weights);
  return known(parts_->factors, key, [&] {
    if (!how_.exact_gradients) return deform_factors(mesh(), surface(), options);
    return deform_factors_from_gradients(mesh(), parts_->exact_rig().gradient);
  });
}

const NormalRecord& Character::vectors() const {
  const std::lock_guard lock(parts_->computing);
  const Averaging averaging = how_.averaging.value_or(DeformVectorOptions().averaging);
  return known(parts_->vectors, std::pair(averaging, how_.max_slots), [&] {
    return deform_vectors(
        mesh(), surface(),
        {.averaging = averaging, .max_slots = how_.max_slots, .typical = {}, .threads = threads()});
  });
}

const FrameRecord& Character::frames(Method method) const {
  const std::lock_guard lock(parts_->computing);
  const KernelTraits& kernel = kernel_row(method, NormalMode::deform_frames).traits;
  const FrameBlend blend = kernel.reads.frame_centres      ? FrameBlend::rotation_centres
                           : kernel.mover == Mover::twists ? FrameBlend::logarithms
                                                           : FrameBlend::dual_quaternions;
  const Averaging averaging = how_.averaging.value_or(DeformFrameOptions().averaging);
  const int slots = std::max({kFrameSlots, how_.max_slots, mesh().slots});
  return known(parts_->frames, std::tuple(blend, averaging, slots, how_.exact_gradients), [&] {
    // As widely as by a normal distribution of 20 degrees.
    constexpr int kPoses = 16, kSeed = 15;
    constexpr double kTurn = 35 * M_PI / 180;
    std::vector<Pose> choice;
    if (model().skeleton.bone_count() > 0)
      choice = random_joint_poses(model().skeleton, kPoses, kTurn, kSeed);
    return deform_frames(mesh(), surface(),
                         {.blend = blend,
                          .centres = blend == FrameBlend::rotation_centres ? &centres() : nullptr,
                          .averaging = averaging,
                          .max_slots = slots,
                          .choice = choice,
                          .threads = threads()});
  });
}

const RotationCentres& Character::centres() const {
  const std::lock_guard lock(parts_->computing);
  return known(parts_->centres, std::pair(how_.exact_gradients, factor_averaging()), [&] {
    if (how_.exact_gradients) return centres_of(parts_->exact_rig(), parts_->centre_field());
    return rotation_centres(mesh(), surface(), {.averaging = factor_averaging(), .threads = threads()});
  });
}

const std::vector<MorphTangents>& Character::morph_tangents() const {
  const std::lock_guard lock(parts_->computing);
  return known(parts_->morph_tangents, factor_averaging(), [&] {
    return skinlight::morph_tangents(mesh(), surface(), model().morphs, factor_averaging(), threads());
  });
}

SkinData Character::data(Method method, NormalMode mode) const {
  const KernelTraits& kernel = kernel_row(method, mode).traits;
  SkinData data;
  if (kernel.reads.factors || kernel.reads.smooth || kernel.reads.gradients) data.factors = &factors();
  if (kernel.reads.vectors) data.vectors = &vectors();
  if (kernel.reads.frames) data.frames = &frames(method);
  if (kernel.centre == CentreKind::of_vertex) data.centres = &centres();
  return data;
}

std::vector<Vec3d> Character::analytic_normals(const Pose& pose, Method method) const {
  const std::lock_guard lock(parts_->computing);
  return skinlight::analytic_normals(
      parts_->exact_rig(), pose, method,
      row(method).centre == CentreKind::of_vertex ? &parts_->centre_field() : nullptr);
}

}  // namespace skinlight
