// What moves in FBX: how nodes inherit scale, against the SDK's formula in Eigen; layers, against the SDK; ranges of
// clips; blend shapes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "skinlight/asset/fbx/detail/fbx_layers.h"
#include "skinlight/asset/fbx/fbx.h"
#include "skinlight/core/random.h"
#include "testing/fbx_file.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using namespace fbx_test;
using gltf_test::count_of;
using gltf_test::posed;

Model read(const Strip& strip) { return parse_fbx(strip.text(), "strip"); }

Eigen::Matrix3d euler(const Eigen::Vector3d& degrees) {
  const Eigen::Vector3d r = degrees * (EIGEN_PI / 180);
  return (Eigen::AngleAxisd(r.z(), Eigen::Vector3d::UnitZ()) *
          Eigen::AngleAxisd(r.y(), Eigen::Vector3d::UnitY()) *
          Eigen::AngleAxisd(r.x(), Eigen::Vector3d::UnitX()))
      .toRotationMatrix();
}

// A chain of nodes at a time, as the SDK's example "Transformations" computes it: rotations and scales apart.
struct Joint {
  Eigen::Vector3d translation, rotation, scale, rotation_rate, scale_rate;
  int inherit;
};

Eigen::Affine3d global_of(const std::vector<Joint>& chain, double time) {
  Eigen::Affine3d global = Eigen::Affine3d::Identity();
  Eigen::Matrix3d turned = Eigen::Matrix3d::Identity();
  Eigen::Vector3d parent_own(1, 1, 1);
  for (const Joint& j : chain) {
    const Eigen::Matrix3d r = euler(j.rotation + time * j.rotation_rate);
    const Eigen::Vector3d s = j.scale + time * j.scale_rate;
    const Eigen::Matrix3d parent_scale = turned.transpose() * global.linear();  // shear and all
    Eigen::Matrix3d linear = Eigen::Matrix3d::Identity();
    if (j.inherit == 0) linear = turned * r * parent_scale * s.asDiagonal();
    if (j.inherit == 1) linear = global.linear() * r * s.asDiagonal();
    if (j.inherit == 2)
      linear = turned * r * parent_scale * parent_own.cwiseInverse().asDiagonal() * s.asDiagonal();
    const Eigen::Vector3d origin = global * j.translation;
    global.linear() = linear;
    global.translation() = origin;
    turned = turned * r;
    parent_own = s;
  }
  return global;
}

