// [SLIDES] "Log Matrix Blending", "Spherical Blending", "Dual Quaternion Blending": the methods side by side.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "repro/runner/csv.h"
#include "repro/runner/judgement.h"
#include "repro/study/posed_shape.h"
#include "repro/study/transformations.h"
#include "skinlight/core/random.h"
#include "skinlight/rig/turn.h"
#include "skinlight/samples/cuboid.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/truth/truth.h"

namespace skinlight::repro::slides::blending_gallery {

namespace {

constexpr double kTwist = 150, kBend = 90;  // degrees
constexpr double kHalfBlend = 2;            // of the tube
constexpr int kTurnStep = 10;               // degrees, of curves
constexpr int kShownTurn = 150;             // degrees, by which the pictured character turns as a whole
const Vec3d kX(1, 0, 0), kY(0, 1, 0), kZ(0, 0, 1), kOrigin(0, 0, 0);

ProceduralRig tube(int segments) {
  return cylinder({.half_length = 3, .half_blend = kHalfBlend, .ramp = Ramp::smootherstep},
                  {.segments = segments});
}

struct NamedMotion {
  const char* name;
  const char* words;
  Pose pose;
};

// Every method in every motion: pictures, the GPU against the CPU, how far SBS is from DQS.
void pictures(const Stage& body, const std::string& name, const std::vector<NamedMotion>& motions,
              Workbench& bench) {
  const Shot shot{.view = {.towards_eye = {1, -0.35, 0.15}, .up = {0, 0, 1}, .fov_degrees = 0},
                  .width = 200,
                  .height = 260};
  double& gpu = bench.results.gpu_cpu_difference;
  double& apart = bench.results.values["sbs_dqs_revolute"];
  for (const NamedMotion& motion : motions) {
    bench.progress("drawing the " + name + ", " + motion.words);
    const Framing framing = body.framing(shot, {&motion.pose, 1});
    for (const Skinning& skinning : kSkinnings)
      bench.write_image(name + "_" + motion.name + "_" + skinning.name + ".png",
                        "The " + name + ", " + motion.words + ", " + skinning.label,
                        body.picture(motion.pose, skinning, framing));
    gpu = std::fmax(gpu, body.gpu_difference(motion.pose));
    apart = std::max(apart, largest_distance(body.points(motion.pose, Method::sbs),
                                             body.points(motion.pose, Method::dqs)));
  }
}

void volumes(const Stage& body, const std::vector<NamedMotion>& motions, Workbench& bench) {
  const double at_rest = enclosed_volume(body.mesh().faces, body.mesh().p0);
  std::string table = "motion,method,volume_share\n";
  for (const NamedMotion& motion : motions)
    for (const Skinning& skinning : kSkinnings) {
      const double share =
          enclosed_volume(body.mesh().faces, body.points(motion.pose, skinning.method)) / at_rest;
      table += csv_row({motion.name, skinning.name}, {share});
      bench.results.values[std::string("volume_") + motion.name + "_" + skinning.name] = share;
    }
  bench.write_table("volumes.csv", "Volume of the posed cuboid over that at rest", table);
}

// Where a joint twists and its bones move apart along the axis, spherical blending moves in proportion to the
// weights and dual quaternions do not.
void screw(const Stage& body, Workbench& bench) {
  Mat4x3d lower = turn_about(kOrigin, kZ, kTwist / kDegrees);
  lower[3] = Vec3d(0, 0, -1);
  const Pose pose = make_pose({identity_transform<double>(), lower});
  bench.results.values["sbs_dqs_screw"] =
      largest_distance(body.points(pose, Method::sbs), body.points(pose, Method::dqs));
}

// Spherical blending as the slides print it, q (p - r) q* + sum_i w_i T_i r + sum_i w_i t_i, where bones only move along:
// q is 1 then, and the centre r drops out. By how much its points move over those of the kernel, at most and at least.
void printed_spherical(const Stage& body, Workbench& bench) {
  const RiggedMesh& mesh = body.mesh();
  const Vec3d t(0.5, -0.3, 0.2), r(0.1, 0.2, -0.4);
  Mat4x3d lower = identity_transform<double>();
  lower[3] = t;
  const std::vector<Vec3d> kernel =
      body.points(make_pose({identity_transform<double>(), lower}), Method::sbs);
  double least = INFINITY, most = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    const double w = weight_of(mesh, v, 1);
    if (w < 0.01) continue;  // hardly moves
    const Vec3d centres = (1 - w) * r + w * transform_point(lower, r);
    const Vec3d printed = (mesh.p0[i] - r) + centres + w * t;
    const double share = length(printed - mesh.p0[i]) / length(kernel[i] - mesh.p0[i]);
    least = std::min(least, share);
    most = std::max(most, share);
  }
  bench.results.values["printed_spherical_least"] = least;
  bench.results.values["printed_spherical_most"] = most;
}

// The tube with a third bone on one side, whose weight rises from zero without a corner.
ProceduralRig with_third_bone(ProceduralRig rig) {
  RiggedMesh& mesh = rig.mesh;
  const auto vertices = static_cast<std::size_t>(mesh.vertex_count());
  std::vector<int> bone;
  std::vector<double> weight;
  for (std::size_t v = 0; v < vertices; ++v) {
    const double away = length(mesh.p0[v] - Vec3d(0, -1, 0)) / 1.2;
    const double third = away < 1 ? 0.4 * std::pow(1 - away * away, 3) : 0;
    for (std::size_t s = 0; s < 2; ++s) {
      bone.push_back(mesh.bone[2 * v + s]);
      weight.push_back(mesh.weight[2 * v + s] * (1 - third));
    }
    bone.push_back(2);
    weight.push_back(third);
  }
  mesh.bone_count = 3;
  mesh.slots = 3;
  mesh.bone = std::move(bone);
  mesh.weight = std::move(weight);
  std::vector<Warning> none;  // the sums are 1
  normalize_weights(mesh, none);
  rig.gradient.clear();  // nothing here differentiates
  return rig;
}

// The largest factor by which an edge grows, at two resolutions.
void tearing(Workbench& bench) {
  const Pose pose = make_pose({identity_transform<double>(), turn_about(kOrigin, kX, 60 / kDegrees),
                               turn_about(Vec3d(0, -1, 2.5), kY, 60 / kDegrees)});
  const Shot shot{.view = {.towards_eye = {0.3, -1, 0.1}, .up = {0, 0, 1}, .fov_degrees = 0},
                  .width = 200,
                  .height = 260};
  constexpr int kCoarse = 48, kFine = 192;
  std::string table = "segments,method,largest_stretch\n";
  for (const int segments : {kCoarse, kFine}) {
    const Stage body(with_third_bone(tube(segments)), bench);
    const RiggedMesh& mesh = body.mesh();
    for (const Skinning& skinning : kSkinnings) {
      if (skinning.method != Method::sbs && skinning.method != Method::dqs) continue;
      const std::vector<Vec3d> p = body.points(pose, skinning.method);
      double stretch = 0;
      for (const Face& face : mesh.faces)
        for (std::size_t c = 0; c < 3; ++c) {
          const auto i = static_cast<std::size_t>(face[c]), j = static_cast<std::size_t>(face[(c + 1) % 3]);
          stretch = std::max(stretch, length(p[i] - p[j]) / length(mesh.p0[i] - mesh.p0[j]));
        }
      table += csv_row({std::to_string(segments), skinning.name}, {stretch});
      bench.results.values["stretch_" + std::to_string(segments) + "_" + skinning.name] = stretch;
      if (segments == kFine)
        bench.write_image(std::string("third_bone_") + skinning.name + ".png",
                          std::string("A third bone pulls at the bent tube: ") + skinning.label,
                          body.picture(pose, skinning, body.framing(shot, {&pose, 1})));
    }
  }
  bench.write_table("tearing.csv", "Largest growth of an edge where a third bone sets in", table);
}

// How far each ring of the twisted tube has turned, against its share of the angle.
void speed(const Stage& body, Workbench& bench) {
  const RiggedMesh& mesh = body.mesh();
  const Pose pose = cylinder_twist(kTwist / kDegrees);
  std::map<double, std::array<double, kSkinnings.size()>> ahead;  // by weight of the lower bone, degrees
  for (std::size_t m = 0; m < kSkinnings.size(); ++m) {
    const std::vector<Vec3d> p = body.points(pose, kSkinnings[m].method);
    double largest = 0;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      const double w = weight_of(mesh, v, 1);
      const auto i = static_cast<std::size_t>(v);
      const double turned =
          std::atan2(cross(mesh.p0[i], p[i]).z, mesh.p0[i].x * p[i].x + mesh.p0[i].y * p[i].y);
      const double lead = kDegrees * turned - w * kTwist;
      ahead[w][m] = lead;
      largest = std::max(largest, std::abs(lead));
    }
    bench.results.values[std::string("uneven_") + kSkinnings[m].name] = largest;
  }
  std::string table = "weight,lbs_deg,dqs_deg,crs_deg,sbs_deg,log_deg\n";
  for (const auto& [w, degrees] : ahead)
    table += csv_row({}, {w, degrees[0], degrees[1], degrees[2], degrees[3], degrees[4]});
  bench.write_table("speed.csv", "By how much the turn is ahead of its share of a twist of 150 degrees",
                    table);
}

