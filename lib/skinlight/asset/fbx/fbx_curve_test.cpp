// Curves against the FBX SDK: each was written into a file that FBX2glTF 0.9.7, which is built on the SDK, baked
// to 24 values a second.
#include "skinlight/asset/fbx/detail/fbx_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "skinlight/asset/fbx/detail/fbx_track.h"
#include "skinlight/asset/fbx/detail/fbx_transform.h"
#include "testing/fbx_file.h"

namespace skinlight {
namespace {

using fbx::Curve;
using fbx::Motion;
using fbx_test::array;
using testing::HasSubstr;

constexpr double kFrames = 24;

struct Key {
  int frame;
  double value;
  std::int64_t flags;
  float right = 0, next_left = 0;                              // slopes, biases, or tension and continuity
  std::uint32_t right_weight = 3333, next_left_weight = 3333;  // of 9999
  float bias = 0;
};
struct Value {
  int frame;
  double value;
};
struct Case {
  std::string name;
  std::vector<Key> keys;
  std::vector<Value> values;  // by the SDK
};

// Keys: frame, value, flags (hexadecimal, as the SDK names them), slope to the right, slope from the left at the
// next key, weights of both where they are not a third, bias of TCB keys.
constexpr const char* kTable = R"(
linear keys
 keys 0 0 4 0 0, 24 10 4 0 0, 30 11 4 0 0, 48 0 4 0 0, 60 3 4 0 0
 values 1 0.41666664, 3 1.2499999, 7 2.9166667, 11 4.5833334, 15 6.25, 20 8.3333328, 23 9.5833331,
   25 10.166667, 27 10.5, 28 10.666667, 29 10.833333, 31 10.388889, 34 8.5555553, 38 6.1111111,
   43 3.0555556, 46 1.2222222, 50 0.49999999, 55 1.75, 59 2.75
constant keys
 keys 0 0 2 0 0, 24 10 2 0 0, 30 11 2 0 0, 48 0 2 0 0, 60 3 2 0 0
 values 1 0, 3 0, 7 0, 11 0, 15 0, 20 0, 23 0, 25 9.9999994, 27 9.9999994, 28 9.9999994, 29 9.9999994,
   31 11, 34 11, 38 11, 43 11, 46 11, 50 0, 55 0, 59 0
constant keys that take the next value
 keys 0 0 102 0 0, 24 10 102 0 0, 30 11 102 0 0, 48 0 102 0 0, 60 3 102 0 0
 values 1 9.9999994, 3 9.9999994, 7 9.9999994, 11 9.9999994, 15 9.9999994, 20 9.9999994, 23 9.9999994,
   25 11, 27 11, 28 11, 29 11, 31 0, 34 0, 38 0, 43 0, 46 0, 50 2.9999999, 55 2.9999999, 59 2.9999999
user slopes
 keys 0 0 408 5 20, 24 10 408 5 20, 30 11 408 5 20, 48 0 408 5 20, 60 3 408 5 20
 values 1 0.208695, 3 0.63476562, 7 1.5823929, 11 2.7730757, 15 4.3457031, 20 7.0601851, 23 9.192346,
   25 10.103009, 27 10.03125, 28 10.092592, 29 10.376158, 31 11.044024, 34 9.5397808, 38 5.281207,
   43 0.11038251, 46 -0.89849103, 50 0.28009259, 55 0.70688659, 59 2.2566549
broken user slopes
 keys 0 0 c08 -30 7, 24 10 c08 -30 7, 30 11 c08 -30 7, 48 0 c08 -30 7, 60 3 c08 -30 7
 values 1 -1.1090133, 3 -2.5371093, 7 -2.7561486, 11 -0.45435429, 15 3.1738285, 20 7.7546306, 23 9.6315831,
   25 9.165509, 27 9.34375, 28 9.9259257, 29 10.549768, 31 9.7716473, 34 6.385459, 38 2.7503427,
   43 0.060228101, 46 -0.3305898, 50 -1.5949074, 55 -0.14380791, 59 2.600405
no kind of tangent
 keys 0 0 8 5 7, 24 10 8 5 7, 30 11 8 5 7, 48 0 8 5 7, 60 3 8 5 7
 values 1 0.050636573, 3 0.42968751, 7 2.0558447, 11 4.3764465, 15 6.8359375, 20 9.259259, 23 9.9493638,
   25 10.074074, 27 10.5, 28 10.740741, 29 10.925926, 31 10.90192, 34 9.6117958, 38 6.4128943, 43 2.0747596,
   46 0.37722911, 50 0.22222223, 55 1.8715277, 59 2.9409723
auto
 keys 0 0 108 0 0, 24 10 108 0 0, 30 11 108 0 0, 48 0 108 0 0, 60 3 108 0 0
 values 1 0.42165797, 3 1.2910156, 7 3.0974392, 11 4.9246963, 15 6.6894531, 20 8.6805552, 23 9.6981332,
   25 10.307484, 27 10.885416, 28 11.067902, 29 11.120756, 31 10.713177, 34 9.1989025, 38 6.2208503,
   43 2.3227453, 46 0.61865561, 50 -0.097993831, 55 1.2267553, 59 2.7171103
auto with bias
 keys 0 0 108 20 40, 24 10 108 20 40, 30 11 108 20 40, 48 0 108 20 40, 60 3 108 20 40
 values 1 0.41966145, 3 1.2746093, 7 3.02513, 11 4.7881506, 15 6.5136716, 20 8.541666, 23 9.652213,
   25 10.268519, 27 10.749999, 28 10.918518, 29 11.00926, 31 10.652837, 34 9.1297664, 38 6.3689984,
   43 2.6938872, 46 0.87544583, 50 0.021604923, 55 1.3314043, 59 2.7236883
auto with negative bias
 keys 0 0 2108 -20 -40, 24 10 2108 -20 -40, 30 11 2108 -20 -40, 48 0 2108 -20 -40, 60 3 2108 -20 -40
 values 1 0.42365449, 3 1.3074217, 7 3.1697482, 11 5.0612416, 15 6.8652339, 20 8.8194445, 23 9.7440526,
   25 10.346451, 27 11.020832, 28 11.217283, 29 11.232252, 31 10.773516, 34 9.2680387, 38 6.0727023,
   43 1.9516032, 46 0.3618656, 50 -0.21759262, 55 1.1221064, 59 2.7105326
auto, time independent
 keys 0 0 2108 0 0, 24 10 2108 0 0, 30 11 2108 0 0, 48 0 2108 0 0, 60 3 2108 0 0
 values 1 0.41866316, 3 1.2664061, 7 2.9889755, 11 4.7198787, 15 6.4257808, 20 8.4722221, 23 9.6292533,
   25 10.386574, 27 11.0875, 28 11.274074, 29 11.266202, 31 10.544256, 34 8.7879285, 38 5.9108369,
   43 2.3522805, 46 0.71632364, 50 -0.21759262, 55 1.1221064, 59 2.7105326
auto, clamped
 keys 0 0 1108 0 0, 12 10 1108 0 0, 24 10 1108 0 0, 36 10.02 1108 0 0, 48 12 1108 0 0, 60 20 1108 0 0
 values 1 0.89699067, 3 2.96875, 7 7.2511569, 11 9.8668985, 15 9.9999994, 20 9.9999994, 23 9.9999994,
   25 9.994027, 27 9.9562511, 28 9.9311113, 29 9.906251, 31 9.8706946, 34 9.9027783, 38 10.166898,
   43 10.648987, 46 11.298936, 50 12.984954, 55 16.361836, 59 19.314173
auto, clamped progressively
 keys 0 0 6108 0 0, 24 10 6108 0 0, 30 11 6108 0 0, 48 0 6108 0 0, 60 3 6108 0 0
 values 1 0.035995367, 3 0.30937498, 7 1.5255786, 11 3.3751156, 15 5.5468746, 20 8.2407407, 23 9.6126154,
   25 10.328703, 27 10.774999, 28 10.903703, 29 10.976852, 31 10.90192, 34 9.6117958, 38 6.4128943,
   43 2.0747596, 46 0.37722911, 50 0.22222223, 55 1.8715277, 59 2.9409723
auto, clamped progressively, plateau
 keys 0 0 6108 0 0, 12 10 6108 0 0, 24 10 6108 0 0, 36 10.02 6108 0 0, 48 12 6108 0 0, 60 20 6108 0 0
 values 1 0.19675924, 3 1.5625, 7 6.2384259, 11 9.8032407, 15 9.9999994, 20 9.9999994, 23 9.9999994,
   25 10.000011, 27 10.000312, 28 10.000741, 29 10.001446, 31 10.00397, 34 10.011575, 38 10.058102,
   43 10.553791, 46 11.277176, 50 13.170139, 55 17.496093, 59 19.874357
auto, clamped progressively, with bias
 keys 0 0 6108 20 40, 24 10 6108 20 40, 30 11 6108 20 40, 48 0 6108 20 40, 60 3 6108 20 40
 values 1 0.035995367, 3 0.30937498, 7 1.5255786, 11 3.3751156, 15 5.5468746, 20 8.2407407, 23 9.6126154,
   25 10.328703, 27 10.774999, 28 10.903703, 29 10.976852, 31 10.90192, 34 9.6117958, 38 6.4128943,
   43 2.0747596, 46 0.37722911, 50 0.22222223, 55 1.8715277, 59 2.9409723
tension, continuity, bias
 keys 0 0 208 0.5 0.25 -0.3, 24 10 208 0.5 0.25 -0.3, 30 11 208 0.5 0.25 -0.3, 48 0 208 0.5 0.25 -0.3,
   60 3 208 0.5 0.25 -0.3
 values 1 0.23229979, 3 0.85607907, 7 2.5922444, 11 4.6977673, 15 6.8341061, 20 9.0321176, 23 9.8450646,
   25 10.197024, 27 10.768619, 28 11.000539, 29 11.101441, 31 10.800452, 34 9.3248107, 38 6.0929354,
   43 1.9062204, 46 0.32126191, 50 0.10296104, 55 1.6714713, 59 2.8802721
weighted user slopes
 keys 0 0 3000408 5 20 999 7999, 24 10 1000408 20 0 8999 4999, 48 0 408 0 0
 values 1 -0.10377542, 3 -0.73636728, 7 -0.56037051, 11 0.9754004, 15 3.2675128, 20 6.8005212, 23 9.1745086,
   25 10.816143, 27 12.334795, 28 13.029104, 29 13.673349, 31 14.785197, 34 15.867271, 38 15.431656,
   43 6.6593803, 46 0.73828036
weighted, clamped progressively
 keys 0 0 3006108 0 0 1999 5999, 24 10 3006108 0 0 4999 2499, 36 10.5 3006108 0 0 999 8999, 48 20 6108 0 0
 values 1 0.11311165, 3 0.89011686, 7 3.4177028, 11 5.8600187, 15 7.7378236, 20 9.2922665, 23 9.8625973,
   25 10.115571, 27 10.287436, 28 10.342487, 29 10.377011, 31 10.391602, 34 10.372635, 38 14.630128,
   43 19.142124, 46 19.883232
kinds of keys mixed
 keys 0 0 2108 0 0, 24 10 2104 0 0, 30 11 2108 0 0, 48 0 2 0 0, 60 3 2108 0 0
 values 1 0.41866316, 3 1.2664061, 7 2.9889755, 11 4.7198787, 15 6.4257808, 20 8.4722221, 23 9.6292533,
   25 10.166667, 27 10.5, 28 10.666667, 29 10.833333, 31 10.544256, 34 8.7879285, 38 5.9108369,
   43 2.3522805, 46 0.71632364, 50 0, 55 0, 59 0
auto beside user slopes
 keys 0 0 2108 0 0, 24 10 2108 0 0, 30 11 408 5 7, 48 0 2108 0 0, 60 3 2108 0 0
 values 1 0.41866316, 3 1.2664061, 7 2.9889755, 11 4.7198787, 15 6.4257808, 20 8.4722221, 23 9.6292533,
   25 10.328703, 27 10.774999, 28 10.903703, 29 10.976852, 31 11.098804, 34 10.261577, 38 7.3434845,
   43 2.8332327, 46 0.75133042, 50 -0.21759262, 55 1.1221064, 59 2.7105326
)";

std::vector<Case> read_cases() {
  std::vector<Case> cases;
  std::istringstream lines(kTable);
  bool in_keys = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line[0] != ' ') cases.push_back({line, {}, {}});
    if (line[0] != ' ') continue;
    std::string rest = line;
    for (const auto& [tag, keys] : {std::pair(std::string(" keys"), true), {std::string(" values"), false}})
      if (line.rfind(tag, 0) == 0) {
        in_keys = keys;
        rest = line.substr(tag.size());
      }
    std::istringstream items(rest);
    for (std::string item; std::getline(items, item, ',');) {
      std::istringstream words(item);
      Value v{};
      if (!(words >> v.frame >> v.value)) continue;
      if (!in_keys) {
        cases.back().values.push_back(v);
        continue;
      }
      Key key{v.frame, v.value, 0};
      words >> std::hex >> key.flags >> std::dec >> key.right >> key.next_left;
      if (cases.back().name.find("tension") == 0) {
        words >> key.bias;
      } else if (std::uint32_t right = 0, left = 0; words >> right >> left) {
        key.right_weight = right;
        key.next_left_weight = left;
      }
      cases.back().keys.push_back(key);
    }
  }
  return cases;
}

