// Bones that mirror and scale where they act: by reflected meshes, and by the same rig posed alike everywhere. No kernel
// is its own judge here.
#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/rig/bone_reach.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/truth/posed_truth.h"
#include "skinlight/truth/truth.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-12;  // unit vectors and positions near 1 in double

double angle_between(Vec3d a, Vec3d b) { return std::atan2(length(cross(a, b)), dot(a, b)); }

Vec3d times(Vec3d a, Vec3d b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

struct Rig {
  RiggedMesh mesh;
  Surface surface;
  NormalRecord factors, vectors;
  RotationCentres centres;
  FrameRecord frames;

  explicit Rig(const RiggedMesh& bound, std::span<const Pose> choice = {})
      : mesh(bound),
        surface(mesh.faces, weld(mesh)),
        factors(deform_factors(mesh, surface)),
        vectors(deform_vectors(mesh, surface)),
        centres(rotation_centres(mesh, surface)),
        frames(deform_frames(
            mesh, surface, {.blend = FrameBlend::rotation_centres, .centres = &centres, .choice = choice})) {}
  SkinData data() const {
    SkinData all = factors;
    all.vectors = &vectors;
    all.centres = &centres;
    all.frames = &frames;
    return all;
  }
};

// The sphere on the first bones of `bones`.
RiggedMesh bound(int used, int bones, Random& random) {
  RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(3), used, used, random);
  mesh.bone_count = bones;
  return mesh;
}

Mat4x3d scaled(double x, double y, double z) {
  return {Vec3d(x, 0, 0), Vec3d(0, y, 0), Vec3d(0, 0, z), Vec3d(0.0)};
}

// What a mirror makes of the sphere whose vertices are their own normals: the reflected ones.
TEST(Mirror, OfTheOnlyBoneThatMovesSomethingReflectsNormalsWhateverTheOthersAre) {
  Random random(1);
  const Rig rig(bound(1, 2, random));
  for (const Vec3d s : {Vec3d(-1, 1, 1), {1, -1, 1}, {1, 1, -1}, {-1, -1, -1}, {1, 1, 1}})
    for (const Mat4x3d& unused : {scaled(1, 1, 1), scaled(-1, 1, 1), scaled(100, 100, 100)}) {
      const Pose pose = make_pose({scaled(s.x, s.y, s.z), unused});
      const auto expect = [&](const std::vector<Vec3d>& n, std::string_view what) {
        for (std::size_t v = 0; v < n.size(); ++v)
          ASSERT_LT(length(n[v] - times(rig.mesh.n0[v], s)), 1e3 * kRounding) << what << " vertex " << v;
      };
      for (const MethodRow& method : methods()) {
        for (const NormalMode mode : method.modes)
          expect(skin<double>(rig.mesh, rig.data(), pose, {.method = method.method, .mode = mode}).n,
                 row(mode).name);
        const PosedTruth truth = posed_truth(rig.mesh, rig.surface, rig.data(), pose, method.method);
        expect(truth.transported, "transported");
        const std::vector<Vec3d> faces = vertex_normals(rig.surface, rig.mesh.p0, Averaging::area);
        for (std::size_t v = 0; v < faces.size(); ++v)
          ASSERT_LT(length(truth.recomputed[v] - times(faces[v], s)), 1e3 * kRounding);
      }
    }
}

TEST(Mirror, AnalyticNormalsAskOnlyBonesThatMoveSomething) {
  ProceduralRig rig = cylinder({}, {.segments = 12});
  const Pose bend = cylinder_bend(.7);
  for (const Pose& pose : {bend, test_rigs::mirrored(bend)}) {
    for (const MethodRow& method : methods()) {
      const CentreField field{rig.mesh.p0, std::vector<Mat3d>(rig.mesh.p0.size())};
      const auto normals = [&](const std::vector<Mat4x3d>& M) {
        ProceduralRig with = rig;
        with.mesh.bone_count = static_cast<int>(M.size());
        return analytic_normals(with, make_pose(M), method.method, &field);
      };
      const std::vector<Vec3d> expected = normals(pose.M);
      for (const Mat4x3d& unused : {scaled(1, 1, 1), scaled(-1, 1, 1), scaled(.01, .01, .01)}) {
        std::vector<Mat4x3d> M = pose.M;
        M.resize(32, unused);
        EXPECT_EQ(normals(M), expected) << method.name;
      }
    }
  }
}

