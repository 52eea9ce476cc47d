// Every usual mistake is planted on random rigs, computed here with Eigen, and has to be named.
#include "skinlight/audit/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>

#include "skinlight/mesh/normals.h"
#include "testing/judge.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using namespace test_judge;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

// What a program stores: floats, or 8-bit signed normalised integers.
enum class Stored { floats, snorm8 };

Vec3d stored(Vec3d v, Stored as) {
  if (as == Stored::floats) return Vec3d(Vec3f(v));
  const auto round = [](double x) { return std::round(127 * x) / 127; };
  return {round(v.x), round(v.y), round(v.z)};
}

std::vector<Vec3d> stored(std::vector<Vec3d> v, Stored as) {
  for (Vec3d& a : v) a = stored(a, as);
  return v;
}

// Rounding to 8 bits moves a normal by .2 degrees on average, and never by .5.
double noise(Stored as) { return as == Stored::floats ? 1e-4 : .3; }

struct Plant {
  std::string id;
  std::function<Eigen::Vector3d(const Case&, int)> normal;
  ExplanationKind kind;
};

const Plant kPlants[] = {
    {"standard", [](const Case& c, int v) { return (c.T(v) * c.n0(v)).eval(); },
     ExplanationKind::approximation},
    {"rest", [](const Case& c, int v) { return c.n0(v); }, ExplanationKind::mistake},
    {"transposed", [](const Case& c, int v) { return (c.T(v).inverse() * c.n0(v)).eval(); },
     ExplanationKind::mistake},
    {"matrix-transposed", [](const Case& c, int v) { return (c.T(v).transpose() * c.n0(v)).eval(); },
     ExplanationKind::mistake},
    {"one-bone", [](const Case& c, int v) { return (c.M(c.strongest(v)) * c.n0(v)).eval(); },
     ExplanationKind::mistake},
    {"first-bone", [](const Case& c, int v) { return (c.M(c.slot(v, 0)) * c.n0(v)).eval(); },
     ExplanationKind::mistake},
    {"twice", [](const Case& c, int v) { return (c.T(v) * c.T(v) * c.n0(v)).eval(); },
     ExplanationKind::mistake},
    {"normal-matrix-twice",
     [](const Case& c, int v) {
       const Eigen::Matrix3d N = c.T(v).inverse().transpose();
       return (N * N * c.n0(v)).eval();
     },
     ExplanationKind::mistake},
    {"translated", [](const Case& c, int v) { return (c.T(v) * c.n0(v) + c.translation(v)).eval(); },
     ExplanationKind::mistake},
    {"reversed-standard", [](const Case& c, int v) { return (-c.T(v) * c.n0(v)).eval(); },
     ExplanationKind::mistake},
    {"standard-normal-matrix",
     [](const Case& c, int v) { return (c.T(v).inverse().transpose() * c.n0(v)).eval(); },
     ExplanationKind::approximation},
    {"handedness-lost-standard", [](const Case& c, int v) { return (c.side(v) * (c.T(v) * c.n0(v))).eval(); },
     ExplanationKind::mistake},
    {"handedness-lost-pair",
     [](const Case& c, int v) {
       const Eigen::Vector3d b0 = c.side(v) * c.n0(v).cross(c.t0(v));
       return ((c.T(v) * c.t0(v)).cross(c.T(v) * b0)).eval();
     },
     ExplanationKind::mistake},
};

class PlantedNormals : public testing::TestWithParam<Plant> {};

TEST_P(PlantedNormals, AreNamedOnRandomRigsWhateverTheFormat) {
  const Plant& plant = GetParam();
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    for (const bool rigid : {true, false})
      for (const Stored as : {Stored::floats, Stored::snorm8}) {
        SCOPED_TRACE(std::to_string(seed) + (rigid ? " rigid " : " affine ") +
                     std::to_string(static_cast<int>(as)));
        Case c = random_case(seed, rigid);
        c.input.normals = stored(unit(c.per_vertex([&](int v) { return plant.normal(c, v); })), as);
        const Judgement judgement = judge(c.input);
        const Judged& normals = judgement.normals;
        // T n0 is an approximation of bones that only turn.
        const bool lacks = plant.id == "standard" && !rigid;
        EXPECT_EQ(named(normals).id, lacks ? "inverse-transpose-missing" : plant.id)
            << judgement_text(judgement);
        EXPECT_EQ(normals.diagnosis.verdict.kind, lacks ? ExplanationKind::mistake : plant.kind);
        EXPECT_LT(named(normals).mean, noise(as));
        EXPECT_GT(named(normals).share, .999);
        EXPECT_EQ(normals.lengths.finding, LengthFinding::unit);
        if (as == Stored::floats) {
          EXPECT_TRUE(normals.diagnosis.verdict.clear) << judgement_text(judgement);
        }
      }
}

