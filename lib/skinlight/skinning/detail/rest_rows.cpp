#include "skinlight/skinning/detail/rest_rows.h"

#include <algorithm>

namespace skinlight {

namespace {

using Sources = Kernels<RowSource, kMaxSlots>;

// stride: in numbers.
Vec3<RowSource> vector_source(const Vec3d* first, int stride, int slot = -1) {
  const double* x = first ? &first->x : nullptr;
  return {{x, stride, slot}, {x ? x + 1 : x, stride, slot}, {x ? x + 2 : x, stride, slot}};
}

template <class T>
const T* first_of(const std::vector<T>& values) {
  return values.empty() ? nullptr : values.data();
}

constexpr int kVector = sizeof(Vec3d) / sizeof(double), kCentre = sizeof(VertexCentre) / sizeof(double);

}  // namespace

RestRows::RestRows(const RiggedMesh& mesh, const SkinData& data, const KernelTraits& traits)
    : mesh_(mesh), data_(data), traits_(traits), slots_(vertex_slots(mesh, data, traits.reads)) {
  if (traits.centre == CentreKind::of_vertex)
    for (int v = 0; v < mesh.vertex_count(); ++v) centres_.push_back(centre_of(mesh, *data.centres, v));
  if (traits.reads.frames)
    for (std::size_t i = 0; i < data.frames->frame_offset.size(); ++i)
      offsets_[i / static_cast<std::size_t>(slots_.slots) % Sources::FRAMES].push_back(
          data.frames->frame_offset[i]);
  for (const RowSource& row : rows(1))
    if (row.slot >= 0) per_slot_.push_back(row);
  for (const RowSource& row : rows(2))
    if (row.slot == 1) per_slot_.push_back(row);
}

std::vector<RowSource> RestRows::rows(int kernel_slots) const {
  const NormalRecord* record = traits_.reads.vectors ? data_.vectors : data_.factors;
  constexpr int kFrames = Sources::FRAMES;
  KernelInput<Sources> in;
  in.rest.p = vector_source(first_of(mesh_.p0), kVector);
  in.rest.n = vector_source(first_of(mesh_.n0), kVector);
  in.rest.t = vector_source(first_of(mesh_.t0), kVector);
  in.rest.b = vector_source(first_of(mesh_.b0), kVector);
  RowSource handedness{first_of(mesh_.handedness), 1};
  for (int s = 0; s < kernel_slots; ++s) {
    weights(in, traits_.mover)[s] = {slots_.weight.data(), 1, s};
    for (int k = 0; k < kFrames; ++k)
      in.frames.w[Sources::INFLUENCES * k + s] = {first_of(offsets_[k]), 1, s};
    if (!record) continue;
    in.f.alpha[s] = in.tau.alpha[s] = {first_of(record->alpha), 1, s};
    in.f.beta[s] = in.tau.beta[s] = {first_of(record->beta), 1, s};
    in.mean.w[s] = {first_of(record->smooth_weight), 1, s};
    in.g.a[s] = vector_source(first_of(record->gradient), kVector, s);
    in.tau.t[s] = vector_source(first_of(record->along_t), kVector, s);
    in.tau.b[s] = vector_source(first_of(record->along_b), kVector, s);
  }
  if (const FrameRecord* frames = traits_.reads.frames ? data_.frames : nullptr)
    for (int k = 0; k < kFrames; ++k) {
      const auto nth = [k](const auto* first) { return first ? first + k : first; };
      in.frames.t[k] = vector_source(nth(first_of(frames->frame_t)), kFrames * kVector);
      in.frames.b[k] = vector_source(nth(first_of(frames->frame_b)), kFrames * kVector);
      in.frames.alpha[k] = {nth(first_of(frames->frame_alpha)), kFrames};
      in.frames.beta[k] = {nth(first_of(frames->frame_beta)), kFrames};
      in.frames.centre[k] = vector_source(nth(first_of(frames->frame_centre)), kFrames * kVector);
    }
  if (!centres_.empty()) {
    in.centre.c = vector_source(&centres_[0].c, kCentre);
    in.centre.along_t = vector_source(&centres_[0].along_t, kCentre);
    in.centre.along_b = vector_source(&centres_[0].along_b, kCentre);
  }
  std::vector<RowSource> rows;
  visit_rows(traits_, in, handedness, kernel_slots, [&](const RowSource& row) { rows.push_back(row); });
  return rows;
}

bool RestRows::is_unused(int vertex, int slot) const {
  return std::all_of(per_slot_.begin(), per_slot_.end(), [&](const RowSource& row) {
    return row.first[static_cast<std::size_t>(row.stride) * at(vertex, slot)] == 0;
  });
}

}  // namespace skinlight