// Thirty joints that move nothing, scaled .01, 100 or -1.
TEST(Mirror, BonesWithoutWeightChangeNoByte) {
  Random random(2);
  const RiggedMesh mesh = bound(4, 34, random);
  const Rig rig(mesh);
  const Pose pose = test_rigs::random_rigid_pose(4, random, 1, .4);
  for (const bool mirror : {false, true})
    for (const Mat4x3d& unused :
         {scaled(.01, .01, .01), scaled(100, 100, 100), scaled(-1, 1, 1), scaled(-1, -1, -1)})
      for (const MethodRow& method : methods()) {
        std::vector<Mat4x3d> M = mirror ? test_rigs::mirrored(pose).M : pose.M, with = M;
        M.resize(34, scaled(1, 1, 1));
        with.resize(34, unused);
        for (const NormalMode mode : method.modes)
          for (const GuardRow& guard : guards()) {
            const SkinOptions options{.method = method.method, .mode = mode, .guard = guard.usual};
            const auto a = skin<float>(rig.mesh, rig.data(), make_pose(M), options),
                       b = skin<float>(rig.mesh, rig.data(), make_pose(with), options);
            ASSERT_EQ(a.p, b.p) << method.name;
            ASSERT_EQ(a.n, b.n) << method.name << " " << row(mode).name << " " << row(guard.guard).name;
          }
        const PosedTruth a = posed_truth(rig.mesh, rig.surface, rig.data(), make_pose(M), method.method),
                         b = posed_truth(rig.mesh, rig.surface, rig.data(), make_pose(with), method.method);
        EXPECT_EQ(a.transported, b.transported) << method.name;
        EXPECT_EQ(a.recomputed, b.recomputed) << method.name;
      }
}

// Two meshes as one, each on bones of its own.
RiggedMesh joined(const RiggedMesh& one, const RiggedMesh& other) {
  RiggedMesh both = one;
  const int vertices = one.vertex_count();
  both.bone_count = one.bone_count + other.bone_count;
  for (const Face& f : other.faces) both.faces.push_back({f[0] + vertices, f[1] + vertices, f[2] + vertices});
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(both.p0, other.p0);
  append(both.n0, other.n0);
  append(both.t0, other.t0);
  append(both.b0, other.b0);
  append(both.handedness, other.handedness);
  append(both.frame_source, other.frame_source);
  for (const int bone : other.bone) both.bone.push_back(bone + one.bone_count);
  append(both.weight, other.weight);
  return both;
}