INSTANTIATE_TEST_SUITE_P(Judge, PlantedNormals, testing::ValuesIn(kPlants), [](const auto& plant) {
  std::string name = plant.param.id;
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return name;
});

const Plant kTangentPlants[] = {
    {"standard", [](const Case& c, int v) { return (c.T(v) * c.t0(v)).eval(); },
     ExplanationKind::approximation},
    {"like-a-normal", [](const Case& c, int v) { return (c.T(v).inverse().transpose() * c.t0(v)).eval(); },
     ExplanationKind::mistake},
    {"rest", [](const Case& c, int v) { return c.t0(v); }, ExplanationKind::mistake},
    {"transposed", [](const Case& c, int v) { return (c.T(v).inverse() * c.t0(v)).eval(); },
     ExplanationKind::mistake},
    {"one-bone", [](const Case& c, int v) { return (c.M(c.strongest(v)) * c.t0(v)).eval(); },
     ExplanationKind::mistake},
    {"twice", [](const Case& c, int v) { return (c.T(v) * c.T(v) * c.t0(v)).eval(); },
     ExplanationKind::mistake},
};

class PlantedTangents : public testing::TestWithParam<Plant> {};

// With and without being made orthogonal to the normals, as many shaders do.
TEST_P(PlantedTangents, AreNamedOnRandomRigsWhateverTheFormat) {
  const Plant& plant = GetParam();
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const bool rigid : {true, false})
      for (const bool orthogonal : {true, false})
        for (const Stored as : {Stored::floats, Stored::snorm8}) {
          Case c = random_case(seed, rigid);
          c.input.normals = unit(c.per_vertex([&](int v) { return (c.T(v) * c.n0(v)).eval(); }));
          c.input.tangents = unit(c.per_vertex([&](int v) { return plant.normal(c, v); }));
          if (orthogonal)
            for (std::size_t v = 0; v < c.input.tangents.size(); ++v) {
              const Vec3d n = c.input.normals[v], t = c.input.tangents[v];
              c.input.tangents[v] = t - n * dot(n, t);
            }
          c.input.tangents = stored(unit(c.input.tangents), as);
          const Judgement judgement = judge(c.input);
          ASSERT_TRUE(judgement.has_tangents);
          EXPECT_EQ(named(judgement.tangents).id, plant.id)
              << seed << rigid << orthogonal << judgement_text(judgement);
          // T^-T t0 is orthogonal to T n0 by itself.
          EXPECT_EQ(named(judgement.tangents).orthogonal, orthogonal && plant.id != "like-a-normal")
              << judgement_text(judgement);
          EXPECT_EQ(judgement.tangents.diagnosis.verdict.kind, plant.kind);
          EXPECT_LT(named(judgement.tangents).mean, 2 * noise(as));
        }
}

INSTANTIATE_TEST_SUITE_P(Judge, PlantedTangents, testing::ValuesIn(kTangentPlants), [](const auto& plant) {
  std::string name = plant.param.id;
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return name;
});

// With eight bones the pairs that are surest do not always tell all signs: bones are turned over one by one, and again
// when others have been. In these draws once over all bones is not enough.
TEST(Judge, SignsOfQuaternionsAreFoundHoweverManyBonesBlend) {
  constexpr int kBones = 8, kSlots = 4;
  for (const std::uint64_t seed : {9, 13, 26, 29, 33, 34}) {
    Case c = random_case(seed, true, kBones, kSlots);
    Random random(seed);
    std::vector<double> sign;
    for (int bone = 0; bone < kBones; ++bone) sign.push_back(random.below(2) == 0 ? -1 : 1);
    c.input.normals = c.per_vertex([&](int v) {
      Eigen::Vector4d sum = Eigen::Vector4d::Zero();
      for (int k = 0; k < kSlots; ++k)
        sum += sign[static_cast<std::size_t>(c.slot(v, k))] * c.weight(v, k) *
               Eigen::Quaterniond(c.M(c.slot(v, k))).coeffs();
      return (Eigen::Quaterniond(sum).normalized() * c.n0(v)).eval();
    });
    const Judgement judgement = judge(c.input);
    EXPECT_EQ(named(judgement.normals).id, "quaternion-long-way") << seed << judgement_text(judgement);
    EXPECT_LT(named(judgement.normals).mean, noise(Stored::floats)) << seed;
  }
}

