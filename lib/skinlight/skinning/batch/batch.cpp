#include "skinlight/skinning/batch/batch.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "skinlight/core/error.h"
#include "skinlight/core/parallel.h"
#include "skinlight/skinning/batch/detail/batch_blocks.h"
#include "skinlight/skinning/batch/detail/batch_mesh.h"
#include "skinlight/skinning/detail/skin_range.h"
#include "skinlight/skinning/spherical_centres.h"

namespace skinlight {

static_assert(PosedBlock::kLanes == kBlockLanes && sizeof(PosedBlock) == 12 * kBlockLanes * sizeof(float));

namespace {

bool has_avx2() {
#if defined(__x86_64__)
  return avx2_lbs(NormalMode::deform, false, 1) != nullptr && __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

BlockLoop loop_of(InstructionSet set, const SkinOptions& o, int slots) {
  const bool guarded = o.guard.guard != Guard::none;
  const bool lbs = o.method == Method::lbs;
  if (set == InstructionSet::avx2)
    return lbs ? avx2_lbs(o.mode, guarded, slots) : avx2_rigid(o.method, o.mode, guarded, slots);
  return lbs ? portable_lbs(o.mode, guarded, slots) : portable_rigid(o.method, o.mode, guarded, slots);
}

void put(std::vector<float>& to, Vec3d v) {
  for (const double x : {v.x, v.y, v.z}) to.push_back(static_cast<float>(x));
}

}  // namespace

std::span<const InstructionSet> instruction_sets() {
  static constexpr std::array kAll = {InstructionSet::portable, InstructionSet::avx2};
  static const std::size_t count = has_avx2() ? 2 : 1;
  return {kAll.data(), count};
}

std::string_view name_of(InstructionSet set) { return set == InstructionSet::avx2 ? "avx2" : "portable"; }

struct SkinBatch::Prepared {
  SkinOptions options;
  int vertex_count, bone_count;
  BatchMesh blocks;
  std::vector<BlockLoop> loops;  // #runs
  std::vector<BoneReach> reach;  // of methods of rigid bones
  BoneSets sets;                 // of SBS
};

struct SkinBatch::Posing {
  std::vector<float> bones, twists, centres;
  BatchJob job;
  const Prepared* mesh = nullptr;

  void take(const Prepared& prepared, const Pose& pose);
  void run() const;

