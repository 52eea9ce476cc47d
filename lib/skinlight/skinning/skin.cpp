#include "skinlight/skinning/skin.h"

#include <string>

#include "skinlight/core/error.h"
#include "skinlight/core/parallel.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/skinning/detail/skin_range.h"

namespace skinlight {

namespace {

constexpr int kSlotCounts[] = {1, 2, 3, 4, 8, 16};

void expect(std::size_t actual, std::size_t expected, const char* what) {
  if (actual != expected)
    throw InputError(
        "", what, "has " + std::to_string(actual) + " entries, the mesh needs " + std::to_string(expected));
}

// Arrays that a caller may leave out unless the mode reads them.
void expect_if_needed(std::size_t actual, std::size_t expected, bool needed, const char* what) {
  if (actual == 0 && needed && expected > 0)
    throw InputError("", what, "are missing; the normal mode needs them");
  if (actual != 0) expect(actual, expected, what);
}

void require_existing(const RiggedMesh& mesh, const std::vector<int>& bones, const char* what) {
  for (const int bone : bones)
    if (bone < 0 || bone >= mesh.bone_count)
      throw InputError("", what,
                       "bone " + std::to_string(bone) + " does not exist (the mesh has " +
                           std::to_string(mesh.bone_count) + ")");
}

void require_factors(const RiggedMesh& mesh, const NormalRecord& factors, NormalMode mode) {
  if (factors.slots < 1) throw InputError("", "deform factors", "have no slots");
  const std::size_t slots = mesh.p0.size() * static_cast<std::size_t>(factors.slots);
  expect(factors.bone.size(), slots, "bones of the deform factors");
  expect(factors.weight.size(), slots, "weights of the deform factors");
  expect(factors.alpha.size(), slots, "alpha of the deform factors");
  expect(factors.beta.size(), slots, "beta of the deform factors");
  expect_if_needed(factors.gradient.size(), slots, row(mode).needs_gradients,
                   "gradients of the deform factors");
  expect_if_needed(factors.smooth_weight.size(), slots, mode == NormalMode::smoothed,
                   "smooth weights of the deform factors");
  require_existing(mesh, factors.bone, "deform factors");
}

void require_vectors(const RiggedMesh& mesh, const NormalRecord* vectors) {
  if (!vectors) throw InputError("", "deform vectors", "are missing; the normal mode needs them");
  if (vectors->slots < 1) throw InputError("", "deform vectors", "have no slots");
  const std::size_t slots = mesh.p0.size() * static_cast<std::size_t>(vectors->slots);
  expect(vectors->bone.size(), slots, "bones of the deform vectors");
  expect(vectors->weight.size(), slots, "weights of the deform vectors");
  expect(vectors->alpha.size(), slots, "alpha of the deform vectors");
  expect(vectors->beta.size(), slots, "beta of the deform vectors");
  expect(vectors->along_t.size(), slots, "deform vectors along t");
  expect(vectors->along_b.size(), slots, "deform vectors along b");
  require_existing(mesh, vectors->bone, "deform vectors");
}

template <class Real>
SkinRange range_of(const SkinJob<Real>& job) {
  switch (job.options.method) {
    case Method::lbs:
      break;
    case Method::dqs:
      return dqs_range(job);
    case Method::crs:
      return crs_range(job);
    case Method::sbs:
      return sbs_range(job);
    case Method::log:
      return log_range(job);
  }
  return lbs_range(job);
}

}  // namespace

void require_data(const RiggedMesh& mesh, const SkinData& data, const SkinOptions& options) {
  require_mode(options.method, options.mode);
  require_factors(mesh, data.factors, options.mode);
  if (options.mode == NormalMode::deform_vectors) require_vectors(mesh, data.vectors);
}

void require_bones(int bones, const Pose& pose) {
  if (pose.M.size() < static_cast<std::size_t>(bones))
    expect(pose.M.size(), static_cast<std::size_t>(bones), "pose");
}

int kernel_slots(int slots) {
  for (int count : kSlotCounts)
    if (slots <= count) return count;
  throw InputError(
      "", "slots",
      std::to_string(slots) + " per vertex; at most " + std::to_string(kMaxSlots) + " are supported");
}

double normal_side(NormalMode mode, double handedness, const Pose& pose) {
  switch (row(mode).side) {
    case NormalSide::outward:
      return 1;
    case NormalSide::orientation:
      return pose.orientation;
    case NormalSide::frame:
      return pose.orientation * handedness;
  }
  return 1;
}

template <class Real>
SkinnedMesh<Real> skin(const RiggedMesh& mesh, const SkinData& data, const Pose& pose,
                       const SkinOptions& options) {
  require_data(mesh, data, options);
  require_bones(mesh.bone_count, pose);
  guard_input(options.guard, pose);  // refuses what has no meaning, whether the mode uses it or not
  const std::size_t count = mesh.p0.size();
  SkinnedMesh<Real> out{std::vector<Vec3<Real>>(count), std::vector<Vec3<Real>>(count),
                        std::vector<Vec3<Real>>(count), std::vector<Vec3<Real>>(count)};
  parallel_for(mesh.vertex_count(), options.threads, range_of(SkinJob<Real>{mesh, data, pose, options, out}));
  return out;
}

template SkinnedMesh<float> skin(const RiggedMesh&, const SkinData&, const Pose&, const SkinOptions&);
template SkinnedMesh<double> skin(const RiggedMesh&, const SkinData&, const Pose&, const SkinOptions&);

}  // namespace skinlight