// Every other bone of a vertex the long way round from the strongest one: where three bones blend in pairs, no sign of each
// makes that.
TEST(Judge, QuaternionsTurnedAwayFromTheStrongestOneAreFound) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Case c = random_case(seed, true);
    c.input.normals = c.per_vertex([&](int v) {
      const Eigen::Vector4d strongest = Eigen::Quaterniond(c.M(c.strongest(v))).coeffs();
      Eigen::Vector4d sum = Eigen::Vector4d::Zero();
      for (int k = 0; k < c.input.rig.influences; ++k) {
        const Eigen::Vector4d q = Eigen::Quaterniond(c.M(c.slot(v, k))).coeffs();
        const double away = c.slot(v, k) == c.strongest(v) ? 1 : q.dot(strongest) < 0 ? 1 : -1;
        sum += away * c.weight(v, k) * q;
      }
      return (Eigen::Quaterniond(sum).normalized() * c.n0(v)).eval();
    });
    const Judgement judgement = judge(c.input);
    EXPECT_EQ(named(judgement.normals).id, "quaternion-long-way") << seed << judgement_text(judgement);
    EXPECT_LT(named(judgement.normals).mean, noise(Stored::floats)) << seed;
  }
}

// The derivative of the posed position along t0 and b0 with weights that change by the deform factors, by
// finite differences: no kernel.
std::vector<Vec3d> deform_normals(const Case& c, bool keep_sides) {
  const Surface surface(c.mesh.faces, weld(c.mesh));
  const NormalRecord f = deform_factors(c.mesh, surface, {.max_slots = 4});
  return c.per_vertex([&](int v) {
    const auto posed = [&](const Eigen::Vector3d& p, double along_t, double along_b) {
      Eigen::Vector3d sum = Eigen::Vector3d::Zero();
      for (int s = 0; s < f.slots; ++s) {
        const std::size_t i = f.at(v, s);
        sum += (f.weight[i] + along_t * f.alpha[i] + along_b * f.beta[i]) *
               (c.M(f.bone[i]) * p + c.origin(f.bone[i]));
      }
      return sum;
    };
    const double h = 1e-4;
    // Along rising v, as the factors: glTF's w points the other way.
    const Eigen::Vector3d p = c.p0(v), b0 = -c.side(v) * c.n0(v).cross(c.t0(v));
    const Eigen::Vector3d t = posed(p + h * c.t0(v), h, 0) - posed(p - h * c.t0(v), -h, 0);
    const Eigen::Vector3d b = posed(p + h * b0, 0, h) - posed(p - h * b0, 0, -h);
    return (b.cross(t) * (keep_sides ? c.side(v) : 1.0)).eval();
  });
}

TEST(Judge, DeformFactorsAreRecognisedAndTheirLostHandednessToo) {
  for (const bool rigid : {true, false})
    for (const Stored as : {Stored::floats, Stored::snorm8}) {
      Case c = random_case(11, rigid);
      c.input.normals = stored(unit(deform_normals(c, true)), as);
      Judgement judgement = judge(c.input);
      EXPECT_EQ(named(judgement.normals).id, "deform") << judgement_text(judgement);
      EXPECT_EQ(judgement.normals.diagnosis.verdict.kind, ExplanationKind::correct);
      c.input.normals = stored(unit(deform_normals(c, false)), as);
      judgement = judge(c.input);
      EXPECT_EQ(named(judgement.normals).id, "handedness-lost-deform") << judgement_text(judgement);
      EXPECT_GT(judgement.normals.transported.flips, judgement.vertices / 4);
    }
}