 private:
  void take_rigid(const Prepared& prepared, const Pose& pose);
};

void SkinBatch::Posing::take(const Prepared& prepared, const Pose& pose) {
  mesh = &prepared;
  const SkinOptions& options = prepared.options;
  require_bones(prepared.bone_count, pose);
  job = {};
  job.with = guard_input(options.guard, pose);
  job.guard = options.guard.guard;
  job.side = static_cast<float>(normal_side(options.mode, 1, pose));
  job.rest = prepared.blocks.rest.empty() ? nullptr : prepared.blocks.rest[0].lane;
  job.bone = prepared.blocks.bone.data();
  bones.clear();
  Vec3d pivot = pose.pivot;
  if (options.method == Method::lbs) {
    for (const Mat4x3d& M : pose.M)
      for (int c = 0; c < 4; ++c) put(bones, M[c]);
  } else if (options.method == Method::log) {
    take_rigid(prepared, with_pivot(pose, -pose.pivot));  // as log_range()
    pivot = Vec3d(0.0);
  } else {
    take_rigid(prepared, pose);
  }
  for (int c = 0; c < 3; ++c) job.pivot[c] = static_cast<float>(pivot[c]);
  job.bones = bones.data();
  job.twists = twists.data();
  job.centres = centres.data();
}

void SkinBatch::Posing::take_rigid(const Prepared& prepared, const Pose& pose) {
  const RigidPose rigid = rigid_part(pose, prepared.reach);
  job.scale = static_cast<float>(rigid.scale);
  for (const DualQuat& q : rigid.bones)
    for (const Quat& part : {q.r, q.d})
      for (const std::size_t k : {3, 0, 1, 2}) bones.push_back(static_cast<float>(part[k]));
  if (prepared.options.method == Method::log) {
    twists.clear();
    for (const DualQuat& q : rigid.bones) {
      const Twist xi = log_of(q);
      put(twists, xi.turn);
      put(twists, xi.shift);
    }
  }
  if (prepared.options.method == Method::sbs) {
    centres.clear();
    for (const Vec3d& r : spherical_centres(prepared.sets, rigid)) put(centres, r);
  }
}

void SkinBatch::Posing::run() const {
  const std::vector<BatchRun>& runs = mesh->blocks.runs;
  const auto body = [this, &runs](int begin, int end) {
    auto run = std::upper_bound(runs.begin(), runs.end(), begin,
                                [](int block, const BatchRun& r) { return block < r.end; });
    for (; begin < end; begin = run->end, ++run)
      mesh->loops[static_cast<std::size_t>(run - runs.begin())](job, *run, begin, std::min(end, run->end));
  };
  parallel_for(mesh->blocks.block_count(), mesh->options.threads, std::ref(body));
}

SkinBatch::SkinBatch(const RiggedMesh& mesh, const SkinData& data, const SkinOptions& options,
                     InstructionSet set)
    : posing_(std::make_unique<Posing>()) {
  const auto sets = instruction_sets();
  if (std::find(sets.begin(), sets.end(), set) == sets.end())
    throw InputError("", "instruction set '" + std::string(name_of(set)) + "'",
                     "is not one that this build and this machine have");
  require_data(mesh, data, options);
  auto prepared = std::make_shared<Prepared>();
  prepared->options = options;
  prepared->vertex_count = mesh.vertex_count();
  prepared->bone_count = mesh.bone_count;
  if (options.method != Method::lbs) prepared->reach = bone_reach(mesh);
  if (options.method == Method::sbs) prepared->sets = bone_sets(mesh, data.factors);
  prepared->blocks = batch_mesh(mesh, data, options, prepared->sets.of_vertex);
  for (const BatchRun& run : prepared->blocks.runs)
    prepared->loops.push_back(loop_of(set, options, run.slots));
  mesh_ = prepared;
}

SkinBatch::~SkinBatch() = default;
SkinBatch::SkinBatch(const SkinBatch& other) : mesh_(other.mesh_), posing_(std::make_unique<Posing>()) {}
SkinBatch& SkinBatch::operator=(const SkinBatch& other) {
  if (this != &other) mesh_ = other.mesh_;
  return *this;
}

void SkinBatch::skin(const Pose& pose, PosedBlocks& out) {
  posing_->take(*mesh_, pose);
  out.resize(static_cast<std::size_t>(block_count()));
  posing_->job.blocks = out.empty() ? nullptr : &out[0].p[0][0];
  posing_->run();
}

void SkinBatch::skin(const Pose& pose, SkinnedMesh<float>& out) {
  posing_->take(*mesh_, pose);
  for (std::vector<Vec3f>* vectors : {&out.p, &out.t, &out.b, &out.n})
    vectors->resize(static_cast<std::size_t>(vertex_count()));
  const auto floats = [](std::vector<Vec3f>& v) { return v.empty() ? nullptr : &v[0].x; };
  BatchJob& job = posing_->job;
  job.vertex = mesh_->blocks.vertex.data();
  job.p = floats(out.p);
  job.t = floats(out.t);
  job.b = floats(out.b);
  job.n = floats(out.n);
  posing_->run();
}

int SkinBatch::vertex_count() const { return mesh_->vertex_count; }
std::span<const int> SkinBatch::vertices() const { return mesh_->blocks.vertex; }
int SkinBatch::block_count() const { return mesh_->blocks.block_count(); }
int SkinBatch::run_count() const { return static_cast<int>(mesh_->blocks.runs.size()); }

}  // namespace skinlight
