#include "skinlight/skinning/skin.h"

#include <algorithm>
#include <string>

#include "skinlight/core/error.h"
#include "skinlight/core/parallel.h"
#include "skinlight/skinning/detail/block_job.h"
#include "skinlight/skinning/detail/rest_rows.h"
#include "skinlight/skinning/detail/table_loops.h"
#include "skinlight/skinning/skin_with.h"

namespace skinlight {

namespace {

// The vertices of a range of blocks in the order of the file, or of a part of it, every lane with bones of its own.
template <class Real>
class FileOrder {
 public:
  FileOrder(const RestRows& rest, const BoneSets& sets)
      : rest_(rest), sets_(sets), slots_(kernel_slots(rest.slots().slots)) {
    rows_ = rest.rows(slots_);
    own_.resize(static_cast<std::size_t>(slots_), -1);
    for (int s = 0; s < rest.slots().slots; ++s) own_[static_cast<std::size_t>(s)] = s;
  }

  // part: #count vertices; empty: the first `count`.
  void pose(BlockJob<Real> job, BlockLoop<Real> loop, std::span<const int> part, int count, int begin,
            int end) const {
    std::vector<Real> numbers(rows_.size() * kBlockLanes);
    std::vector<int> bones(static_cast<std::size_t>(slots_ + 1) * kBlockLanes);
    std::vector<std::ptrdiff_t> places(bones.size());
    int vertices[kBlockLanes];
    job.rest = numbers.data();
    job.bone = bones.data();
    job.vertex = vertices;
    const BlockRun run{0, 1, 0, 0, slots_, true};
    for (int block = begin; block < end; ++block) {
      for (int lane = 0; lane < kBlockLanes; ++lane) {
        const int wanted = block * kBlockLanes + lane, last = std::min(wanted, count - 1),
                  vertex = part.empty() ? last : part[static_cast<std::size_t>(last)];
        vertices[lane] = wanted < count ? vertex : -1;
        rest_.place(vertex, own_, places.data() + lane);
        for (int s = 0; s < slots_; ++s)
          bones[static_cast<std::size_t>(s * kBlockLanes + lane)] =
              rest_.slots().bone[rest_.at(vertex, s < rest_.slots().slots ? s : 0)];
        bones[static_cast<std::size_t>(slots_ * kBlockLanes + lane)] =
            sets_.of_vertex.empty() ? 0 : sets_.of_vertex[static_cast<std::size_t>(vertex)];
      }
      RestRows::write(rows_, places.data(), numbers.data());
      loop(job, run, 0, 1);
    }
  }

  int slots() const { return slots_; }

 private:
  const RestRows& rest_;
  const BoneSets& sets_;
  int slots_;
  std::vector<RowSource> rows_;
  std::vector<int> own_;
};

std::vector<int> vertices_of(std::span<const int> group_of_vertex, int group) {
  std::vector<int> vertices;
  for (std::size_t v = 0; v < group_of_vertex.size(); ++v)
    if (group_of_vertex[v] == group) vertices.push_back(static_cast<int>(v));
  return vertices;
}

}  // namespace

int kernel_slots(int slots) {
  for (int count : kSlotCounts)
    if (slots <= count) return count;
  throw InputError(
      "", "slots",
      std::to_string(slots) + " per vertex; at most " + std::to_string(kMaxSlots) + " are supported");
}

template <class Real>
SkinnedMesh<Real> skin_by(LoopOf<Real> loops, const KernelTraits& traits, const RiggedMesh& mesh,
                          const SkinData& data, const Pose& pose, const SkinOptions& options) {
  require_parts(data_parts(mesh, data), traits);
  const RestRows rest(mesh, data, traits);
  const BoneSets sets = traits.centre == CentreKind::of_bone_set ? bone_sets(mesh, rest.slots()) : BoneSets();
  PreparedPose<Real> prepared;
  PoseReader(std::make_shared<Binding>(binding_of(mesh)), traits.mover, traits.centre, sets)
      .read(pose, options.guard, prepared);
  SkinnedMesh<Real> out;
  if (mesh.p0.empty()) return out;
  const FileOrder<Real> vertices(rest, sets);
  const Guard guard = acting_guard(options, traits);
  const BlockLoop<Real> loop = loops(guard != Guard::none, vertices.slots());
  for (std::size_t group = 0; group < prepared.groups.size(); ++group) {
    const std::vector<int> part = vertices_of(prepared.found.of_vertex, static_cast<int>(group));
    BlockJob<Real> job = block_job(prepared, group, traits, guard);
    put_outputs(out, mesh.p0.size(), options.outputs, job);
    const int count = part.empty() ? mesh.vertex_count() : static_cast<int>(part.size());
    parallel_for((count + kBlockLanes - 1) / kBlockLanes, options.threads,
                 [&](int begin, int end) { vertices.pose(job, loop, part, count, begin, end); });
  }
  return out;
}

template <class Real>
SkinnedMesh<Real> skin(const RiggedMesh& mesh, const SkinData& data, const Pose& pose,
                       const SkinOptions& options) {
  const KernelRow& kernel = kernel_row(options.method, options.mode);
  return skin_by<Real>(table_loops<Real>(kernel, best_instruction_set()), kernel.traits, mesh, data, pose,
                       options);
}

template SkinnedMesh<float> skin_by(LoopOf<float>, const KernelTraits&, const RiggedMesh&, const SkinData&,
                                    const Pose&, const SkinOptions&);
template SkinnedMesh<double> skin_by(LoopOf<double>, const KernelTraits&, const RiggedMesh&, const SkinData&,
                                     const Pose&, const SkinOptions&);
template SkinnedMesh<float> skin(const RiggedMesh&, const SkinData&, const Pose&, const SkinOptions&);
template SkinnedMesh<double> skin(const RiggedMesh&, const SkinData&, const Pose&, const SkinOptions&);

}  // namespace skinlight