TEST(Judge, NormalsOfThePosedTrianglesAreRecognised) {
  Case c = random_case(12, false);
  std::vector<Vec3d> p = c.per_vertex([&](int v) { return (c.T(v) * c.p0(v) + c.translation(v)).eval(); });
  c.input.normals.assign(p.size(), Vec3d(0.0));
  for (const Face& f : c.mesh.faces) {
    const auto at = [&](int k) { return p[static_cast<std::size_t>(f[static_cast<std::size_t>(k)])]; };
    for (const int v : f) c.input.normals[static_cast<std::size_t>(v)] += cross(at(1) - at(0), at(2) - at(0));
  }
  c.input.normals = unit(c.input.normals);
  const Judgement judgement = judge(c.input);
  EXPECT_EQ(named(judgement.normals).id, "recomputed") << judgement_text(judgement);
  EXPECT_LT(judgement.normals.recomputed.max, 1e-5);
}

TEST(Judge, NotRenormalisedIsNamedByItsLengths) {
  for (const Stored as : {Stored::floats, Stored::snorm8}) {
    Case c = random_case(13, true);
    c.input.normals = stored(c.per_vertex([&](int v) { return (c.T(v) * c.n0(v)).eval(); }), as);
    const Judgement judgement = judge(c.input);
    EXPECT_EQ(named(judgement.normals).id, "standard");
    EXPECT_EQ(judgement.normals.lengths.finding, LengthFinding::not_normalised) << judgement_text(judgement);
    EXPECT_EQ(judgement.normals.lengths.like, "standard");
    EXPECT_THAT(judgement_text(judgement), HasSubstr("not renormalised"));
  }
}

TEST(Judge, IntegerUnitsAreNoMistakeAndOtherLengthsAreUnexplained) {
  Case c = random_case(14, true);
  c.input.normals = unit(c.per_vertex([&](int v) { return (c.T(v) * c.n0(v)).eval(); }));
  for (Vec3d& n : c.input.normals) n = stored(n, Stored::snorm8) * 127;
  Lengths lengths = judge(c.input).normals.lengths;
  EXPECT_EQ(lengths.finding, LengthFinding::constant);
  EXPECT_NEAR(lengths.mean, 127, 1);
  Random random(14);
  for (Vec3d& n : c.input.normals) n = n * random.uniform(.5, 2);
  lengths = judge(c.input).normals.lengths;
  EXPECT_EQ(lengths.finding, LengthFinding::unexplained);
}

TEST(Judge, StatisticsAreThoseOfTheAngles) {
  Case c = random_case(15, false);
  const Surface surface(c.mesh.faces, weld(c.mesh));
  const PosedTruth truth = posed_truth(c.mesh, surface, deform_factors(c.mesh, surface), c.pose);
  for (const Vec3d& n : truth.transported)
    c.input.normals.push_back(n * std::cos(.2) + any_tangent(n) * std::sin(.2));
  c.input.normals[7] = -truth.transported[7];
  const NormalError error = judge(c.input).normals.transported;
  EXPECT_NEAR(error.p95, .2 * kDegrees, 1e-9);
  EXPECT_NEAR(error.max, 180, 1e-9);
  EXPECT_EQ(error.worst_vertex, 7);
  EXPECT_EQ(error.flips, 1);
}

TEST(Judge, DirectionsWithoutReasonAreNotExplained) {
  Case c = random_case(16, false);
  Random random(16);
  for (std::size_t v = 0; v < c.mesh.p0.size(); ++v) c.input.normals.push_back(random.direction());
  const Judgement judgement = judge(c.input);
  EXPECT_FALSE(judgement.normals.diagnosis.verdict.explained);
  EXPECT_THAT(judgement_text(judgement), HasSubstr("NONE of the known explanations"));
}

TEST(Judge, OneRigidMotionOfAllBonesCannotTellWhatIsTheSame) {
  Case c = random_case(17, true);
  std::fill(c.input.pose.begin(), c.input.pose.end(), c.input.pose[0]);
  c.use_pose();
  c.input.normals = stored(c.per_vertex([&](int v) { return (c.M(0) * c.n0(v)).eval(); }), Stored::floats);
  const Judgement judgement = judge(c.input);
  EXPECT_EQ(judgement.normals.diagnosis.verdict.kind, ExplanationKind::correct);
  EXPECT_EQ(named(judgement.normals).id, "transported");
  EXPECT_LT(judgement.normals.transported.max, 1e-4);
  EXPECT_THAT(same_here(judgement.normals), IsSupersetOf({"standard", "one-bone", "deform"}));
  EXPECT_THAT(same_here(judgement.normals), Not(Contains("rest")));
  EXPECT_THAT(judgement_text(judgement), AllOf(HasSubstr("UNDECIDED"), HasSubstr("would not show")));
}