std::vector<double> numbers(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

// Curves of three axes of a property, lines from time 0 to 1.
std::string moving(int id, int model, const char* name, const Eigen::Vector3d& from,
                   const Eigen::Vector3d& rate, std::string& connections) {
  std::string text = "AnimationCurveNode: " + std::to_string(id) + ", \"\", \"\" {\n}\n";
  connections += connect(id, Strip::kLayer) + connect(id, model, name);
  for (int axis = 0; axis < 3; ++axis) {
    text += curve(id + 1 + axis, {0, 1}, {from[axis], from[axis] + rate[axis]});
    connections += connect(id + 1 + axis, id, std::string("d|") + "XYZ"[axis]);
  }
  return text;
}

TEST(FbxInherit, ScalesReachChildrenAsInheritTypeSays) {
  Random random(20261129);
  const auto vector = [&](double low, double high) {
    return Eigen::Vector3d{random.uniform(low, high), random.uniform(low, high), random.uniform(low, high)};
  };
  const std::vector<std::array<int, 3>> chains = {{1, 0, 0}, {1, 2, 2}, {0, 0, 0}, {1, 0, 2},
                                                  {1, 2, 0}, {1, 1, 1}, {2, 0, 1}, {1, 2, 1}};
  for (const auto& inherit : chains)
    for (const bool is_moved : {false, true}) {
      std::vector<Joint> chain;
      for (const int i : inherit)
        chain.push_back({vector(-1, 1), vector(-90, 90), vector(.5, 2),
                         is_moved ? vector(-90, 90) : vector(0, 0), is_moved ? vector(0, 1) : vector(0, 0),
                         i});
      // Above the strip's two joints a third, so that what the middle one inherits counts.
      Strip file;
      std::array<std::string*, 2> properties = {&file.lower, &file.upper};
      const auto described = [](const Joint& j) {
        return property("Lcl Translation", numbers(j.translation)) +
               property("Lcl Rotation", numbers(j.rotation)) + property("Lcl Scaling", numbers(j.scale)) +
               property("InheritType", {static_cast<double>(j.inherit)});
      };
      for (std::size_t i = 0; i < 2; ++i) *properties[i] = described(chain[i + 1]);
      file.objects =
          "Model: 23, \"Model::root\", \"LimbNode\" {\n Properties70:  {\n" + described(chain[0]) + " }\n}\n";
      file.connections = connect(23, 0);
      file.turn = "";
      std::string more;
      if (is_moved)
        for (std::size_t i = 0; i < 3; ++i) {
          const int model = i == 0   ? 23
                            : i == 1 ? Strip::kLower
                                     : Strip::kUpper,
                    id = 100 + 20 * static_cast<int>(i);
          more +=
              moving(id, model, "Lcl Rotation", chain[i].rotation, chain[i].rotation_rate, file.connections) +
              moving(id + 10, model, "Lcl Scaling", chain[i].scale, chain[i].scale_rate, file.connections);
        }
      file.objects += more;
      std::string text = gltf_test::replaced(file.text(), connect(63, 60, "d|Z"), "");
      text = gltf_test::replaced(text, connect(Strip::kLower, 0), connect(Strip::kLower, 23));
      const Model model = parse_fbx(text, "strip");
      for (const double time : {0.0, .35, 1.0}) {
        const Pose pose =
            is_moved ? pose_at(model.skeleton, model.clips.at(0), time) : default_pose(model.skeleton);
        const std::vector<Vec3d> p = posed(model.mesh, pose);
        for (int v = 0; v < 8; ++v) {
          Eigen::Vector3d expected = Eigen::Vector3d::Zero();
          const Vec3d p0 = model.mesh.p0[static_cast<std::size_t>(v)];
          const std::vector<Joint> lower(chain.begin(), chain.begin() + 2);
          const double w = .25 * (v / 2);
          expected += (1 - w) * (global_of(lower, is_moved ? time : 0) * Eigen::Vector3d(p0.x, p0.y, p0.z));
          expected += w * (global_of(chain, is_moved ? time : 0) * Eigen::Vector3d(p0.x, p0.y - 1, p0.z));
          const Vec3d found = p[static_cast<std::size_t>(v)];
          EXPECT_LT((Eigen::Vector3d(found.x, found.y, found.z) - expected).norm(), 1e-6)
              << inherit[0] << inherit[1] << inherit[2] << " at " << time << " vertex " << v;
        }
      }
    }
}

// Two layers of lines from the first to the second value; the SDK's values half way and at the end, from FBX2glTF.
// A pivot makes the frame's place turn with the node. Its rates are those of its places: with others no spline would be
// close, and there were a thousand keys.
TEST(FbxInherit, PlacesThatTurnAboutAPivotAreAFewSplines) {
  Strip file;
  file.lower = property("Lcl Scaling", {2, 2, 2});
  file.upper = property("Lcl Translation", {0, 1, 0}) + property("InheritType", {2}) +
               property("RotationPivot", {.3, .5, .2});
  const Model model = read(file);
  int found = 0;
  for (const Channel& channel : model.clips.at(0).channels)
    if (channel.path == Path::translation) {
      ++found;
      EXPECT_EQ(channel.interpolation, Interpolation::cubic_spline);
      EXPECT_GT(channel.times.size(), 10u);
      EXPECT_LT(channel.times.size(), 100u);
    }
  EXPECT_EQ(found, 1);
}

TEST(FbxLayers, BlendAsTheSdkBlendsThem) {
  using fbx::BlendMode;
  const auto layer = [](const Vec3d& value, const fbx::Blending& how) {
    return fbx::Layer{{value, {}}, how};
  };
  const auto additive = BlendMode::additive, override_ = BlendMode::override_,
             pass = BlendMode::override_passthrough;
  // Half way: translation 4 below 2, angles (20, -25, 35) below (20, 10, -20), scales (1.5, 2, 1) below (1.25, 1.5, 2.5).
  const auto blend = [&](Vec3d below, Vec3d above, const fbx::Blending& how, bool multiplies) {
    return fbx::blended({layer(below, {}), layer(above, how)}, multiplies, 0, 0).value;
  };
  const Vec3d t(4, 0, 0), u(2, 0, 0);
  EXPECT_EQ(blend(t, u, {additive, 1}, false).x, 6);
  EXPECT_EQ(blend(t, u, {additive, .5}, false).x, 5);
  EXPECT_EQ(blend(t, u, {override_, .5}, false).x, 1);
  EXPECT_EQ(blend(t, u, {pass, .5}, false).x, 3);
  EXPECT_EQ(fbx::blended({layer(u, {override_, .5})}, false, 0, 0).value.x, 2) << "the lowest is whole";
  const Vec3d s(1.5, 2, 1), r(1.25, 1.5, 2.5);
  const auto expect_near = [](Vec3d found, Vec3d expected) { EXPECT_LT(length(found - expected), 2e-5); };
  expect_near(blend(s, r, {additive, 1}, true), {1.875, 3, 2.5});
  expect_near(blend(s, r, {additive, .5}, true), {1.67705, 2.44949, 1.58114});
  expect_near(blend(s, r, {override_, .5}, true), {1.11803, 1.22474, 1.58114});
  expect_near(blend(s, r, {pass, .5}, true), {1.36931, 1.73205, 1.58114});
  expect_near(blend(s, r, {additive, 1, false, true}, true), {2.75, 3.5, 3.5});
  expect_near(blend(s, r, {additive, .5, false, true}, true), {2.125, 2.75, 2.25});
  expect_near(blend(s, r, {pass, .5, false, true}, true), {1.375, 1.75, 1.75});
  const auto turn = [&](const fbx::Blending& how, const Quat& expected) {
    const Quat found =
        fbx::blended_turn({layer({20, -25, 35}, {}), layer({20, 10, -20}, how)}, 0, 0, 0).value;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], 1e-5);
  };
  turn({additive, 1}, {.39584, .00463, .18584, .89930});
  turn({additive, .5}, {.31369, -.07452, .25776, .91083});
  turn({override_, .5}, {.18526, .05449, -.18526, .96353});
  turn({pass, .5}, {.21393, -.05091, .07271, .97281});
  turn({additive, 1, true}, {.35220, -.07734, .16587, .91786});
  turn({additive, .5, true}, {.28515, -.10859, .24977, .91898});
  turn({override_, .5, true}, {.09053, .03570, -.09053, .99113});
  turn({pass, .5, true}, {.17712, -.05294, .07560, .97985});
}

