// Deform frames against what they must become in the limit: the surface that is refined, the derivative of the blended
// motion, and deform vectors where all bones turn alike.
#include "skinlight/preprocess/deform_frames.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "skinlight/core/dual.h"
#include "skinlight/core/random.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/truth/angular_error.h"
#include "skinlight/truth/posed_truth.h"
#include "skinlight/truth/truth.h"
#include "testing/frame_kernels.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

// RMS degrees, by mode.
using Errors = std::map<NormalMode, double>;

ProceduralRig tube(int segments) {
  return cylinder({.half_length = 2, .half_blend = 1.5, .ramp = Ramp::smootherstep}, {.segments = segments});
}

Errors errors(int segments, Method method, Truth truth) {
  const ProceduralRig rig = tube(segments);
  const Pose bend = cylinder_bend(60 * M_PI / 180);
  const Surface surface(rig.mesh.faces, weld(rig.mesh));
  const NormalRecord factors = deform_factors(rig.mesh, surface, {.max_slots = kAllSlots});
  const FrameRecord frames =
      deform_frames(rig.mesh, surface,
                    {.blend = method == Method::log ? FrameBlend::logarithms : FrameBlend::dual_quaternions});
  SkinData data = factors;
  data.frames = &frames;
  const PosedTruth posed = posed_truth(rig.mesh, surface, data, bend, method);
  const std::vector<Vec3d> right =
      truth == Truth::analytic ? analytic_normals(rig, bend, method) : posed.transported;
  Errors found;
  for (const NormalMode mode : {NormalMode::standard, NormalMode::exact, NormalMode::deform_frames})
    found[mode] = angular_error(skin<double>(rig.mesh, data, bend, {.method = method, .mode = mode}).n, right,
                                posed.areas, "deformed area")
                      .rms;
  return found;
}

struct Study {
  Errors coarse, fine;

  Study(Method method, Truth truth) : coarse(errors(24, method, truth)), fine(errors(96, method, truth)) {}
  double order(NormalMode mode) const { return std::log2(coarse.at(mode) / fine.at(mode)) / 2; }
};

// Of second order against the smooth surface, as the exact derivative; which is nearer to it.
TEST(DeformFramesTruth, ConvergeToTheSmoothSurfaceWithSecondOrder) {
  for (const Method method : {Method::dqs, Method::log}) {
    SCOPED_TRACE(row(method).name);
    const Study s(method, Truth::analytic);
    EXPECT_GT(s.coarse.at(NormalMode::deform_frames), .05);
    EXPECT_GT(s.order(NormalMode::deform_frames), 1.7);
    EXPECT_GT(s.order(NormalMode::exact), 1.7);
    EXPECT_LT(s.order(NormalMode::standard), .1);
    EXPECT_GT(s.fine.at(NormalMode::deform_frames), s.fine.at(NormalMode::exact));
    EXPECT_LT(s.fine.at(NormalMode::deform_frames), 3 * s.fine.at(NormalMode::exact));
  }
}

// Against the posed triangles they are of as high an order and several times nearer.
TEST(DeformFramesTruth, AreNearerToThePosedTrianglesAtEveryResolution) {
  for (const Method method : {Method::dqs, Method::log}) {
    SCOPED_TRACE(row(method).name);
    const Study s(method, Truth::transported);
    EXPECT_GT(s.order(NormalMode::deform_frames), 1.7);
    EXPECT_LT(s.coarse.at(NormalMode::deform_frames), s.coarse.at(NormalMode::exact) / 3);
    EXPECT_LT(s.fine.at(NormalMode::deform_frames), s.fine.at(NormalMode::exact) / 3);
  }
}

constexpr int kSlots = 4;

// A vertex of random bones and weights; its frames add nothing.
template <class T>
test_frames::FrameInput<Kernels<T, kSlots>> random_vertex(Random& random) {
  using K = Kernels<T, kSlots>;
  using vec3 = typename K::vec3;
  test_frames::FrameInput<K> in{};
  const RigidPose rigid = rigid_part(test_rigs::random_rigid_pose(kSlots, random, 1, 1),
                                     std::vector<BoneReach>(kSlots, {1, Vec3d(0.0)}));
  const double w[kSlots] = {.4, .3, .2, .1};
  for (int s = 0; s < kSlots; ++s) set_bone(in, s, rigid.bones[static_cast<std::size_t>(s)], w[s]);
  const Vec3d t = random.direction(), b = random.direction();
  in.rest = {vec3(random.in_cube(1)), vec3(cross(t, b)), vec3(t), vec3(b)};
  in.centre = vec3(random.in_cube(1));
  for (int k = 0; k < 2; ++k) {
    in.frames.t[k] = in.frames.b[k] = in.frames.centre[k] = vec3(Vec3d(0.0));
    in.frames.alpha[k] = in.frames.beta[k] = T(0.0);
  }
  for (auto& offset : in.frames.w) offset = T(0.0);
  return in;
}