TEST(Judge, TheRestPoseTellsNothing) {
  Case c = random_case(18, true);
  std::fill(c.input.pose.begin(), c.input.pose.end(), identity_transform<double>());
  c.use_pose();
  c.input.normals = c.input.rig.rest_normals;
  const Judgement judgement = judge(c.input);
  EXPECT_EQ(judgement.normals.diagnosis.verdict.kind, ExplanationKind::correct);
  EXPECT_THAT(same_here(judgement.normals),
              IsSupersetOf({"standard", "rest", "twice", "transposed", "one-bone"}));
}

// A target that turns the whole mesh, and its frames where the file says so.
Eigen::Matrix3d add_turning_target(Case& c, bool with_frames) {
  const Eigen::Matrix3d R =
      Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, 2, -.5).normalized()).toRotationMatrix();
  const auto change = [&](const Eigen::Vector3d& x) {
    const Eigen::Vector3d d = R * x - x;
    return Vec3d(d.x(), d.y(), d.z());
  };
  MorphTarget target;
  for (int v = 0; v < c.mesh.vertex_count(); ++v) {
    target.vertex.push_back(v);
    target.dp.push_back(change(c.p0(v)));
    if (with_frames) target.dn.push_back(change(c.n0(v)));
  }
  c.input.morphs = {target};
  c.input.morph_weights = {1};
  return R;
}

TEST(Judge, TrueNormalsOfMorphedRigsAreTheRestNormalsCarriedByTheSurface) {
  for (const bool with_frames : {true, false}) {
    Case c = random_case(3, true);
    // One rigid motion after the turn: the true normals are known whoever carries them.
    std::fill(c.input.pose.begin(), c.input.pose.end(), c.input.pose.back());
    const Eigen::Matrix3d R = add_turning_target(c, with_frames), Q = c.M(0);
    c.input.normals = c.per_vertex([&](int v) { return (Q * R * c.n0(v)).eval(); });
    const Judgement right = judge(c.input);
    EXPECT_LT(right.normals.transported.max, 1e-6) << "degrees";
    EXPECT_EQ(named(right.normals).id, "transported");
    c.input.normals = c.per_vertex([&](int v) { return (Q * c.n0(v)).eval(); });
    const Judgement unmorphed = judge(c.input);
    EXPECT_EQ(named(unmorphed.normals).id, with_frames ? "morphs-missing" : "standard")
        << judgement_text(unmorphed);
    EXPECT_GT(unmorphed.normals.transported.mean, 30) << "the target turns by 63 degrees";
  }
}

TEST(Judge, MistakesOfMorphedRigsAreNamed) {
  for (const bool with_frames : {true, false}) {
    Case c = random_case(4, true);
    const Eigen::Matrix3d R = add_turning_target(c, with_frames);
    const auto judged_as = [&](const std::string& id, const std::function<Eigen::Vector3d(int)>& normal) {
      c.input.normals = unit(c.per_vertex(normal));
      const Judgement judgement = judge(c.input);
      EXPECT_EQ(named(judgement.normals).id, id) << judgement_text(judgement);
      EXPECT_LT(named(judgement.normals).mean, 1e-4);
    };
    const auto moved = [&](int v) { return (with_frames ? R * c.n0(v) : c.n0(v)).eval(); };
    judged_as("standard", [&](int v) { return (c.T(v) * moved(v)).eval(); });
    judged_as("rest", [&](int v) { return moved(v); });
    judged_as("transposed", [&](int v) { return (c.T(v).inverse() * moved(v)).eval(); });
    if (with_frames) judged_as("morphs-missing", [&](int v) { return (c.T(v) * c.n0(v)).eval(); });
  }
}

TEST(Judge, MorphWeightsAreOnePerTarget) {
  Case c = random_case(5, true);
  add_turning_target(c, false);
  c.input.normals = c.mesh.n0;
  c.input.morph_weights.clear();
  EXPECT_THROW(judge(c.input), InputError);
}