const std::vector<Case> kCases = read_cases();

Curve curve_of(const std::string& text, std::vector<Warning>& warnings) {
  const fbx::Document document(
      fbx::parse_text("FBXHeaderExtension: {\n FBXVersion: 7400\n}\nObjects: {\n" + text + "}\n"));
  return Curve(document.objects().at(0), {}, true, warnings);
}

Curve curve_of(const std::vector<Key>& keys) {
  std::vector<std::int64_t> times, flags, counts, data;
  std::vector<double> values;
  for (const Key& key : keys) {
    times.push_back(key.frame * fbx_test::kSecond / 24);
    values.push_back(key.value);
    flags.push_back(key.flags);
    counts.push_back(1);
    const bool is_tcb = (key.flags & 0x200) != 0;
    const std::uint32_t third =
        is_tcb ? std::bit_cast<std::uint32_t>(key.bias) : key.next_left_weight << 16 | key.right_weight;
    for (const std::uint32_t bits :
         {std::bit_cast<std::uint32_t>(key.right), std::bit_cast<std::uint32_t>(key.next_left), third, 0u})
      data.push_back(static_cast<std::int32_t>(bits));
  }
  std::vector<Warning> warnings;
  return curve_of("AnimationCurve: 1, \"\", \"\" {\n" + array("KeyTime", times) +
                      array("KeyValueFloat", values) + array("KeyAttrFlags", flags) +
                      array("KeyAttrDataFloat", data) + array("KeyAttrRefCount", counts) + "}\n",
                  warnings);
}