// Two skins in one file, one under a mirrored or scaled root: each is posed as it would be alone.
TEST(Mirror, OfOneOfTwoSkinsLeavesTheOtherAlone) {
  Random random(3);
  const RiggedMesh sphere = bound(3, 3, random);
  RiggedMesh beside = sphere;
  for (Vec3d& p : beside.p0) p += Vec3d(5, 0, 0);
  // Deform frames are chosen over random poses, which are others for another mesh: here both are given the same.
  std::vector<Pose> choice, choice_of_both;
  for (int k = 0; k < 4; ++k) {
    choice.push_back(test_rigs::random_rigid_pose(3, random));
    std::vector<Mat4x3d> twice = choice.back().M;
    twice.insert(twice.end(), choice.back().M.begin(), choice.back().M.end());
    choice_of_both.push_back(make_pose(twice));
  }
  const Rig one(sphere, choice), other(beside, choice), both(joined(sphere, beside), choice_of_both);
  const Pose pose = test_rigs::random_rigid_pose(3, random, 1, .3);
  for (const Vec3d s : {Vec3d(-1, 1, 1), {1, 1, -1}, {100, 100, 100}, {.01, .01, .01}, {-3, -3, -3}}) {
    std::vector<Mat4x3d> under_root, all = pose.M;
    for (const Mat4x3d& m : pose.M) under_root.push_back(compose(scaled(s.x, s.y, s.z), m));
    all.insert(all.end(), under_root.begin(), under_root.end());
    for (const MethodRow& method : methods())
      for (const NormalMode mode : method.modes)
        for (const GuardRow& guard : guards()) {
          const SkinOptions options{.method = method.method, .mode = mode, .guard = guard.usual};
          const auto a = skin<double>(one.mesh, one.data(), pose, options),
                     b = skin<double>(other.mesh, other.data(), make_pose(under_root), options),
                     got = skin<double>(both.mesh, both.data(), make_pose(all), options);
          const std::size_t count = sphere.p0.size();
          for (std::size_t v = 0; v < 2 * count; ++v) {
            const auto& expected = v < count ? a : b;
            const std::size_t i = v % count;
            ASSERT_LT(length(got.p[v] - expected.p[i]), 1e4 * length(s) * kRounding)
                << method.name << " " << v;
            ASSERT_LT(angle_between(got.n[v], expected.n[i]), 1e-9) << method.name << " " << row(mode).name;
          }
        }
  }
}

// An arm that was made as the mirror of the other: the vertices that a mirroring bone moves alone are posed as if all bones
// mirrored, those of the other bone as if none did, and where both blend the heavier side tells outwards.
TEST(Mirror, OfOneOfTwoBonesActsWhereItHasTheWeight) {
  const ProceduralRig tube = cylinder({}, {.segments = 24});
  const Rig rig(tube.mesh);
  const Mat4x3d mirror = scaled(1, -1, 1);
  const Pose mixed = make_pose({scaled(1, 1, 1), mirror}),
             none = make_pose({scaled(1, 1, 1), scaled(1, 1, 1)}), all = make_pose({mirror, mirror});
  int alone = 0;
  for (const MethodRow& method : methods())
    for (const NormalMode mode : method.modes) {
      const SkinOptions options{.method = method.method, .mode = mode};
      const auto got = skin<double>(rig.mesh, rig.data(), mixed, options),
                 plain = skin<double>(rig.mesh, rig.data(), none, options),
                 mirrored = skin<double>(rig.mesh, rig.data(), all, options);
      for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
        const auto i = static_cast<std::size_t>(v);
        bool single = true;  // no other bone around the vertex either
        for (int k = 0; k < rig.factors.slots; ++k) {
          const std::size_t slot = rig.factors.at(v, k);
          single = single && (rig.factors.bone[slot] == rig.mesh.bones_of(v)[0] ||
                              (rig.factors.weight[slot] == 0 && rig.factors.alpha[slot] == 0 &&
                               rig.factors.beta[slot] == 0));
        }
        if (!single) continue;
        ++alone;
        const auto& expected = rig.mesh.bones_of(v)[0] == 0 ? plain : mirrored;
        ASSERT_LT(length(got.p[i] - expected.p[i]), 1e3 * kRounding) << method.name;
        ASSERT_LT(angle_between(got.n[i], expected.n[i]), 1e-9) << method.name << " " << row(mode).name;
      }
    }
  EXPECT_GT(alone, 1000);
  const std::vector<double> side = orientations(rig.mesh, mixed);
  const auto normals = analytic_lbs_normals(tube, mixed);
  for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
    const bool of_mirror = rig.mesh.bones_of(v)[0] == 1 && rig.mesh.weights_of(v)[0] > .5;
    EXPECT_EQ(side[static_cast<std::size_t>(v)], of_mirror ? -1 : 1);
    const double y = (of_mirror ? -1 : 1) * rig.mesh.n0[static_cast<std::size_t>(v)].y;
    if (std::abs(y) > .1) {
      EXPECT_GT(normals[static_cast<std::size_t>(v)].y * y, 0) << v;
    }
  }
}

}  // namespace
}  // namespace skinlight
