// The methods that blend rotations, judged: mistakes are planted as these methods blend, computed here with Eigen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>

#include "skinlight/audit/judge.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/skinning/skin.h"
#include "testing/judge.h"
#include "testing/methods.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using namespace test_judge;
using testing::Contains;
using testing::HasSubstr;

class JudgeRigid : public testing::TestWithParam<Method> {};

TEST_P(JudgeRigid, NormalsAreJudgedByTheMethodsOwnPositions) {
  Case c = random_case(22, true);
  const Surface surface(c.mesh.faces, weld(c.mesh));
  const NormalRecord factors = deform_factors(c.mesh, surface);
  const RotationCentres centres = rotation_centres(c.mesh, surface);
  const Character character(c.mesh);
  SkinData data(factors);
  data.centres = &centres;
  for (const auto& [mode, id] : {std::pair{NormalMode::exact, "exact"},
                                 {NormalMode::standard, "standard"},
                                 {NormalMode::deform, "deform"},
                                 {NormalMode::deform_frames, "deform-frames"}}) {
    const auto modes = row(GetParam()).modes;
    if (std::find(modes.begin(), modes.end(), mode) == modes.end()) continue;
    FrameRecord frames;  // as baked in 16 bits
    if (mode == NormalMode::deform_frames) {
      frames = stored_frames(character.frames(GetParam()), NumberFormat::snorm16);
      data.frames = &frames;
    }
    const auto posed = skin<float>(c.mesh, data, c.pose, {.method = GetParam(), .mode = mode});
    c.input.normals = std::vector<Vec3d>(posed.n.begin(), posed.n.end());
    c.input.posed = std::vector<Vec3d>(posed.p.begin(), posed.p.end());
    c.input.method = GetParam();
    const Judgement judgement = judge(c.input);
    EXPECT_EQ(named(judgement.normals).id, id) << judgement_text(judgement);
    EXPECT_LT(judgement.position_offset, 1e-5);
    c.input.method = Method::lbs;
    EXPECT_GT(judge(c.input).position_offset, 1e-2);
    EXPECT_THAT(judgement_text(judge(c.input)), HasSubstr("That is far"));
  }
}

Eigen::Quaterniond exponential(const Eigen::Vector3d& half) {
  const double angle = half.norm(), sine = angle > 0 ? std::sin(angle) / angle : 1;
  return {std::cos(angle), sine * half.x(), sine * half.y(), sine * half.z()};
}

Eigen::Vector3d logarithm(const Eigen::Quaterniond& q) {
  const double size = q.vec().norm();
  return size > 0 ? (q.vec() / size * std::atan2(size, q.w())).eval() : Eigen::Vector3d::Zero();
}

// The blended rotation of a method, by its definition; bone(b): which bone stands in the place of b.
Eigen::Matrix3d rotation(const Case& c, int v, Method method, const std::function<int(int)>& bone) {
  std::vector<Eigen::Quaterniond> q;
  const Eigen::Quaterniond first(c.M(bone(c.strongest(v))));
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  Eigen::Vector3d half = Eigen::Vector3d::Zero();
  for (int k = 0; k < c.input.rig.influences; ++k) {
    Eigen::Quaterniond b(c.M(bone(c.slot(v, k))));
    if (b.w() < 0) b.coeffs() *= -1;
    half += c.weight(v, k) * logarithm(b);
    if (b.dot(first) < 0) b.coeffs() *= -1;
    sum += c.weight(v, k) * b.coeffs();
    q.push_back(b);
  }
  if (method == Method::log) return exponential(half).toRotationMatrix();
  const Eigen::Quaterniond blend = Eigen::Quaterniond(sum).normalized();
  if (method != Method::dib) return blend.toRotationMatrix();
  Eigen::Vector3d step = Eigen::Vector3d::Zero();
  for (int k = 0; k < c.input.rig.influences; ++k) {
    Eigen::Quaterniond seen = blend.conjugate() * q[static_cast<std::size_t>(k)];
    if (seen.w() < 0) seen.coeffs() *= -1;
    step += c.weight(v, k) * logarithm(seen);
  }
  return (blend * exponential(step)).toRotationMatrix();
}