TEST(FbxCurve, EveryKindOfKeyIsThatOfTheSdk) {
  // The SDK's values came through floats, times a hundred; where curves are weighted it stops its search early.
  constexpr double kFloat = 2e-5, kWeighted = 1e-4;
  for (const Case& c : kCases) {
    const Curve curve = curve_of(c.keys);
    const bool is_weighted = c.name.find("weighted") != std::string::npos;
    for (const Value& v : c.values)
      EXPECT_NEAR(curve.at(v.frame / kFrames, v.frame / kFrames).value, v.value,
                  is_weighted ? kWeighted : kFloat)
          << c.name << ", frame " << v.frame;
  }
}

TEST(FbxCurve, RatesAreDerivativesOfValues) {
  constexpr double kStep = 1e-6;
  for (const Case& c : kCases) {
    const Curve curve = curve_of(c.keys);
    for (const Value& v : c.values) {
      const double t = v.frame / kFrames, after = curve.at(t + kStep, t).value,
                   before = curve.at(t - kStep, t).value;
      EXPECT_NEAR(curve.at(t, t).rate, (after - before) / (2 * kStep),
                  1e-4 * (1 + std::abs(curve.at(t, t).rate)))
          << c.name << ", frame " << v.frame;
    }
  }
}

TEST(FbxCurve, KeysAreSeenFromEitherSideAndHoldOutside) {
  const Curve curve = curve_of({{0, 1, 2}, {24, 5, 4}, {48, 7, 4}});
  EXPECT_EQ(curve.at(1, .9).value, 1);
  EXPECT_EQ(curve.at(1, 1.1).value, 5);
  EXPECT_EQ(curve.at(-3, -3).value, 1);
  EXPECT_EQ(curve.at(5, 5).value, 7);
  EXPECT_EQ(curve.at(5, 5).rate, 0);
}