// The position as the methods' standard kernels have it.
template <class K>
typename K::vec3 position(Method method, const test_frames::FrameInput<K>& in) {
  return method == Method::dqs   ? K().dqs_standard(in.y, in.rest).p
         : method == Method::crs ? K().crs_standard(in.y, in.centre, in.rest).p
         : method == Method::sbs ? K().sbs_standard(in.y, in.centre, in.rest).p
                                 : K().log_standard(in.z, in.rest).p;
}

// A small step in the weights, taken large again by alpha, is the derivative of the position; dual numbers say which.
TEST(DeformFramesTruth, AFrameASmallStepAwayIsTheDerivativeOfThePosition) {
  using D = Dual<double>;
  constexpr double kStep = 1e-7, kSecondOrder = 1e-5;  // second derivatives are some tens
  double largest = 0;
  for (const Method method : {Method::dqs, Method::crs, Method::sbs, Method::log})
    for (std::uint64_t round = 0; round < 50; ++round) {
      SCOPED_TRACE(row(method).name);
      Random random(round), same(round);
      auto in = random_vertex<double>(random);
      auto along_t = random_vertex<D>(same), along_b = along_t;
      const auto still = test_frames::posed(method, in);
      for (int s = 1; s < kSlots; ++s) {
        const double change[2] = {random.uniform(-1, 1), random.uniform(-1, 1)};
        for (int k = 0; k < 2; ++k) in.frames.w[kSlots * k + s] = kStep * change[k];
        along_t.y.w[s].d = along_t.z.w[s].d = change[0];
        along_b.y.w[s].d = along_b.z.w[s].d = change[1];
        for (auto* dual : {&along_t, &along_b}) {
          dual->y.w[0].d -= dual->y.w[s].d;
          dual->z.w[0].d -= dual->z.w[s].d;
        }
      }
      in.frames.alpha[0] = in.frames.beta[1] = 1 / kStep;
      const auto got = test_frames::posed(method, in);
      const Vec3<D> pt = position(method, along_t), pb = position(method, along_b);
      const Vec3d t(pt.x.d, pt.y.d, pt.z.d), b(pb.x.d, pb.y.d, pb.z.d);
      EXPECT_LT(length(got.t - still.t - t), kSecondOrder);
      EXPECT_LT(length(got.b - still.b - b), kSecondOrder);
      largest = std::max({largest, length(t), length(b)});
    }
  EXPECT_GT(largest, .1);  // there is something to see
}

// Where all bones turn alike, DQS is linear blending, and frames are deform vectors if sum alpha_k (w_k - w) is the change
// of the weights along the surface. It is where the weights of a ring change along no more directions than there are
// frames; two bones leave one. What is missing is the ridge of the least squares.
TEST(DeformFramesTruth, TwoBonesThatTurnAlikeHaveTheNormalsOfDeformVectors) {
  constexpr double kRidge = 2e-3;
  Random random(10);
  for (int round = 0; round < 5; ++round) {
    const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 2, 2, random);
    const Surface surface(mesh.faces, weld(mesh));
    const NormalRecord vectors = deform_vectors(mesh, surface, {.max_slots = kAllSlots});
    const FrameRecord frames = deform_frames(mesh, surface);
    SkinData data;
    data.vectors = &vectors;
    data.frames = &frames;
    const Mat3d turn = test_rigs::rotation(random.direction(), 1);
    const Pose pose = make_pose(
        {test_rigs::transform(turn, random.in_cube(.3)), test_rigs::transform(turn, random.in_cube(.3))});
    const auto normals = [&](Method method, NormalMode mode) {
      return skin<double>(mesh, data, pose, {.method = method, .mode = mode}).n;
    };
    const auto n = normals(Method::dqs, NormalMode::deform_frames),
               linear = normals(Method::lbs, NormalMode::deform_vectors),
               still = normals(Method::lbs, NormalMode::standard);
    double largest = 0;
    for (std::size_t v = 0; v < n.size(); ++v) {
      EXPECT_LT(length(n[v] - linear[v]), kRidge);
      largest = std::max(largest, length(still[v] - linear[v]));
    }
    EXPECT_GT(largest, 20 * kRidge);
  }
}

}  // namespace
}  // namespace skinlight
