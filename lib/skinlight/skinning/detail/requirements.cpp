#include "skinlight/skinning/detail/requirements.h"

#include <string>

#include "skinlight/core/error.h"
#include "skinlight/rig/detail/influences.h"
#include "skinlight/skinning/vertex_centre.h"

namespace skinlight {

namespace {

void expect(std::size_t actual, std::size_t expected, const char* what) {
  if (actual != expected)
    throw InputError(
        "", what, "has " + std::to_string(actual) + " entries, the mesh needs " + std::to_string(expected));
}

void require_existing(const RiggedMesh& mesh, const std::vector<int>& bones, const char* what) {
  for (const int bone : bones)
    if (bone < 0 || bone >= mesh.bone_count)
      throw InputError("", what,
                       "bone " + std::to_string(bone) + " does not exist (the mesh has " +
                           std::to_string(mesh.bone_count) + ")");
}

// Whether an array that a caller may leave out is there.
bool has(std::size_t actual, std::size_t expected, const char* what) {
  if (actual != 0) expect(actual, expected, what);
  return actual == expected;
}

void add_factors(const RiggedMesh& mesh, const NormalRecord& factors, DataParts& parts) {
  if (factors.slots < 1) throw InputError("", "deform factors", "have no slots");
  const std::size_t slots = mesh.p0.size() * static_cast<std::size_t>(factors.slots);
  expect(factors.bone.size(), slots, "bones of the deform factors");
  expect(factors.weight.size(), slots, "weights of the deform factors");
  expect(factors.alpha.size(), slots, "alpha of the deform factors");
  expect(factors.beta.size(), slots, "beta of the deform factors");
  parts.factors = true;
  parts.gradients = has(factors.gradient.size(), slots, "gradients of the deform factors");
  parts.smooth = has(factors.smooth_weight.size(), slots, "smooth weights of the deform factors");
  require_existing(mesh, factors.bone, "deform factors");
}

void require_vectors(const RiggedMesh& mesh, const NormalRecord& vectors) {
  if (vectors.slots < 1) throw InputError("", "deform vectors", "have no slots");
  const std::size_t slots = mesh.p0.size() * static_cast<std::size_t>(vectors.slots);
  expect(vectors.bone.size(), slots, "bones of the deform vectors");
  expect(vectors.weight.size(), slots, "weights of the deform vectors");
  expect(vectors.alpha.size(), slots, "alpha of the deform vectors");
  expect(vectors.beta.size(), slots, "beta of the deform vectors");
  expect(vectors.along_t.size(), slots, "deform vectors along t");
  expect(vectors.along_b.size(), slots, "deform vectors along b");
  require_existing(mesh, vectors.bone, "deform vectors");
}

void require_frames(const RiggedMesh& mesh, const FrameRecord& frames) {
  constexpr int kFrames = Kernels<float, 1>::FRAMES;
  if (frames.slots < 1) throw InputError("", "deform frames", "have no slots");
  if (frames.frames != kFrames)
    throw InputError(
        "", "deform frames",
        "are " + std::to_string(frames.frames) + " per vertex, the kernels read " + std::to_string(kFrames));
  const std::size_t slots = mesh.p0.size() * static_cast<std::size_t>(frames.slots),
                    each = mesh.p0.size() * kFrames;
  expect(frames.bone.size(), slots, "bones of the deform frames");
  expect(frames.weight.size(), slots, "weights of the vertices of the deform frames");
  expect(frames.frame_offset.size(), slots * kFrames, "weights of the deform frames");
  expect(frames.frame_t.size(), each, "deform frames along t");
  expect(frames.frame_b.size(), each, "deform frames along b");
  expect(frames.frame_alpha.size(), each, "alpha of the deform frames");
  expect(frames.frame_beta.size(), each, "beta of the deform frames");
  require_existing(mesh, frames.bone, "deform frames");
}

}  // namespace

VertexSlots vertex_slots(const RiggedMesh& mesh, const SkinData& data, const KernelReads& reads) {
  if (reads.vectors) return {data.vectors->slots, data.vectors->bone, data.vectors->weight};
  if (reads.frames) return {data.frames->slots, data.frames->bone, data.frames->weight};
  if (data.factors) return {data.factors->slots, data.factors->bone, data.factors->weight};
  return {mesh.slots, mesh.bone, mesh.weight};
}

DataParts data_parts(const RiggedMesh& mesh, const SkinData& data) {
  DataParts parts;
  if (data.factors) {
    add_factors(mesh, *data.factors, parts);
  } else {
    const std::size_t slots = mesh.p0.size() * static_cast<std::size_t>(mesh.slots);
    expect(mesh.bone.size(), slots, "bones of the mesh");
    expect(mesh.weight.size(), slots, "weights of the mesh");
    require_influences(mesh.bone_count, mesh.slots, mesh.bone, mesh.weight);
  }
  if (data.vectors) require_vectors(mesh, *data.vectors);
  parts.vectors = data.vectors != nullptr;
  if (data.frames) {
    require_frames(mesh, *data.frames);
    parts.frames = true;
    parts.frame_centres =
        has(data.frames->frame_centre.size(), data.frames->frame_t.size(), "centres of the deform frames");
  }
  if (data.centres) require_centres(mesh, data.centres);
  parts.centres = data.centres != nullptr;
  return parts;
}

void require_parts(const DataParts& parts, const KernelTraits& traits) {
  const KernelReads& reads = traits.reads;
  const auto require = [](bool needed, bool there, const char* what) {
    if (needed && !there) throw InputError("", what, "are missing; the normal mode needs them");
  };
  require(reads.factors || reads.smooth || reads.gradients, parts.factors, "deform factors");
  require(reads.gradients, parts.gradients, "gradients of the deform factors");
  require(reads.smooth, parts.smooth, "smooth weights of the deform factors");
  require(reads.vectors, parts.vectors, "deform vectors");
  require(reads.frames, parts.frames, "deform frames");
  require(reads.frame_centres, parts.frame_centres, "centres of the deform frames");
  if (traits.centre == CentreKind::of_vertex && !parts.centres) require_centres({}, nullptr);
}

void require_bones(int bones, const Pose& pose) {
  if (pose.M.size() < static_cast<std::size_t>(bones))
    expect(pose.M.size(), static_cast<std::size_t>(bones), "pose");
}

}  // namespace skinlight
