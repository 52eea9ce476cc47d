// SkinBatch against skin(), component by component, and against a Jacobian in Eigen.
#include "skinlight/skinning/batch/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <set>
#include <string>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/error.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/skin_with.h"
#include "testing/rigs.h"
#include "testing/skin_data.h"

namespace {
std::atomic<long> allocations = 0;
}

// Counts what the tests of this program allocate. Not inlined: GCC would compare malloc with delete.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto step = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(step, (size + step - 1) / step * step)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace skinlight {
namespace {

using test_skin_data::factors_of;
using testing::HasSubstr;

// A mesh with all that skinning can read.
struct Rig {
  RiggedMesh mesh;
  NormalRecord factors;
  NormalRecord vectors;
  FrameRecord frames;
  RotationCentres centres;

  Rig(const RiggedMesh& bound, int max_slots) : mesh(bound), factors(factors_of(bound, max_slots)) {
    const Surface surface(mesh.faces, weld(mesh));
    vectors = deform_vectors(mesh, surface, {.max_slots = max_slots});
    centres = rotation_centres(mesh, surface);
    frames = deform_frames(
        mesh, surface,
        {.blend = FrameBlend::rotation_centres, .centres = &centres, .max_slots = max_slots, .threads = 1});
  }
  SkinData data() const {
    SkinData all = factors;
    all.vectors = &vectors;
    all.frames = &frames;
    all.centres = &centres;
    return all;
  }
};

// Every method and mode without guard, and with each guard; a guard on a mode that takes none too.
std::vector<SkinOptions> all_options() {
  std::vector<SkinOptions> all;
  for (const MethodRow& method : methods())
    for (const NormalMode mode : method.modes)
      for (const GuardRow& guard : guards())
        all.push_back({.method = method.method, .mode = mode, .guard = guard.usual, .threads = 1});
  return all;
}

std::string name_of(const SkinOptions& o) {
  return std::string(row(o.method).name) + " " + std::string(row(o.mode).name) + " " +
         std::string(row(o.guard.guard).name);
}

SkinnedMesh<float> in_file_order(const SkinBatch& batch, const PosedBlocks& posed) {
  SkinnedMesh<float> out;
  int outputs = static_cast<int>(posed.outputs);
  for (std::vector<Vec3f>* values : {&out.p, &out.n, &out.t, &out.b})
    if (outputs-- > 0) values->resize(static_cast<std::size_t>(batch.vertex_count()));
  for (int block = 0; block < batch.block_count(); ++block)
    for (int lane = 0; lane < kBlockLanes; ++lane) {
      const int vertex = batch.vertices()[static_cast<std::size_t>(block * kBlockLanes + lane)];
      if (vertex < 0) continue;
      const auto put = [&](std::vector<Vec3f>& to, const PosedBlocks::Row* rows) {
        if (!to.empty()) to[static_cast<std::size_t>(vertex)] = {rows[0][lane], rows[1][lane], rows[2][lane]};
      };
      put(out.p, posed.p(block));
      put(out.n, posed.n(block));
      put(out.t, posed.t(block));
      put(out.b, posed.b(block));
    }
  return out;
}

bool equal(const SkinnedMesh<float>& a, const SkinnedMesh<float>& b) {
  return a.p == b.p && a.t == b.t && a.b == b.b && a.n == b.n;
}

// That blocks and file order of every instruction set hold what skin() gives.
void expect_equal_to_skin(const Rig& rig, const Pose& pose) {
  for (const SkinOptions& options : all_options()) {
    const SkinnedMesh<float> expected = skin<float>(rig.mesh, rig.data(), pose, options);
    for (const InstructionSet set : usable_instruction_sets()) {
      SkinBatch batch(rig.mesh, rig.data(), options, set);
      PosedBlocks blocks;
      batch.skin(pose, blocks);
      EXPECT_TRUE(equal(in_file_order(batch, blocks), expected)) << name_of(options) << " " << name_of(set);
      SkinnedMesh<float> posed;
      batch.skin(pose, posed);
      EXPECT_TRUE(equal(posed, expected)) << name_of(options) << " " << name_of(set) << ", file order";
    }
  }
}

class BatchSlots : public testing::TestWithParam<int> {};

TEST_P(BatchSlots, EqualSkinInEveryMethodModeGuardAndInstructionSet) {
  const int slots = GetParam();
  Random random(static_cast<std::uint64_t>(slots));
  for (const bool jagged : {false, true}) {
    const test_meshes::TriangleMesh shape =
        jagged ? test_meshes::bumpy_sphere(2, random) : test_meshes::terrain(9, .2, random);
    RiggedMesh mesh =
        jagged ? test_rigs::bind_jagged(shape, 9, slots, random) : test_rigs::bind(shape, 9, slots, random);
    ASSERT_NE(mesh.vertex_count() % kBlockLanes, 0);
    const Pose rigid = test_rigs::random_rigid_pose(9, random, 1, .6);
    Pose far = rigid;
    for (Mat4x3d& M : far.M) M[3] += Vec3d(300, -200, 400);
    {
      SCOPED_TRACE("rigid, mirrored");
      const Rig rig(mesh, slots);
      expect_equal_to_skin(rig, rigid);
      expect_equal_to_skin(rig, test_rigs::mirrored(rigid));
    }
    // Half of the texture mirrored: both signs within a run.
    for (std::size_t v = 0; v < mesh.p0.size(); v += 2) {
      mesh.t0[v] = -mesh.t0[v];
      mesh.handedness[v] = -mesh.handedness[v];
    }
    SCOPED_TRACE("mirrored uv");
    const Rig rig(mesh, std::min(slots + 2, kMaxSlots));
    expect_equal_to_skin(rig, centred(test_rigs::mirrored(far)));
    expect_equal_to_skin(rig, test_rigs::random_affine_pose(9, random));
  }
}

INSTANTIATE_TEST_SUITE_P(Slots, BatchSlots, testing::Values(1, 2, 3, 4, 5, 8));

TEST(SkinBatch, MirrorAndScaleOfAllBonesEqualSkin) {
  Random random(1);
  const Rig rig(test_rigs::bind(test_meshes::bumpy_sphere(2, random), 6, 4, random), 4);
  std::vector<Mat4x3d> M = test_rigs::mirrored(test_rigs::random_rigid_pose(6, random)).M;
  for (Mat4x3d& m : M) m = m * 100.0;
  expect_equal_to_skin(rig, centred(make_pose(M)));
}

// Bones of one rig that mirror, and islands of bones that scale: blocks then hold vertices of several groups.
TEST(SkinBatch, MirrorAndScaleOfSomeBonesEqualSkin) {
  Random random(11);
  RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(2, random), 6, 4, random);
  for (std::size_t i = 0; i < mesh.bone.size(); ++i)  // two islands
    mesh.bone[i] = i < mesh.bone.size() / 3 ? mesh.bone[i] / 2 : 3 + mesh.bone[i] / 2;
  std::vector<Warning> warnings;
  normalize_weights(mesh, warnings);
  const Rig rig(mesh, 4);
  std::vector<Mat4x3d> M = test_rigs::random_rigid_pose(6, random).M;
  for (int c = 0; c < 4; ++c) {
    M[1][c].x = -M[1][c].x;
    for (std::size_t s = 3; s < 6; ++s) M[s][c] = M[s][c] * 3.0;
  }
  M[4][0] = -M[4][0];
  expect_equal_to_skin(rig, make_pose(M));
  expect_equal_to_skin(rig, centred(make_pose(M)));
}

