#include "skinlight/skinning/batch/batch.h"

#include <algorithm>
#include <functional>
#include <string>

#include "skinlight/core/error.h"
#include "skinlight/core/parallel.h"
#include "skinlight/skinning/batch/detail/batch_mesh.h"
#include "skinlight/skinning/detail/block_job.h"
#include "skinlight/skinning/detail/table_loops.h"

namespace skinlight {

namespace {

LoopOf<float> usable_loops(const KernelRow& kernel, InstructionSet set) {
  const auto sets = usable_instruction_sets();
  if (std::find(sets.begin(), sets.end(), set) == sets.end())
    throw InputError("", "instruction set '" + std::string(name_of(set)) + "'",
                     "is not one that this build and this machine have");
  return table_loops<float>(kernel, set);
}

}  // namespace

struct SkinBatch::Prepared {
  SkinOptions options;
  KernelTraits traits;
  int vertex_count;
  PoseReader reader;
  BatchMesh blocks;
  std::vector<BlockLoop<float>> loops;  // #runs
};

struct SkinBatch::Posing {
  PreparedPose<float> pose;
  BlockJob<float> job;        // of the first group of vertices
  std::vector<float> others;  // what a job of another group writes

  void take(const Prepared& mesh, const Pose& from) {
    mesh.reader.read(from, mesh.options.guard, pose);
    job = job_of(mesh, 0);
  }

  BlockJob<float> job_of(const Prepared& mesh, std::size_t group) const {
    BlockJob<float> of = block_job(pose, group, mesh.traits, acting_guard(mesh.options, mesh.traits));
    of.rest = mesh.blocks.rest.empty() ? nullptr : mesh.blocks.rest[0].lane;
    of.bone = mesh.blocks.bone.data();
    return of;
  }

  // Blocks hold vertices of several groups where bones blend differently in them, so each group poses all of them.
  void run(const Prepared& mesh) {
    run(mesh, job);
    for (std::size_t group = 1; group < pose.groups.size(); ++group) {
      BlockJob<float> own = job_of(mesh, group);
      const auto outputs = static_cast<std::size_t>(mesh.options.outputs);
      own.stride = 3 * outputs * kBlockLanes;
      others.resize(static_cast<std::size_t>(mesh.blocks.block_count()) * own.stride);
      for (std::size_t i = 0; i < outputs; ++i) own.out[i] = others.data() + 3 * i * kBlockLanes;
      run(mesh, own);
      for (std::size_t i = 0; i < outputs; ++i) take_over(mesh, static_cast<int>(group), own, i);
    }
  }

  // Of one output, what the other job wrote of its group. Padding belongs to the vertex before it.
  void take_over(const Prepared& mesh, int group, const BlockJob<float>& other, std::size_t output) const {
    int vertex = -1;
    for (std::size_t i = 0; i < mesh.blocks.vertex.size(); ++i) {
      const bool padding = mesh.blocks.vertex[i] < 0;
      if (!padding) vertex = mesh.blocks.vertex[i];
      if (pose.found.of_vertex[static_cast<std::size_t>(vertex)] != group || (padding && job.vertex))
        continue;
      const std::size_t block = i / kBlockLanes, lane = i % kBlockLanes;
      for (std::size_t c = 0; c < 3; ++c) {
        float& to = job.vertex ? job.out[output][3 * static_cast<std::size_t>(vertex) + c]
                               : job.out[output][block * job.stride + c * kBlockLanes + lane];
        to = other.out[output][block * other.stride + c * kBlockLanes + lane];
      }
    }
  }