// Bones that only move: T = 1, so that the standard approximation is the rest normal. The more favourable is
// named.
TEST(Judge, TranslationsCannotTellStandardFromRestNormals) {
  Case c = random_case(19, true);
  Random random(19);
  for (Mat4x3d& m : c.input.pose)
    m = test_rigs::transform(Mat3d(identity_transform<double>()), random.in_cube(1));
  c.use_pose();
  c.input.normals = c.input.rig.rest_normals;
  const Judgement judgement = judge(c.input);
  EXPECT_EQ(named(judgement.normals).id, "standard") << judgement_text(judgement);
  EXPECT_THAT(same_here(judgement.normals), IsSupersetOf({"rest", "twice", "one-bone"}));
  EXPECT_THAT(same_here(judgement.normals), Not(Contains("deform")));
  EXPECT_THAT(judgement_text(judgement), HasSubstr("UNDECIDED"));
}

TEST(Judge, WithoutMirroredUvHandednessCannotBeBlamed) {
  Case c = random_case(20, false);
  std::fill(c.input.rig.rest_sides.begin(), c.input.rig.rest_sides.end(), 1.0);
  c.input.normals = unit(c.per_vertex([&](int v) { return (c.T(v) * c.n0(v)).eval(); }));
  for (const Fit& f : judge(c.input).normals.diagnosis.fits) EXPECT_THAT(f.id, Not(HasSubstr("handedness")));
}

// Bones whose columns are as long as each other, at angles beyond 90 degrees.
TEST(Judge, BonesThatShearNeedTheInverseTranspose) {
  constexpr double kShear = -.2;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Case c = random_case(seed, true);
    for (Mat4x3d& m : c.input.pose) {
      const Vec3d sum = m[0] + m[1] + m[2];
      for (int column = 0; column < 3; ++column) m[column] = m[column] * (1 - kShear) + sum * kShear;
    }
    c.use_pose();
    c.input.normals = unit(c.per_vertex([&](int v) { return (c.T(v) * c.n0(v)).eval(); }));
    const Judgement judgement = judge(c.input);
    EXPECT_EQ(named(judgement.normals).id, "inverse-transpose-missing") << judgement_text(judgement);
  }
}

TEST(Judge, BitangentSignsAreCompared) {
  Case c = random_case(21, true);
  c.input.normals = unit(c.per_vertex([&](int v) { return (c.T(v) * c.n0(v)).eval(); }));
  c.input.tangents = unit(c.per_vertex([&](int v) { return (c.T(v) * c.t0(v)).eval(); }));
  c.input.sides = c.input.rig.rest_sides;
  SideFinding sides = judge(c.input).sides;
  EXPECT_EQ(sides.wrong, 0);
  EXPECT_FALSE(sides.lost);
  c.input.sides[3] = -c.input.sides[3];
  sides = judge(c.input).sides;
  EXPECT_EQ(sides.wrong, 1);
  EXPECT_FALSE(sides.lost);
  std::fill(c.input.sides.begin(), c.input.sides.end(), 1.0);
  Case alike = c;
  alike.input.rig.rest_sides = alike.input.sides;
  EXPECT_FALSE(judge(alike.input).sides.lost) << "there is one sign";
  sides = judge(c.input).sides;
  EXPECT_TRUE(sides.lost);
  EXPECT_EQ(sides.wrong, sides.mirrored);
  EXPECT_THAT(judgement_text(judge(c.input)), HasSubstr("handedness lost"));
  // Bones that mirror change every sign.
  c.input.pose = test_rigs::mirrored(c.pose).M;
  c.use_pose();
  c.input.sides = c.input.rig.rest_sides;
  sides = judge(c.input).sides;
  EXPECT_TRUE(sides.reversed);
}