Eigen::Quaterniond quaternion(const Mat3d& m) {
  Eigen::Matrix3d e;
  for (int column = 0; column < 3; ++column)
    for (int line = 0; line < 3; ++line) e(line, column) = m[column][line];
  return Eigen::Quaterniond(e);
}

// The way of the blended rotation over the way there is, from one bone to the other.
double detour(const std::vector<std::pair<double, Mat3d>>& by_weight) {
  double way = 0;
  for (std::size_t i = 1; i < by_weight.size(); ++i)
    way += rotation_between(quaternion(by_weight[i - 1].second), quaternion(by_weight[i].second));
  return way / rotation_between(quaternion(by_weight.front().second), quaternion(by_weight.back().second));
}

void paths(const Stage& body, Workbench& bench) {
  const RiggedMesh& mesh = body.mesh();
  const auto along = [&](const std::vector<Mat3d>& rotations) {
    std::vector<std::pair<double, Mat3d>> by_height;
    for (std::size_t v = 0; v < rotations.size(); ++v) by_height.emplace_back(mesh.p0[v].z, rotations[v]);
    std::stable_sort(by_height.begin(), by_height.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    return detour(by_height);
  };
  std::string table = "turn_deg,log,dqs\n";
  for (int turn = kTurnStep; turn < 180; turn += kTurnStep) {
    const Pose pose =
        make_pose({turn_about(kOrigin, kX, turn / kDegrees), turn_about(kOrigin, kY, turn / kDegrees)});
    const double by_log = along(extension_of(mesh, pose, Method::log)),
                 by_dqs = along(extension_of(mesh, pose, Method::dqs));
    table += csv_row({}, {static_cast<double>(turn), by_log, by_dqs});
    bench.results.values["detour_log_" + std::to_string(turn)] = by_log;
    double& largest = bench.results.values["detour_dqs"];
    largest = std::max(largest, by_dqs);
  }
  bench.write_table("paths.csv",
                    "Way of the blended rotation over the shortest, bones turned about x and about y", table);
}

Pose moved(const Mat4x3d& whole, const Pose& pose) {
  std::vector<Mat4x3d> M;
  for (const Mat4x3d& bone : pose.M) M.push_back(compose(whole, bone));
  return make_pose(std::move(M));
}

// x -> scale R x + t, and back.
struct Coordinates {
  Mat4x3d there, back;
};

Coordinates coordinates(const Mat4x3d& turn, Vec3d t, double scale) {
  Coordinates c{turn, turn};
  for (int i = 0; i < 3; ++i) {
    c.there[i] = turn[i] * scale;
    c.back[i] = Vec3d(turn[0][i], turn[1][i], turn[2][i]) * (1 / scale);
  }
  c.there[3] = t;
  c.back[3] = Vec3d(0.0);
  c.back[3] = -transform_point(c.back, t);
  return c;
}

ProceduralRig seen_in(const Coordinates& c, ProceduralRig rig) {
  RiggedMesh& mesh = rig.mesh;
  const double shrunk = 1 / length(c.there[0]);
  for (Vec3d& p : mesh.p0) p = transform_point(c.there, p);
  for (std::vector<Vec3d>* directions : {&mesh.n0, &mesh.t0, &mesh.b0})
    for (Vec3d& d : *directions) d = (transform_point(c.there, d) - c.there[3]) * shrunk;
  rig.gradient.clear();  // nothing here differentiates
  return rig;
}

// The same character and pose written down in other coordinates, G p0 and G M G^-1: how far its skin is from G times the skin,
// measured in the first coordinates.
void change_coordinates(const Stage& body, Workbench& bench) {
  const Pose pose = cylinder_bend(kBend / kDegrees);
  Random random(17);
  struct Change {
    const char* name;
    bool turns, scales;
  };
  constexpr int kTrials = 4;
  for (const Change& change :
       {Change{"origin", false, false}, Change{"coordinates", true, false}, Change{"unit", true, true}})
    for (int trial = 0; trial < kTrials; ++trial) {
      const Vec3d axis = random.direction(), way = random.direction();
      const double radians = random.uniform(0, M_PI), distance = random.uniform(1, 5),
                   factor = random.uniform(0.25, 4);
      const Coordinates c = coordinates(turn_about(kOrigin, axis, change.turns ? radians : 0), distance * way,
                                        change.scales ? factor : 1);
      const Stage other(seen_in(c, tube(48)), bench);
      std::vector<Mat4x3d> M;
      for (const Mat4x3d& bone : pose.M) M.push_back(compose(c.there, compose(bone, c.back)));
      const Pose there = make_pose(std::move(M));
      for (const Skinning& skinning : kSkinnings) {
        std::vector<Vec3d> p = other.points(there, skinning.method);
        for (Vec3d& x : p) x = transform_point(c.back, x);
        double& largest = bench.results.values[std::string(change.name) + "_" + skinning.name];
        largest = std::max(largest, largest_distance(body.points(pose, skinning.method), p));
      }
    }
}

// The motion that the kernel blends of four, any signs and weights: how far it is from a rigid one.
void rigid(Workbench& bench) {
  constexpr int kBones = 4, kTrials = 1000;
  using K = Kernels<double, kBones>;
  K k;
  Random random(18);
  double departure = 0, mirrored = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    K::RigidInfluences x{};
    double total = 0;
    for (int s = 0; s < kBones; ++s) {
      const Vec3d axis = random.direction(), t = random.in_cube(3);
      const double half = random.uniform(0, M_PI), side = random.below(2) == 0 ? 1 : -1;
      const Vec3d v = axis * (side * std::sin(half));
      const double scalar = side * std::cos(half);
      x.q[s].r = {scalar, v};
      x.q[s].d = {-0.5 * dot(t, v), (t * scalar + cross(t, v)) * 0.5};
      total += x.w[s] = random.uniform(0.05, 1);
    }
    for (double& w : x.w) w /= total;
    const Vec3d origin = k.dqs_position(x, kOrigin);
    Eigen::Matrix4d M = Eigen::Matrix4d::Identity();
    int column = 0;
    for (const Vec3d& axis : {kX, kY, kZ}) {
      const Vec3d along = k.dqs_position(x, axis) - origin;
      M.col(column++).head<3>() = Eigen::Vector3d(along.x, along.y, along.z);
    }
    departure = std::max(departure, departure_from_rigid(M));
    if (M.determinant() < 0) ++mirrored;
  }
  bench.results.values["dqs_departure"] = mirrored > 0 ? INFINITY : departure;
}