TEST(FbxLayers, OfAFileAreBlendedUnlessTheyAreMute) {
  Strip file;
  const auto above = [&](const std::string& properties) {
    file.objects = "AnimationLayer: 52, \"AnimLayer::above\", \"\" {\n Properties70:  {\n" + properties +
                   " }\n}\n" + "AnimationCurveNode: 80, \"\", \"\" {\n}\n" + curve(81, {0, 1}, {0, 60});
    file.connections = connect(52, Strip::kStack) + connect(80, 52) +
                       connect(80, Strip::kUpper, "Lcl Rotation") + connect(81, 80, "d|Z");
    const Model model = read(file);
    EXPECT_TRUE(model.warnings.empty());
    return posed(model.mesh, pose_at(model.skeleton, model.clips.at(0), .5))[6];  // (0, 3, 0), 3/4
  };
  const auto turned = [](double degrees) {
    const double a = degrees * EIGEN_PI / 180;
    return Vec3d(-.75 * 2 * std::sin(a), .25 * 3 + .75 * (1 + 2 * std::cos(a)), 0);
  };
  EXPECT_LT(length(above("") - turned(45 + 30)), 1e-7);
  EXPECT_LT(length(above(property("Weight", {50})) - turned(45 + 15)), 1e-7);
  EXPECT_LT(length(above(property("BlendMode", {1})) - turned(30)), 1e-7);
  EXPECT_LT(length(above(property("Mute", {1})) - turned(45)), 1e-7);
}