// Degenerate poses go through the fallbacks of finish().
TEST(SkinBatch, CollapsedAndHugePosesEqualSkin) {
  Random random(2);
  const Rig rig(test_rigs::bind_jagged(test_meshes::bumpy_sphere(1, random), 4, 4, random), 4);
  Mat4x3d line = identity_transform<double>();
  line[2] = line[1] = Vec3d(0.0);
  for (const Mat4x3d& M : {line, identity_transform<double>() * 1e-20, identity_transform<double>() * 1e20})
    expect_equal_to_skin(rig, make_pose(std::vector<Mat4x3d>(4, M)));
}

// Slots that a mode reads through one array only must not be dropped, those between them that carry nothing
// may.
TEST(SkinBatch, SlotsWithHolesEqualSkin) {
  Random random(11);
  Rig rig(test_rigs::bind_jagged(test_meshes::bumpy_sphere(2, random), 9, 8, random), 8);
  const auto drop = [&]<class T>(T& value) {
    if (random.below(4) != 0) value = T(0.0);
  };
  for (int v = 0; v < rig.mesh.vertex_count(); ++v)
    for (int s = 1; s < rig.factors.slots; ++s) {
      const std::size_t i = rig.factors.at(v, s);
      drop(rig.factors.weight[i]);
      drop(rig.factors.alpha[i]);
      drop(rig.factors.beta[i]);
      drop(rig.factors.gradient[i]);
      drop(rig.factors.smooth_weight[i]);
    }
  for (std::size_t i = 0; i < rig.vectors.weight.size(); ++i)
    if (i % static_cast<std::size_t>(rig.vectors.slots) != 0) {
      drop(rig.vectors.weight[i]);
      drop(rig.vectors.along_t[i]);
      drop(rig.vectors.alpha[i]);
      drop(rig.vectors.along_b[i]);
      drop(rig.vectors.beta[i]);
    }
  expect_equal_to_skin(rig, test_rigs::random_rigid_pose(9, random));
}