TEST(Judge, AnEngineThatKeepsFourInfluencesIsNamedWithWhatItCosts) {
  for (const std::uint64_t seed : {41, 42}) {
    Case c = random_case(seed, true, 8, 6);
    const auto kept = [&](int v) {
      std::vector<std::pair<double, int>> slots;
      for (int k = 0; k < 6; ++k) slots.emplace_back(c.weight(v, k), c.slot(v, k));
      std::sort(slots.rbegin(), slots.rend());
      Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
      for (int k = 0; k < 4; ++k)
        sum += slots[static_cast<std::size_t>(k)].first * c.M(slots[static_cast<std::size_t>(k)].second);
      return sum;  // of any scale: only its direction counts
    };
    const std::vector<Vec3d> whole = unit(c.per_vertex([&](int v) { return (c.T(v) * c.n0(v)).eval(); })),
                             cut = unit(c.per_vertex([&](int v) { return (kept(v) * c.n0(v)).eval(); }));
    const std::vector<Vec3d> p =
        c.per_vertex([&](int v) { return (c.T(v) * c.p0(v) + c.translation(v)).eval(); });
    const std::vector<double> area = vertex_areas(Surface(c.mesh.faces, weld(c.mesh)), p);
    double cost = 0, total = 0;
    for (std::size_t v = 0; v < p.size(); ++v) {
      cost += area[v] * std::acos(std::min(dot(whole[v], cut[v]), 1.0)) * 180 / M_PI;
      total += area[v];
    }
    ASSERT_GT(cost / total, kUsualTolerance) << "else nothing was tested";
    char words[32];
    std::snprintf(words, sizeof words, "costs %.2f degrees", cost / total);

    c.input.normals = cut;
    c.input.slots = 6;
    Judgement judgement = judge(c.input);
    EXPECT_EQ(named(judgement.normals).id, "four-strongest") << judgement_text(judgement);
    EXPECT_LT(named(judgement.normals).mean, 1e-4);
    EXPECT_THAT(named(judgement.normals).what, AllOf(HasSubstr(words), HasSubstr("'standard'")));
    EXPECT_THAT(named(judgement.normals).advice, HasSubstr("--influences 4"));
    c.input.influences = 4;
    judgement = judge(c.input);
    EXPECT_EQ(named(judgement.normals).id, "standard") << judgement_text(judgement);
    EXPECT_EQ(judgement.influences, 4);
    for (const Fit& fit : judgement.normals.diagnosis.fits)
      EXPECT_NE(fit.id, "four-strongest") << "of a rig that has no more";
    c.input.influences = 0;
    c.input.normals = whole;
    EXPECT_EQ(named(judge(c.input).normals).id, "standard");
  }
}

TEST(Judge, SlotsWithoutWeightAreNoInfluences) {
  Case c = random_case(44, true);
  RigArrays& rig = c.input.rig;
  std::vector<int> bones;
  std::vector<double> weights;
  constexpr int kPadded = 6;
  for (int v = 0; v < c.mesh.vertex_count(); ++v)
    for (int k = 0; k < kPadded; ++k) {
      bones.push_back(k < rig.influences ? c.slot(v, k) : 0);
      weights.push_back(k < rig.influences ? c.weight(v, k) : 0);
    }
  ASSERT_LT(rig.influences, 4);
  c.input.normals = unit(c.per_vertex([&](int v) { return (c.T(v) * c.n0(v)).eval(); }));
  rig.influences = kPadded;
  rig.bones = bones;
  rig.weights = weights;
  c.input.slots = kPadded;
  for (const Fit& fit : judge(c.input).normals.diagnosis.fits) EXPECT_NE(fit.id, "four-strongest");
}

TEST(Judge, FirstBonesAreThoseOfTheFile) {
  Case c = random_case(43, true);
  for (int v = 0; v < c.mesh.vertex_count(); ++v) c.input.first_bones.push_back((c.strongest(v) + 1) % 4);
  c.input.normals =
      unit(c.per_vertex([&](int v) { return (c.M((c.strongest(v) + 1) % 4) * c.n0(v)).eval(); }));
  EXPECT_EQ(named(judge(c.input).normals).id, "first-bone");
  c.input.first_bones[7] = 4;
  EXPECT_THROW(judge(c.input), InputError);
  c.input.first_bones.pop_back();
  EXPECT_THROW(judge(c.input), InputError);
}

TEST(Judge, GivenPositionsDefineTheTruth) {
  Case c = random_case(23, true);
  c.input.normals = c.input.rig.rest_normals;
  c.input.posed = c.input.rig.positions;  // nothing moved, whatever the pose says
  EXPECT_LT(judge(c.input).normals.recomputed.max, 1e-4);
}

}  // namespace
}  // namespace skinlight