TEST(FbxClips, TimeZeroIsTheStartOfTheRangeAndKeysOutsideAreCut) {
  Strip file;
  file.turn = curve(63, {-1, 1, 3}, {0, 40, 120});
  file.range = property("LocalStart", {.5 * static_cast<double>(kSecond)}) +
               property("LocalStop", {2.0 * static_cast<double>(kSecond)});
  const Model model = read(file);
  EXPECT_DOUBLE_EQ(model.clips.at(0).duration, 1.5);
  const auto angle_at = [&](const Model& m, double time) {
    const Vec3d p = posed(m.mesh, pose_at(m.skeleton, m.clips.at(0), time))[6];
    return std::atan2(-p.x, p.y - 1.5) * 180 / EIGEN_PI;  // (0, 3, 0) at weight 3/4 about (0, 1, 0)
  };
  EXPECT_NEAR(angle_at(model, 0), 30, 1e-6);
  EXPECT_NEAR(angle_at(model, .5), 40, 1e-6);
  EXPECT_NEAR(angle_at(model, 1.5), 80, 1e-6);
  EXPECT_NEAR(angle_at(model, 9), 80, 1e-6);
  // Without a range: the first key.
  file.range = "";
  const Model whole = read(file);
  EXPECT_DOUBLE_EQ(whole.clips.at(0).duration, 4);
  EXPECT_NEAR(angle_at(whole, 1), 20, 1e-6);
}

// One channel with a shape at 40 % and one at 100 %, another with one shape; vertex 7 moves along x, y, z.
TEST(FbxMorphs, ChannelsMoveTheirShapesThroughOneAnother) {
  Strip file;
  const auto shape = [](int id, const std::string& name, const std::vector<double>& dp) {
    return "Geometry: " + std::to_string(id) + ", \"Geometry::" + name + "\", \"Shape\" {\n" +
           array<std::int64_t>("Indexes", {7}) + array("Vertices", dp) + "}\n";
  };
  const auto channel = [](int id, double percent, const std::vector<double>& full) {
    return "Deformer: " + std::to_string(id) + ", \"SubDeformer::\", \"BlendShapeChannel\" {\n" +
           array("FullWeights", full) + " Properties70:  {\n" + property("DeformPercent", {percent}) +
           " }\n}\n";
  };
  file.objects = "Deformer: 90, \"Deformer::\", \"BlendShape\" {\n}\n" + channel(91, 20, {40, 100}) +
                 channel(92, 50, {100}) + shape(93, "half", {1, 0, 0}) + shape(94, "whole", {0, 1, 0}) +
                 shape(95, "other", {0, 0, 1}) + "AnimationCurveNode: 96, \"\", \"\" {\n}\n" +
                 curve(97, {0, 1}, {0, 100}) + "AnimationCurveNode: 98, \"\", \"\" {\n}\n" +
                 curve(99, {0, 1}, {0, 200}, 8 | 0x400);
  file.connections = connect(90, Strip::kGeometry) + connect(91, 90) + connect(92, 90) + connect(93, 91) +
                     connect(94, 91) + connect(95, 92) + connect(96, Strip::kLayer) +
                     connect(96, 91, "DeformPercent") + connect(97, 96, "d|DeformPercent") +
                     connect(98, Strip::kLayer) + connect(98, 92, "DeformPercent") +
                     connect(99, 98, "d|DeformPercent");
  file.body = property("GeometricScaling", {2, 2, 2});
  const Model model = read(file);
  EXPECT_TRUE(model.warnings.empty());
  ASSERT_EQ(model.morphs.size(), 3u);
  EXPECT_EQ(model.morphs[0].name, "half");
  EXPECT_EQ(model.morphs[0].vertex, (std::vector<int>{7}));
  EXPECT_EQ(model.morphs[2].dp, (std::vector<Vec3d>{{0, 0, 2}})) << "in the scene's space";
  EXPECT_EQ(model.morph_weights, (std::vector<double>{.5, 0, .5}));
  const auto weights = [&](double time) {
    return morph_weights_at(model.morph_weights, model.clips.at(0), time);
  };
  const auto expect_weights = [&](double time, const std::vector<double>& expected) {
    const std::vector<double> found = weights(time);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], 1e-7) << time << " " << i;
  };
  // The second channel eases in and out: 3 u^2 - 2 u^3 of 200 %.
  expect_weights(0, {0, 0, 0});
  expect_weights(.1, {.25, 0, 2 * .028});
  expect_weights(.4, {1, 0, 2 * .352});
  expect_weights(.55, {.75, .25, 2 * (3 * .3025 - 2 * .166375)});
  expect_weights(.7, {.5, .5, 2 * .784});
  expect_weights(1, {0, 1, 2});
}

}  // namespace
}  // namespace skinlight