// Runs of one vertex each: every vertex has bones of its own.
TEST(SkinBatch, OneSetOfBonesPerVertexEqualsSkinAndSharesBlocks) {
  Random random(3);
  RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(1), 2, 2, random);
  mesh.bone_count = 2 * mesh.vertex_count();
  for (std::size_t i = 0; i < mesh.bone.size(); ++i) mesh.bone[i] = static_cast<int>(i);
  const Rig rig(mesh, 4);
  const SkinBatch batch(rig.mesh, rig.data());
  EXPECT_EQ(batch.run_count(), batch.block_count());
  EXPECT_EQ(batch.block_count(), (mesh.vertex_count() + kBlockLanes - 1) / kBlockLanes);
  expect_equal_to_skin(rig, test_rigs::random_rigid_pose(mesh.bone_count, random));
}

// Runs of as many vertices each as there are lanes and some more: five and more fill a block of their own, fewer share blocks.
TEST(SkinBatch, WhatIsLeftOfRunsSharesBlocksBelowFiveVertices) {
  Random random(4);
  const RiggedMesh sphere = test_rigs::bind(test_meshes::bumpy_sphere(3, random), 2, 2, random);
  for (int tail = 0; tail < kBlockLanes; ++tail) {
    SCOPED_TRACE(tail);
    constexpr int kRuns = 4;
    const int of_run = kBlockLanes + tail;
    RiggedMesh mesh = sphere;
    const auto count = static_cast<std::size_t>(kRuns * of_run);
    ASSERT_LE(count, mesh.p0.size());
    mesh.faces.clear();
    mesh.bone_count = 2 * kRuns;
    for (std::vector<Vec3d>* vectors : {&mesh.p0, &mesh.n0, &mesh.t0, &mesh.b0}) vectors->resize(count);
    mesh.handedness.resize(count);
    mesh.frame_source.resize(count);
    mesh.bone.clear();
    mesh.weight.assign(2 * count, .5);
    for (int v = 0; v < static_cast<int>(count); ++v)
      mesh.bone.insert(mesh.bone.end(), {v % kRuns, kRuns + v % kRuns});
    const SkinBatch batch(mesh, {}, {.method = Method::lbs, .mode = NormalMode::standard});
    const int shared = (kRuns * tail + kBlockLanes - 1) / kBlockLanes;
    EXPECT_EQ(batch.block_count(), kRuns + (tail < 5 ? shared : kRuns));
    EXPECT_EQ(batch.run_count(), kRuns + (tail < 5 ? shared : 0));
  }
}