// The posed character turned and moved as a whole, M -> G M, and back: the skin of methods whose blends do not turn along is
// elsewhere then.
void frames(const Stage& body, Workbench& bench) {
  const Pose pose = cylinder_bend(kBend / kDegrees);
  const auto there_and_back = [&](const Mat4x3d& whole, const Mat4x3d& back, Method method) {
    std::vector<Vec3d> p = body.points(moved(whole, pose), method);
    for (Vec3d& x : p) x = transform_point(back, x);
    return p;
  };
  std::string table = "turn_deg,lbs,dqs,crs,sbs,log\n";
  for (int turn = 0; turn <= 180; turn += kTurnStep) {
    std::vector<double> row = {static_cast<double>(turn)};
    for (const Skinning& skinning : kSkinnings) {
      const double change =
          largest_distance(body.points(pose, skinning.method),
                           there_and_back(turn_about(kOrigin, kY, turn / kDegrees),
                                          turn_about(kOrigin, kY, -turn / kDegrees), skinning.method));
      row.push_back(change);
      double& largest = bench.results.values[std::string("frame_") + skinning.name];
      if (turn <= 90) largest = std::max(largest, change);
    }
    table += csv_row({}, {row[0], row[1], row[2], row[3], row[4], row[5]});
  }
  bench.write_table("frames.csv",
                    "How far the skin of a bent tube moves when all of it is turned and turned back", table);
  Mat4x3d away = identity_transform<double>(), home = away;
  away[3] = Vec3d(0, 10, 0);
  home[3] = Vec3d(0, -10, 0);
  bench.results.values["moved_log"] =
      largest_distance(body.points(pose, Method::log), there_and_back(away, home, Method::log));

  const Mat4x3d whole = turn_about(kOrigin, kY, kShownTurn / kDegrees);
  const Pose turned = moved(whole, pose);
  // The camera turns along.
  const Vec3d eye = transform_point(whole, Vec3d(1, -0.35, 0.15)), up = transform_point(whole, kZ);
  const Shot shot{.view = {.towards_eye = eye, .up = up, .fov_degrees = 0}, .width = 200, .height = 260};
  const Framing framing = body.framing(shot, {&turned, 1});
  for (const Skinning& skinning : kSkinnings)
    if (skinning.method == Method::log || skinning.method == Method::dqs)
      bench.write_image(
          std::string("turned_") + skinning.name + ".png",
          std::string("The bent tube, turned by 150 degrees as a whole, seen from the same side: ") +
              skinning.label,
          body.picture(turned, skinning, framing));
}