  static void run(const Prepared& mesh, const BlockJob<float>& job) {
    const std::vector<BlockRun>& runs = mesh.blocks.runs;
    const auto body = [&](int begin, int end) {
      auto run = std::upper_bound(runs.begin(), runs.end(), begin,
                                  [](int block, const BlockRun& r) { return block < r.end; });
      for (; begin < end; begin = run->end, ++run)
        mesh.loops[static_cast<std::size_t>(run - runs.begin())](job, *run, begin, std::min(end, run->end));
    };
    parallel_for(mesh.blocks.block_count(), mesh.options.threads, std::ref(body));
  }
};

SkinBatch::SkinBatch(const RiggedMesh& mesh, const SkinData& data, const SkinOptions& options,
                     InstructionSet set)
    : SkinBatch(usable_loops(kernel_row(options.method, options.mode), set),
                kernel_row(options.method, options.mode).traits, mesh, data, options) {}

SkinBatch::SkinBatch(LoopOf<float> loops, const KernelTraits& traits, const RiggedMesh& mesh,
                     const SkinData& data, const SkinOptions& options)
    : posing_(std::make_unique<Posing>()) {
  require_parts(data_parts(mesh, data), traits);
  const RestRows rest(mesh, data, traits);
  BoneSets sets = traits.centre == CentreKind::of_bone_set ? bone_sets(mesh, rest.slots()) : BoneSets();
  BatchMesh blocks = batch_mesh(mesh.vertex_count(), rest, sets.of_vertex);
  std::vector<BlockLoop<float>> of_runs;
  const bool guarded = acting_guard(options, traits) != Guard::none;
  for (const BlockRun& run : blocks.runs) of_runs.push_back(loops(guarded, run.slots));
  mesh_ = std::make_shared<Prepared>(Prepared{
      options, traits, mesh.vertex_count(),
      PoseReader(std::make_shared<Binding>(binding_of(mesh)), traits.mover, traits.centre, std::move(sets)),
      std::move(blocks), std::move(of_runs)});
}

SkinBatch::~SkinBatch() = default;
SkinBatch::SkinBatch(const SkinBatch& other) : mesh_(other.mesh_), posing_(std::make_unique<Posing>()) {}
SkinBatch& SkinBatch::operator=(const SkinBatch& other) {
  if (this != &other) mesh_ = other.mesh_;
  return *this;
}

void SkinBatch::skin(const Pose& pose, PosedBlocks& out) {
  posing_->take(*mesh_, pose);
  out.outputs = mesh_->options.outputs;
  out.rows.resize(static_cast<std::size_t>(block_count()) * out.rows_of_block());
  BlockJob<float>& job = posing_->job;
  job.stride = out.rows_of_block() * kBlockLanes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(out.outputs) && !out.rows.empty(); ++i)
    job.out[i] = out.rows[3 * i].lane;
  posing_->run(*mesh_);
}

void SkinBatch::skin(const Pose& pose, SkinnedMesh<float>& out) {
  posing_->take(*mesh_, pose);
  put_outputs(out, static_cast<std::size_t>(vertex_count()), mesh_->options.outputs, posing_->job);
  posing_->job.vertex = mesh_->blocks.vertex.data();
  posing_->run(*mesh_);
}

void SkinBatch::skin(const Pose& pose, const PosedArrays& out) {
  posing_->take(*mesh_, pose);
  BlockJob<float>& job = posing_->job;
  std::size_t i = 0;
  for (float* values : {out.p, out.n, out.t, out.b}) {
    const bool wanted = i < static_cast<std::size_t>(mesh_->options.outputs);
    if (wanted && !values) throw InputError("", "outputs", "an array that the batch fills is missing");
    job.out[i++] = wanted ? values : nullptr;
  }
  job.vertex = mesh_->blocks.vertex.data();
  posing_->run(*mesh_);
}

int SkinBatch::vertex_count() const { return mesh_->vertex_count; }
std::span<const int> SkinBatch::vertices() const { return mesh_->blocks.vertex; }
int SkinBatch::block_count() const { return mesh_->blocks.block_count(); }
std::size_t SkinBatch::rest_bytes() const { return mesh_->blocks.rest.size() * sizeof(BatchRow); }
int SkinBatch::run_count() const { return static_cast<int>(mesh_->blocks.runs.size()); }

}  // namespace skinlight
