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
  BlockJob<float> job;

  void take(const Prepared& mesh, const Pose& from) {
    mesh.reader.read(from, mesh.options.guard, pose);
    job = block_job(pose, mesh.traits, mesh.options.guard.guard);
    job.rest = mesh.blocks.rest.empty() ? nullptr : mesh.blocks.rest[0].lane;
    job.bone = mesh.blocks.bone.data();
  }

  void run(const Prepared& mesh) const {
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
  for (const BlockRun& run : blocks.runs) of_runs.push_back(loops(needs_guard(options), run.slots));
  mesh_ = std::make_shared<Prepared>(Prepared{options, traits, mesh.vertex_count(),
                                              PoseReader(mesh, traits.mover, traits.centre, std::move(sets)),
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
