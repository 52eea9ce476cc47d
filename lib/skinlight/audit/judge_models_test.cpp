// Every mistake planted on real characters, in poses of their own, under noise: it has to be named, or to be among
// those that the pose cannot tell apart. Plants are computed here with Eigen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>

#include "skinlight/asset/model_file.h"
#include "skinlight/preprocess/deform_frames.h"
#include "skinlight/rig/typical_poses.h"
#include "skinlight/skinning/skin.h"
#include "testing/judge.h"
#include "testing/real_models.h"

namespace skinlight {
namespace {

using namespace test_judge;

constexpr double kNoiseDegrees = 1;

// A model in one of its own poses, or bent by up to 60 degrees where it has no clips; `stretched`: every third bone
// is 1.6 times as long along one axis.
Case case_of(const std::string& file, const std::string& clip, double time, bool stretched = false) {
  RawAttributes raw;
  const Model model = read_model(test_models::folder() / file, {.raw = &raw});
  Case c;
  c.mesh = model.mesh;
  c.pose = random_joint_poses(model.skeleton, 1, M_PI / 3, 5).front();
  for (const Clip& candidate : model.clips)
    if (candidate.name == clip) c.pose = pose_at(model.skeleton, candidate, time);
  if (stretched)
    for (std::size_t bone = 0; bone < c.pose.M.size(); bone += 3) c.pose.M[bone][1] *= 1.6;
  c.input.rig = rig_arrays(model.mesh);
  c.input.rig.rest_tangents = model.mesh.t0;
  c.input.rig.rest_sides.clear();
  for (const double handedness : model.mesh.handedness) c.input.rig.rest_sides.push_back(gltf_w(handedness));
  c.input.pose = c.pose.M;
  // The strongest slot stands last in the file.
  const auto slots = static_cast<std::size_t>(c.input.rig.influences);
  for (std::size_t v = 0; v < c.input.rig.positions.size(); ++v) {
    std::swap(c.input.rig.bones[v * slots], c.input.rig.bones[(v + 1) * slots - 1]);
    std::swap(c.input.rig.weights[v * slots], c.input.rig.weights[(v + 1) * slots - 1]);
  }
  return c;
}

Vec3d with_noise(Vec3d v, Random& random) {
  // Four uniform numbers make a good normal one: variance 1/3 each.
  const auto normal = [&] {
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += random.uniform(-1, 1);
    return sum * std::sqrt(3.0 / 4);
  };
  const double size = kNoiseDegrees * M_PI / 180 * length(v);
  return v + Vec3d{normal(), normal(), normal()} * size;
}

Eigen::Matrix3d turn(double degrees, Eigen::Vector3d axis) {
  return Eigen::AngleAxisd(degrees * M_PI / 180, axis.normalized()).toRotationMatrix();
}

using Rows = std::vector<Vec3d>;

Rows standard(const Case& c) {
  return c.per_vertex([&](int v) { return (c.T(v) * c.n0(v)).normalized().eval(); });
}

Rows times(const Eigen::Matrix3d& R, Rows rows) {
  for (Vec3d& row : rows) row = vec(R * eigen(row));
  return rows;
}

Rows of_triangles(const Case& c, double sign) {
  const Rows p = c.per_vertex([&](int v) { return (c.T(v) * c.p0(v) + c.translation(v)).eval(); });
  const std::vector<int> alike = weld(c.mesh);
  Rows sum(p.size(), Vec3d(0.0));
  for (const Face& f : c.mesh.faces) {
    const auto at = [&](std::size_t k) { return p[static_cast<std::size_t>(f[k])]; };
    for (const int v : f)
      sum[static_cast<std::size_t>(alike[static_cast<std::size_t>(v)])] +=
          cross(at(1) - at(0), at(2) - at(0)) * sign;
  }
  Rows rows;
  for (const int surface : alike) {
    const Vec3d n = sum[static_cast<std::size_t>(surface)];
    rows.push_back(length(n) > 0 ? n / length(n) : Vec3d(0, 0, 1));
  }
  return rows;
}

// signs(v, slot): of the slot's quaternion, made to agree with the strongest one's before.
template <class Sign>
Rows quaternions(const Case& c, Sign sign) {
  return c.per_vertex([&](int v) {
    Eigen::Vector4d sum = Eigen::Vector4d::Zero();
    const auto rotation = [&](int bone) {
      const Eigen::Matrix3d m = c.M(bone);
      return Eigen::Quaterniond(Eigen::Matrix3d(m / std::cbrt(m.determinant()))).coeffs().eval();
    };
    for (int k = 0; k < c.input.rig.influences; ++k) {
      if (!(c.weight(v, k) > 0)) continue;
      const Eigen::Vector4d q = rotation(c.slot(v, k));
      sum += sign(c.slot(v, k), c.strongest(v), q.dot(rotation(c.strongest(v)))) * c.weight(v, k) * q;
    }
    return (Eigen::Quaterniond(sum).normalized() * c.n0(v)).eval();
  });
}

// The derivative of the posed position along t0 and b0 by finite differences, with the factors swapped.
Rows swapped_factors(const Case& c) {
  const Surface surface(c.mesh.faces, weld(c.mesh));
  const NormalRecord f = deform_factors(c.mesh, surface, {.max_slots = 4});
  return c.per_vertex([&](int v) {
    const auto along = [&](const std::vector<double>& column, const Eigen::Vector3d& d) {
      Eigen::Vector3d sum = c.T(v) * d;
      for (int s = 0; s < f.slots; ++s)
        sum += column[f.at(v, s)] * (c.M(f.bone[f.at(v, s)]) * c.p0(v) + c.origin(f.bone[f.at(v, s)]));
      return sum;
    };
    const Eigen::Vector3d b0 = -c.side(v) * c.n0(v).cross(c.t0(v));
    return (along(f.alpha, b0).cross(along(f.beta, c.t0(v))) * c.side(v)).eval();
  });
}

Rows permuted(Rows rows, const std::function<std::size_t(std::size_t)>& from) {
  const Rows old = rows;
  for (std::size_t v = 0; v < rows.size(); ++v) rows[v] = old[from(v)];
  return rows;
}

struct RealPlant {
  const char* id;
  std::function<Rows(const Case&)> normals;
  bool stretched = false;
};

const RealPlant kRealPlants[] = {
    {"rest", [](const Case& c) { return c.input.rig.rest_normals; }},
    {"transposed",
     [](const Case& c) { return c.per_vertex([&](int v) { return (c.T(v).inverse() * c.n0(v)).eval(); }); }},
    {"matrix-transposed",
     [](const Case& c) {
       return c.per_vertex([&](int v) { return (c.T(v).transpose() * c.n0(v)).eval(); });
     }},
    {"one-bone",
     [](const Case& c) {
       return c.per_vertex([&](int v) { return (c.M(c.strongest(v)) * c.n0(v)).eval(); });
     }},
    {"first-bone",
     [](const Case& c) { return c.per_vertex([&](int v) { return (c.M(c.slot(v, 0)) * c.n0(v)).eval(); }); }},
    {"twice",
     [](const Case& c) { return c.per_vertex([&](int v) { return (c.T(v) * c.T(v) * c.n0(v)).eval(); }); }},
    {"normal-matrix-twice",
     [](const Case& c) {
       return c.per_vertex([&](int v) {
         const Eigen::Matrix3d N = c.T(v).inverse().transpose();
         return (N * N * c.n0(v)).eval();
       });
     },
     true},
    {"translated",
     [](const Case& c) {
       return c.per_vertex([&](int v) { return (c.T(v) * c.n0(v) + c.translation(v)).eval(); });
     }},
    {"reversed-standard", [](const Case& c) { return times(-Eigen::Matrix3d::Identity(), standard(c)); }},
    {"inverse-transpose-missing", standard, true},
    {"constant-rotation",
     [](const Case& c) {
       return times(turn(25, {1, 2, -1}), standard(c));
     }},
    {"constant-rotation",
     [](const Case& c) {
       return times(turn(40, {3, 0, 1}) * Eigen::Vector3d(1, -1, 1).asDiagonal(), of_triangles(c, 1));
     }},
    {"world-before-skinning",
     [](const Case& c) {
       const Eigen::Matrix3d R = turn(35, {0, 1, .3});
       return c.per_vertex([&](int v) { return (c.T(v) * R * c.n0(v)).eval(); });
     }},
    {"world-before-skinning",
     [](const Case& c) {
       const Eigen::Matrix3d R = turn(-90, {1, 0, 0});
       return c.per_vertex([&](int v) { return (c.T(v) * R * c.n0(v)).eval(); });
     },
     true},
    {"quaternion-long-way",
     [](const Case& c) {
       return quaternions(c, [](int bone, int, double) { return bone % 2 == 0 ? -1.0 : 1.0; });
     }},
    {"quaternion-long-way",
     [](const Case& c) {
       return quaternions(c, [](int bone, int strongest, double agree) {
         return bone == strongest ? 1.0 : agree > 0 ? -1.0 : 1.0;
       });
     }},
    {"axes-swapped",
     [](const Case& c) {
       Eigen::Matrix3d P;
       P << 1, 0, 0, 0, 0, 1, 0, -1, 0;
       return times(P, standard(c));
     }},
    {"axes-swapped",
     [](const Case& c) {
       Eigen::Matrix3d P;
       P << 0, 1, 0, 1, 0, 0, 0, 0, 1;
       return times(P, of_triangles(c, 1));
     }},
    {"vertex-order",
     [](const Case& c) {
       const std::size_t count = c.input.rig.positions.size();
       return permuted(standard(c), [=](std::size_t v) { return (v + count - 1) % count; });
     }},
    {"vertex-order",
     [](const Case& c) {
       const std::size_t count = c.input.rig.positions.size();
       return permuted(of_triangles(c, 1), [=](std::size_t v) { return count - 1 - v; });
     }},
    {"vertex-order",
     [](const Case& c) {
       std::vector<std::size_t> order(c.input.rig.positions.size());
       std::iota(order.begin(), order.end(), 0);
       Random random(9);
       for (std::size_t v = order.size() - 1; v > 0; --v)
         std::swap(order[v], order[static_cast<std::size_t>(random.below(static_cast<int>(v)))]);
       return permuted(standard(c), [&](std::size_t v) { return order[v]; });
     }},
    {"alpha-beta-swapped", swapped_factors},
    {"bone-off-by-one",
     [](const Case& c) {
       const int bones = static_cast<int>(c.input.pose.size());
       return c.per_vertex([&](int v) {
         Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
         for (int k = 0; k < c.input.rig.influences; ++k)
           sum += c.weight(v, k) * c.M((c.slot(v, k) + 1) % bones);
         return (sum * c.n0(v)).eval();
       });
     }},
    {"bone-off-by-one",
     [](const Case& c) {
       return c.per_vertex([&](int v) {
         Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
         for (int k = 0; k < c.input.rig.influences; ++k)
           sum += c.weight(v, k) * c.M(std::max(c.slot(v, k) - 1, 0));
         return (sum * c.n0(v)).eval();
       });
     }},
    {"winding-reversed", [](const Case& c) { return of_triangles(c, -1); }},
};

struct Rig {
  const char* name;
  const char* file;
  const char* clip;
  double time;
};

const Rig kRigs[] = {
    {"xr_hands", "xr-hands/xr_hand_l_poses.glb", "Grip", .5},
    {"makehuman_body", "makehuman-body/mh_body_sub1_4inf.glb", "benchmark", .5},
    {"trex", "quaternius-dinos/Trex.glb", "Armature|TRex_Attack", .5},
    {"quaternius_formal", "quaternius-formal/Formal.gltf", "Roll", .5},
    {"godot_enemy", "godot-enemy/enemy.glb", "", 0},
};

class JudgeModels : public test_models::RealModels, public testing::WithParamInterface<Rig> {};

TEST_P(JudgeModels, EveryMistakeIsNamedUnderNoise) {
  const Rig& rig = GetParam();
  for (const bool stretched : {false, true}) {
    Case c = case_of(rig.file, rig.clip, rig.time, stretched);
    for (const RealPlant& plant : kRealPlants) {
      if (plant.stretched != stretched) continue;
      Random random(3);
      Rows normals = plant.normals(c);
      for (Vec3d& n : normals) n = with_noise(n / length(n), random);
      c.input.normals = normals;
      const Judgement judgement = judge(c.input);
      const Diagnosis& diagnosis = judgement.normals.diagnosis;
      EXPECT_TRUE(diagnosis.verdict.explained) << plant.id << "\n" << judgement_text(judgement);
      std::vector<std::string> told = {diagnosis.fits[static_cast<std::size_t>(diagnosis.verdict.named)].id};
      for (const int i : diagnosis.verdict.same_here)
        told.push_back(diagnosis.fits[static_cast<std::size_t>(i)].id);
      EXPECT_THAT(told, testing::Contains(plant.id)) << judgement_text(judgement);
      EXPECT_LT(told.size(), 8u) << judgement_text(judgement);
      // A rotation of all normals, fitted, would explain it as well.
      if (plant.id == std::string("winding-reversed")) {
        EXPECT_EQ(told.front(), plant.id);
      }
    }
  }
}

TEST_P(JudgeModels, NoiseIsNoMistake) {
  const Rig& rig = GetParam();
  Case c = case_of(rig.file, rig.clip, rig.time);
  for (const auto& [normals, kind] : {std::pair(of_triangles(c, 1), ExplanationKind::correct),
                                      std::pair(standard(c), ExplanationKind::approximation)}) {
    Random random(4);
    c.input.normals = normals;
    for (Vec3d& n : c.input.normals) n = with_noise(n, random);
    const Judgement judgement = judge(c.input);
    EXPECT_TRUE(judgement.normals.diagnosis.verdict.explained) << judgement_text(judgement);
    EXPECT_EQ(judgement.normals.diagnosis.verdict.kind, kind) << judgement_text(judgement);
  }
}

// Frames as bake writes them for a file with a skeleton, over whose poses they were chosen, in 16 bits; the judge has the
// arrays of the rig alone.
TEST_P(JudgeModels, DeformFramesOfTheFileAreNamed) {
  const Rig& rig = GetParam();
  Case c = case_of(rig.file, rig.clip, rig.time);
  const Character character(read_model(test_models::folder() / rig.file));
  for (const Method method : {Method::dqs, Method::sbs}) {
    const SkinOptions way{.method = method, .mode = NormalMode::deform_frames};
    FrameRecord frames = stored_frames(character.frames(method), NumberFormat::snorm16);
    SkinData data = character.data(method, way.mode);
    data.frames = &frames;
    const auto judged = [&] {
      const auto posed = skin<float>(character.mesh(), data, c.pose, way);
      c.input.method = method;
      c.input.normals = Rows(posed.n.begin(), posed.n.end());
      c.input.tangents = Rows(posed.t.begin(), posed.t.end());
      return judge(c.input);
    };
    const auto told = [](const Judged& of) {
      std::vector<std::string> ids = {
          of.diagnosis.fits[static_cast<std::size_t>(of.diagnosis.verdict.named)].id};
      for (const int i : of.diagnosis.verdict.same_here)
        ids.push_back(of.diagnosis.fits[static_cast<std::size_t>(i)].id);
      return ids;
    };
    const Judgement right = judged();
    for (const Judged& of : {right.normals, right.tangents}) {
      EXPECT_TRUE(of.diagnosis.verdict.explained) << judgement_text(right);
      EXPECT_EQ(of.diagnosis.verdict.kind, ExplanationKind::correct) << judgement_text(right);
      EXPECT_THAT(told(of), testing::Contains("deform-frames")) << judgement_text(right);
    }
    std::swap(frames.frame_t, frames.frame_b);
    std::swap(frames.frame_alpha, frames.frame_beta);
    const Judgement wrong = judged();
    EXPECT_THAT(told(wrong.normals), testing::Contains("alpha-beta-swapped")) << judgement_text(wrong);
  }
}

// Random directions explain nothing.
TEST_P(JudgeModels, WithoutReasonNothingIsNamed) {
  const Rig& rig = GetParam();
  Case c = case_of(rig.file, rig.clip, rig.time);
  Random random(8);
  c.input.normals = standard(c);
  for (Vec3d& n : c.input.normals) n = random.direction();
  const Judgement judgement = judge(c.input);
  EXPECT_FALSE(judgement.normals.diagnosis.verdict.explained) << judgement_text(judgement);
}

INSTANTIATE_TEST_SUITE_P(Rigs, JudgeModels, testing::ValuesIn(kRigs),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace skinlight