void run(Workbench& bench) {
  const Stage round(tube(48), bench), square(cuboid({.shared = true}), bench);
  const std::vector<NamedMotion> of_cuboid = {{"bend", "bend of 90 degrees", cuboid_pose(0, kBend)},
                                              {"twist", "twist of 150 degrees", cuboid_pose(kTwist, 0)}};
  pictures(round, "tube",
           {{"bend", "bend of 90 degrees", cylinder_bend(kBend / kDegrees)},
            {"twist", "twist of 150 degrees", cylinder_twist(kTwist / kDegrees)}},
           bench);
  pictures(square, "cuboid", of_cuboid, bench);
  bench.progress("comparing the methods");
  volumes(square, of_cuboid, bench);
  screw(round, bench);
  printed_spherical(round, bench);
  tearing(bench);
  speed(round, bench);
  paths(round, bench);
  frames(round, bench);
  change_coordinates(round, bench);
  rigid(bench);
}

std::vector<Finding> findings() {
  std::vector<Finding> all = {
      {"sbs_equals_dqs_at_revolute_joints", value_of("sbs_dqs_revolute")},
      {"sbs_differs_on_screws", value_of("sbs_dqs_screw")},
      {"printed_spherical_twice",
       [](const Results& r) {
         const double least = r.value("printed_spherical_least"), most = r.value("printed_spherical_most");
         return std::abs(least - 2) > std::abs(most - 2) ? least : most;  // the farther from the expected 2
       }},
      {"dqs_is_fast",
       [](const Results&) {
         return static_cast<double>(kernel_operations(Method::dqs, NormalMode::standard, 4)) /
                static_cast<double>(kernel_operations(Method::log, NormalMode::standard, 4));
       }},
      {"dqs_over_lbs_operations",
       [](const Results&) {
         return static_cast<double>(kernel_operations(Method::dqs, NormalMode::standard, 4)) /
                static_cast<double>(kernel_operations(Method::lbs, NormalMode::standard, 4));
       }},
      {"sbs_tears", [](const Results& r) { return r.value("stretch_192_sbs") / r.value("stretch_48_sbs"); }},
      {"dqs_does_not_tear",
       [](const Results& r) { return r.value("stretch_192_dqs") / r.value("stretch_48_dqs"); }},
      {"log_has_uniform_speed", value_of("uneven_log")},
      {"dqs_has_not", value_of("uneven_dqs")},
      {"lbs_has_less", value_of("uneven_lbs")},
      {"log_leaves_the_shortest_path", value_of("detour_log_150")},
      {"dqs_takes_the_shortest_path", value_of("detour_dqs")},
      {"dqs_is_rigid", value_of("dqs_departure")},
      {"dqs_any_rotation_centre", value_of("origin_dqs")},
      {"log_changes_with_a_whole_turn", value_of("frame_log")},
      {"log_changes_with_a_whole_move", value_of("moved_log")},
  };
  for (const char* method : {"lbs", "dqs", "crs", "sbs"})
    all.push_back({std::string(method) + "_turns_as_a_whole", value_of(std::string("frame_") + method)});
  for (const std::string method : {"lbs", "dqs", "crs", "sbs", "log"})
    all.push_back({method + "_in_all_coordinates", [method](const Results& r) {
                     return std::fmax(r.value("coordinates_" + method), r.value("unit_" + method));
                   }});
  all.push_back({"lbs_loses_volume", value_of("volume_twist_lbs")});
  for (const char* method : {"dqs", "crs", "sbs", "log"})
    all.push_back({std::string(method) + "_keeps_volume", value_of(std::string("volume_twist_") + method)});
  all.push_back(gpu_finding());
  return all;
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Log Matrix, Spherical and Dual Quaternion Blending";
  e.title = "Five ways to blend, side by side";
  e.says =
      "Log-matrix blending is always rigid and turns at uniform speed, but not along the shortest path. "
      "Spherical blending has its centres on the axes of revolute joints. "
      "Dual quaternions take the shortest path and do not depend on coordinates; their speed is not uniform. "
      "Pictures compare log-matrix blending and spherical blending with dual quaternions, and spherical with linear blending.";
  e.extra = run;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::slides::blending_gallery