// Largest difference of a track from a motion, of what skeleton.h makes of its keys.
double departure(const fbx::Track& track, bool is_rotation,
                 const std::function<Motion(double, double)>& motion) {
  Skeleton skeleton;
  skeleton.nodes.resize(1);
  skeleton.bone_node = {0};
  skeleton.inverse_bind = {identity_transform<double>()};
  Clip clip;
  clip.channels = {
      {0, is_rotation ? Path::rotation : Path::translation, track.interpolation, track.times, track.values}};
  double largest = 0;
  for (int i = 0; i < 1000; ++i) {
    const double t = track.times.front() + (track.times.back() - track.times.front()) * (i + .5) / 1000;
    Skeleton expected = skeleton;
    const auto v = motion(t, t).value;
    if (is_rotation)
      expected.nodes[0].rotation = v;
    else
      expected.nodes[0].translation = {v[0], v[1], v[2]};
    const Mat4x3d a = pose_at(skeleton, clip, t).M[0], b = default_pose(expected).M[0];
    for (int c = 0; c < 4; ++c) largest = std::max(largest, length(a[c] - b[c]));
  }
  return largest;
}

TEST(FbxCurve, TracksOfCubicCurvesNeedTheirKeysAlone) {
  for (const Case& c : kCases) {
    const std::string& name = c.name;
    if (name.find("weighted") != std::string::npos) continue;
    const Curve curve = curve_of(c.keys);
    const auto motion = [&](double time, double inside) {
      const Curve::Point p = curve.at(time, inside);
      return Motion{{p.value, 2 * p.value, 0}, {p.rate, 2 * p.rate, 0}};
    };
    const fbx::Track track = fbx::resample(motion, 3, false, curve.times(), 1e-8);
    EXPECT_TRUE(track.is_close);
    // Where the curve jumps a key stands twice.
    EXPECT_LE(track.times.size(), 2 * c.keys.size()) << name;
    EXPECT_LT(departure(track, false, motion), 1e-7) << name;
    EXPECT_EQ(track.interpolation, name == "linear keys" || name.find("constant") == 0
                                       ? Interpolation::linear
                                       : Interpolation::cubic_spline)
        << name;
  }
}