TEST(SkinBatch, OneTriangleAndNoVertexEqualSkin) {
  Random random(4);
  RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(1), 2, 2, random);
  const Pose pose = test_rigs::random_rigid_pose(2, random);
  NormalRecord factors = factors_of(mesh);
  for (const std::size_t count : {std::size_t(1), std::size_t(0)}) {
    for (std::vector<Vec3d>* vectors : {&mesh.p0, &mesh.n0, &mesh.t0, &mesh.b0}) vectors->resize(count);
    mesh.handedness.resize(count);
    const std::size_t slots = count * static_cast<std::size_t>(factors.slots);
    factors.bone.resize(slots);
    factors.gradient.resize(slots);
    for (std::vector<double>* values :
         {&factors.weight, &factors.alpha, &factors.beta, &factors.smooth_weight})
      values->resize(slots);
    mesh.bone.resize(count * static_cast<std::size_t>(mesh.slots));
    mesh.weight.resize(mesh.bone.size());
    for (const Method method : {Method::lbs, Method::dqs}) {
      SkinBatch batch(mesh, factors, {.method = method});
      SkinnedMesh<float> posed;
      batch.skin(pose, posed);
      EXPECT_TRUE(equal(posed, skin<float>(mesh, factors, pose, {.method = method})));
      EXPECT_EQ(batch.block_count(), static_cast<int>(count));
    }
  }
}

TEST(SkinBatch, EveryVertexHasOneLaneAndPaddingEndsRuns) {
  Random random(5);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::bumpy_sphere(3, random), 6, 4, random);
  const SkinBatch batch(mesh, factors_of(mesh));
  std::multiset<int> seen;
  for (int block = 0; block < batch.block_count(); ++block) {
    const auto lanes = batch.vertices().subspan(static_cast<std::size_t>(block * kBlockLanes), kBlockLanes);
    EXPECT_GE(lanes[0], 0);
    for (std::size_t lane = 1; lane < lanes.size(); ++lane)
      if (lanes[lane - 1] < 0) {
        EXPECT_LT(lanes[lane], 0);
      }
    for (const int v : lanes)
      if (v >= 0) seen.insert(v);
  }
  EXPECT_EQ(seen.size(), mesh.p0.size());
  EXPECT_EQ(std::set<int>(seen.begin(), seen.end()).size(), mesh.p0.size());
  EXPECT_LT(batch.block_count() * kBlockLanes - mesh.vertex_count(), kBlockLanes / 2 * batch.run_count());
  // Each lane has a position and a normal at least, and as many numbers as every other.
  const std::size_t lanes = static_cast<std::size_t>(batch.block_count()) * kBlockLanes;
  EXPECT_GE(batch.rest_bytes(), lanes * 6 * sizeof(float));
  EXPECT_EQ(batch.rest_bytes() % lanes, 0u);
}

TEST(SkinBatch, InstructionSetAndThreadCountDoNotChangeAByte) {
  Random random(6);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::bumpy_sphere(6, random), 8, 4, random);
  const NormalRecord factors = factors_of(mesh);
  const Pose pose = test_rigs::random_rigid_pose(8, random);
  for (const Method method : {Method::lbs, Method::dqs}) {
    PosedBlocks one;
    SkinBatch(mesh, factors, {.method = method, .threads = 1}, InstructionSet::baseline).skin(pose, one);
    ASSERT_GT(one.rows.size(), 2 * 1024U * one.rows_of_block());  // several ranges
    for (const InstructionSet set : usable_instruction_sets())
      for (const int threads : {1, 2, 3, 0}) {
        PosedBlocks many;
        SkinBatch(mesh, factors, {.method = method, .threads = threads}, set).skin(pose, many);
        ASSERT_EQ(many.rows.size(), one.rows.size());
        EXPECT_EQ(std::memcmp(many.rows.data(), one.rows.data(), one.rows.size() * sizeof(PosedBlocks::Row)),
                  0)
            << name_of(set) << " " << threads;
      }
  }
}