TEST_P(JudgeRigid, EveryMistakeIsNamedAsTheMethodBlends) {
  const Method method = GetParam();
  for (const std::uint64_t seed : {31, 32}) {
    Case c = random_case(seed, true);
    c.input.method = method;
    const int bones = static_cast<int>(c.input.pose.size()), vertices = c.mesh.vertex_count();
    const auto own = [](int b) { return b; };
    const auto R = [&](int v) { return rotation(c, v, method, own); };
    const std::vector<Vec3d> posed =
        skin<double>(c.mesh, Character(c.mesh).data(method, NormalMode::standard), c.pose,
                     {.method = method, .mode = NormalMode::standard})
            .p;
    const auto p = [&](int v) { return eigen(posed[static_cast<std::size_t>(v)]); };
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(.7, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
    Eigen::Matrix3d axes;
    axes << 1, 0, 0, 0, 0, 1, 0, -1, 0;
    const auto of_triangles = [&] {
      std::vector<Eigen::Vector3d> sum(static_cast<std::size_t>(vertices), Eigen::Vector3d::Zero());
      const std::vector<int> alike = weld(c.mesh);
      const auto surface = [&](int v) {
        return static_cast<std::size_t>(alike[static_cast<std::size_t>(v)]);
      };
      for (const Face& f : c.mesh.faces) {
        const Eigen::Vector3d n = (p(f[1]) - p(f[0])).cross(p(f[2]) - p(f[0]));
        for (const int v : f) sum[surface(v)] += n;
      }
      return c.per_vertex([&](int v) { return sum[surface(v)].normalized().eval(); });
    };
    const auto swapped = [&] {
      const NormalMode mode = std::find(row(method).modes.begin(), row(method).modes.end(),
                                        NormalMode::exact) != row(method).modes.end()
                                  ? NormalMode::exact
                                  : NormalMode::deform;
      const Character character(c.mesh);
      SkinData data = character.data(method, mode);
      NormalRecord factors = *data.factors;
      std::swap(factors.alpha, factors.beta);
      data.factors = &factors;
      return skin<double>(c.mesh, data, c.pose, {.method = method, .mode = mode}).n;
    };
    using Normal = std::function<Eigen::Vector3d(int)>;
    const std::vector<std::pair<std::string, Normal>> plants = {
        {"standard", [&](int v) { return (R(v) * c.n0(v)).eval(); }},
        {"linear-standard", [&](int v) { return (c.T(v) * c.n0(v)).eval(); }},
        {"rest", [&](int v) { return c.n0(v); }},
        {"transposed", [&](int v) { return (R(v).transpose() * c.n0(v)).eval(); }},
        {"matrix-transposed", [&](int v) { return (R(v).transpose() * c.n0(v)).eval(); }},
        {"one-bone", [&](int v) { return (c.M(c.strongest(v)) * c.n0(v)).eval(); }},
        {"first-bone", [&](int v) { return (c.M(c.slot(v, 0)) * c.n0(v)).eval(); }},
        {"bone-off-by-one",
         [&](int v) {
           return (rotation(c, v, method, [&](int b) { return (b + 1) % bones; }) * c.n0(v)).eval();
         }},
        {"bone-off-by-one",
         [&](int v) {
           return (rotation(c, v, method, [&](int b) { return std::max(b - 1, 0); }) * c.n0(v)).eval();
         }},
        {"bone-off-by-one",
         [&](int v) {
           Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
           for (int k = 0; k < c.input.rig.influences; ++k)
             sum += c.weight(v, k) * c.M((c.slot(v, k) + 1) % bones);
           return (sum * c.n0(v)).eval();
         }},
        {"twice", [&](int v) { return (R(v) * R(v) * c.n0(v)).eval(); }},
        {"quaternion-long-way",
         [&](int v) {
           Eigen::Vector4d sum = Eigen::Vector4d::Zero();
           for (int k = 0; k < c.input.rig.influences; ++k) {
             Eigen::Quaterniond q(c.M(c.slot(v, k)));
             if (c.slot(v, k) % 2 == 0) q.coeffs() *= -1;
             if (q.w() * (c.slot(v, k) % 2 == 0 ? -1 : 1) < 0) q.coeffs() *= -1;
             sum += c.weight(v, k) * q.coeffs();
           }
           return (Eigen::Quaterniond(sum).normalized() * c.n0(v)).eval();
         }},
        {"constant-rotation", [&](int v) { return (turn * R(v) * c.n0(v)).eval(); }},
        {"world-before-skinning", [&](int v) { return (R(v) * turn * c.n0(v)).eval(); }},
        {"axes-swapped", [&](int v) { return (axes * R(v) * c.n0(v)).eval(); }},
        {"vertex-order",
         [&](int v) {
           const int other = (v + 5) % vertices;
           return (R(other) * c.n0(other)).eval();
         }},
        {"handedness-lost-standard", [&](int v) { return (c.side(v) * (R(v) * c.n0(v))).eval(); }},
        {"translated", [&](int v) { return (R(v) * c.n0(v) + (p(v) - R(v) * c.p0(v))).eval(); }},
        {"translated", [&](int v) { return (R(v) * c.n0(v) + c.translation(v)).eval(); }},
        {"reversed-standard", [&](int v) { return (-R(v) * c.n0(v)).eval(); }},
    };
    const auto expect_named = [&](const std::string& id) {
      const Judgement judgement = judge(c.input);
      ASSERT_TRUE(judgement.normals.diagnosis.verdict.explained) << id << "\n" << judgement_text(judgement);
      std::vector<std::string> told = same_here(judgement.normals);
      told.push_back(named(judgement.normals).id);
      EXPECT_THAT(told, Contains(id)) << judgement_text(judgement);
      EXPECT_LT(named(judgement.normals).mean, 1e-3) << judgement_text(judgement);
    };
    for (const auto& [id, normal] : plants) {
      c.input.normals = unit(c.per_vertex(normal));
      expect_named(id);
    }
    c.input.normals = swapped();
    expect_named("alpha-beta-swapped");
    c.input.normals = of_triangles();
    expect_named("recomputed");
    for (Vec3d& n : c.input.normals) n = -n;
    expect_named("winding-reversed");
  }
}

// Methods of rigid bones take the stretch out of them: T n0 lacks no inverse transpose there.
TEST_P(JudgeRigid, StandardNormalsOfStretchedBonesAreNoMistake) {
  Case c = random_case(33, false);
  c.input.method = GetParam();
  const Character character(c.mesh);
  const SkinOptions way{.method = GetParam(), .mode = NormalMode::standard};
  c.input.normals = skin<double>(c.mesh, character.data(way.method, way.mode), c.pose, way).n;
  const Judgement judgement = judge(c.input);
  EXPECT_EQ(named(judgement.normals).id, "standard") << judgement_text(judgement);
  EXPECT_EQ(judgement.normals.diagnosis.verdict.kind, ExplanationKind::approximation);
}

INSTANTIATE_TEST_SUITE_P(Methods, JudgeRigid, testing::ValuesIn(test_methods::that_blend_rotations()),
                         [](const auto& test) { return std::string(row(test.param).name); });

// T n0 of the four strongest of six bones, renormalised, by hand.

}  // namespace
}  // namespace skinlight