TEST(FbxCurve, TracksFollowWeightedCurvesAndTurnsBetweenTheirKeys) {
  for (const Case& c : kCases) {
    const Curve curve = curve_of(c.keys);
    const auto turning = [&](double time, double inside) {
      const Curve::Point p = curve.at(time, inside);
      return fbx::euler_turn(3, {Vec3d(9, -20, 14) * p.value, Vec3d(9, -20, 14) * p.rate});
    };
    const fbx::Track turn = fbx::resample(turning, 4, true, curve.times(), 1e-8);
    EXPECT_TRUE(turn.is_close) << c.name;
    EXPECT_LT(departure(turn, true, turning), 2e-7) << c.name;
    const auto moving = [&](double time, double inside) {
      const Curve::Point p = curve.at(time, inside);
      return Motion{{p.value, 0, 0}, {p.rate, 0, 0}};
    };
    const fbx::Track move = fbx::resample(moving, 3, false, curve.times(), 1e-7);
    EXPECT_LT(departure(move, false, moving), 1e-6) << c.name;
  }
}

TEST(FbxCurve, TurnsAboutOneAxisStayLines) {
  const Curve curve = curve_of({{0, 0, 4}, {12, 80, 4}, {24, -20, 4}});
  const auto motion = [&](double time, double inside) {
    const Curve::Point p = curve.at(time, inside);
    return fbx::euler_turn(0, {{0, p.value, 0}, {0, p.rate, 0}});
  };
  const fbx::Track track = fbx::resample(motion, 4, true, curve.times(), 1e-8);
  EXPECT_EQ(track.interpolation, Interpolation::linear);
  EXPECT_EQ(track.times.size(), 3u);
  EXPECT_LT(departure(track, true, motion), 1e-12);
}

TEST(FbxCurve, MotionsThatNoKeysCanFollowAreTold) {
  const auto wild = [](double time, double) { return Motion{{std::sin(1e9 * time * time)}, {0}}; };
  const fbx::Track track = fbx::resample(wild, 1, false, {0, 1}, 1e-8);
  EXPECT_FALSE(track.is_close);
  EXPECT_LT(track.times.size(), 20000u);
}

TEST(FbxCurve, DamagedCurvesNameTheirPlace) {
  const auto expect_error = [](const std::string& body, const std::string& reason) {
    std::vector<Warning> warnings;
    try {
      curve_of("AnimationCurve: 7, \"AnimCurve::c\", \"\" {\n" + body + "}\n", warnings);
      ADD_FAILURE() << "accepted: " << reason;
    } catch (const InputError& e) {
      EXPECT_THAT(e.element(), HasSubstr("AnimationCurve 7 (c)"));
      EXPECT_THAT(e.reason(), HasSubstr(reason));
    }
  };
  const auto keys = [](std::vector<std::int64_t> times, const std::vector<std::int64_t>& counts) {
    return array("KeyTime", times) + array<double>("KeyValueFloat", {1, 2}) +
           array<std::int64_t>("KeyAttrFlags", {4}) + array("KeyAttrRefCount", counts);
  };
  expect_error(keys({0, 1, 2}, {2}), "3 times for 2 values");
  expect_error(keys({5, 1}, {2}), "do not ascend");
  expect_error(keys({0, 1}, {3}), "more attributes than keys");
  expect_error(keys({0, 1}, {-1}), "more attributes than keys");
  expect_error(keys({0, 1}, {1}), "keys without attributes");
  expect_error(keys({0, 1}, {2}) + array<std::int64_t>("KeyAttrDataFloat", {0x7f800000, 0, 0, 0}), "slope");
  expect_error("KeyTime: \"no\"\n", "holds text");
}

}  // namespace
}  // namespace skinlight