// Independent of the kernels: co(J)^T n0 with J of [TPS14 Eq. 7], in double.
TEST(SkinBatch, NormalsAreThoseOfTheJacobianInEigen_Eq7_13) {
  // A float has 24 bits; r and the products of up to 4 slots lose some tens of them against |t x b| >= kLong.
  constexpr double kFloatAngle = 2e-5, kLong = .2;
  Random random(7);
  for (const int slots : {1, 2, 3, 4}) {
    const RiggedMesh mesh = test_rigs::bind(test_meshes::bumpy_sphere(3, random), 6, slots, random);
    const NormalRecord f = factors_of(mesh);
    const Pose pose = test_rigs::mirrored(test_rigs::random_affine_pose(6, random, .3));
    SkinnedMesh<float> posed;
    SkinBatch(mesh, f).skin(pose, posed);
    int compared = 0;
    for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
      Eigen::Matrix3d J = Eigen::Matrix3d::Zero();
      Eigen::Vector3d p = Eigen::Vector3d::Zero();
      for (int s = 0; s < f.slots; ++s) {
        const std::size_t i = f.at(static_cast<int>(v), s);
        const Mat4x3d& m = pose.M[static_cast<std::size_t>(f.bone[i])];
        Eigen::Matrix3d linear;
        linear << eigen(m[0]), eigen(m[1]), eigen(m[2]);
        const Eigen::Vector3d q = linear * eigen(mesh.p0[v]) + eigen(m[3]);
        J += f.weight[i] * linear + q * eigen(f.gradient[i]).transpose();
        p += f.weight[i] * q;
      }
      EXPECT_LT((eigen(Vec3d(posed.p[v])) - p).norm(), 3e-6);
      const Eigen::Vector3d n =
          pose.orientation * J.determinant() * (J.inverse().transpose() * eigen(mesh.n0[v]));
      if (n.norm() < kLong || std::abs(J.determinant()) < kLong) continue;
      EXPECT_LT((eigen(Vec3d(posed.n[v])) - n.normalized()).norm(), kFloatAngle);
      EXPECT_LT((eigen(Vec3d(posed.t[v])) - (J * eigen(mesh.t0[v])).normalized()).norm(), kFloatAngle);
      ++compared;
    }
    EXPECT_GT(compared, mesh.vertex_count() / 2);
  }
}

TEST(SkinBatch, LaterPosesAllocateNothingAndCopiesShareTheMesh) {
  Random random(8);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::bumpy_sphere(4, random), 6, 4, random);
  const NormalRecord factors = factors_of(mesh);
  const Pose first = test_rigs::random_rigid_pose(6, random),
             second = test_rigs::random_rigid_pose(6, random);
  SkinBatch batch(mesh, factors, {.threads = 1});
  PosedBlocks blocks;
  SkinnedMesh<float> posed;
  batch.skin(first, blocks);
  batch.skin(first, posed);
  const long before = allocations;
  batch.skin(second, blocks);
  batch.skin(second, posed);
  batch.skin(second, PosedArrays{&posed.p[0].x, &posed.n[0].x, &posed.t[0].x, &posed.b[0].x});
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(equal(in_file_order(batch, blocks), posed));

  SkinBatch copy = batch;
  SkinnedMesh<float> of_copy;
  copy.skin(second, of_copy);
  EXPECT_TRUE(equal(of_copy, posed));
  EXPECT_EQ(copy.vertices().data(), batch.vertices().data());
}

TEST(SkinBatch, WhatDoesNotBelongTogetherIsAnError) {
  Random random(9);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(1), 4, 3, random);
  const NormalRecord good = factors_of(mesh);
  const auto error = [&](const NormalRecord& f, const SkinOptions& options, int bones) -> std::string {
    try {
      SkinnedMesh<float> posed;
      SkinBatch(mesh, f, options).skin(rest_pose(bones), posed);
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(error(good, {}, 4), "accepted");
  EXPECT_EQ(error(good, {}, 9), "accepted");
  EXPECT_THAT(error(good, {}, 3), HasSubstr("pose: has 3 entries, the mesh needs 4"));
  EXPECT_THAT(error({}, {}, 4), HasSubstr("deform factors: have no slots"));
  NormalRecord bad = good;
  bad.bone[5] = 4;
  EXPECT_THAT(error(bad, {}, 4), HasSubstr("bone 4 does not exist"));
  bad = good;
  bad.beta.pop_back();
  EXPECT_THAT(error(bad, {}, 4), HasSubstr("beta of the deform factors"));
  EXPECT_THAT(error(good, {.mode = NormalMode::exact}, 4), HasSubstr("has no normal mode 'exact'"));
  EXPECT_THAT(error(good, {.mode = NormalMode::deform_vectors}, 4), HasSubstr("deform vectors: are missing"));
  EXPECT_THAT(error(good, {.method = Method::crs, .mode = NormalMode::exact}, 4),
              HasSubstr("needs rotation centres"));
  EXPECT_THAT(error(good, {.guard = {Guard::joint, 1}}, 4), HasSubstr("c = 1.000000 of the guard"));
}

TEST(SkinBatch, OutputsAreThoseAskedFor) {
  Random random(12);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::bumpy_sphere(2, random), 6, 4, random);
  const NormalRecord factors = factors_of(mesh);
  const Pose pose = test_rigs::random_rigid_pose(6, random);
  for (const Outputs outputs : {Outputs::positions, Outputs::normals, Outputs::tangents, Outputs::frame})
    for (const Method method : {Method::lbs, Method::dqs}) {
      const SkinOptions options{.method = method, .guard = kRecommendedGuard, .outputs = outputs};
      const SkinnedMesh<float> expected = skin<float>(mesh, factors, pose, options);
      SkinBatch batch(mesh, factors, options);
      PosedBlocks blocks;
      batch.skin(pose, blocks);
      EXPECT_EQ(blocks.rows.size(),
                static_cast<std::size_t>(batch.block_count()) * 3 * static_cast<std::size_t>(outputs));
      EXPECT_TRUE(equal(in_file_order(batch, blocks), expected));
      SkinnedMesh<float> posed;
      batch.skin(pose, posed);
      EXPECT_TRUE(equal(posed, expected));
      EXPECT_EQ(posed.n.empty(), outputs == Outputs::positions);
      SkinnedMesh<float> own;
      own.p = own.n = own.t = own.b = std::vector<Vec3f>(mesh.p0.size(), Vec3f(7));
      PosedArrays arrays{&own.p[0].x, &own.n[0].x, &own.t[0].x, &own.b[0].x};
      batch.skin(pose, arrays);
      for (const auto& [got, wanted] : {std::pair{&own.p, &expected.p},
                                        {&own.n, &expected.n},
                                        {&own.t, &expected.t},
                                        {&own.b, &expected.b}})
        EXPECT_EQ(*got, wanted->empty() ? std::vector<Vec3f>(mesh.p0.size(), Vec3f(7)) : *wanted);
      arrays.p = nullptr;
      EXPECT_THROW(batch.skin(pose, arrays), InputError);
    }
}

// Deform factors by another kernel than the table's: the same through the public way.
struct Mine {
  static constexpr KernelTraits traits = {.reads = {.factors = true}};
  template <class K>
  static typename K::PosedVertex run(const KernelInput<K>& in) {
    return K().lbs_deform(in.x, in.f, in.rest);
  }
};

TEST(SkinBatch, KernelsOfOnesOwnRunInTheSameLoops) {
  Random random(13);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::bumpy_sphere(2, random), 6, 4, random);
  const NormalRecord factors = factors_of(mesh);
  const Pose pose = test_rigs::random_rigid_pose(6, random);
  const SkinnedMesh<float> expected = skin<float>(mesh, factors, pose);
  EXPECT_TRUE(equal((skin_with<Mine, float>(mesh, factors, pose)), expected));
  EXPECT_EQ((skin_with<Mine, double>(mesh, factors, pose)).n, skin<double>(mesh, factors, pose).n);
  SkinBatch batch(loop_of<Mine, Pack<4>, float>, Mine::traits, mesh, factors);
  SkinnedMesh<float> posed;
  batch.skin(pose, posed);
  EXPECT_TRUE(equal(posed, expected));
}

TEST(SkinBatch, RefusesAnInstructionSetThatIsNone) {
  Random random(10);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(1), 2, 2, random);
  EXPECT_THROW(SkinBatch(mesh, factors_of(mesh), {}, static_cast<InstructionSet>(7)), InputError);
}

}  // namespace
}  // namespace skinlight
