// [BTGM19 Sec. 5.1]: what the text says about limits of the methods, beside its figures.
#include <algorithm>
#include <cmath>
#include <string>

#include "repro/runner/csv.h"
#include "repro/runner/judgement.h"
#include "repro/study/posed_shape.h"
#include "skinlight/core/angle.h"
#include "skinlight/rig/turn.h"
#include "skinlight/samples/characters.h"
#include "skinlight/samples/cuboid.h"
#include "skinlight/samples/tail.h"

namespace skinlight::repro::bittner2019::claims {

namespace {

constexpr int kBeyond = 270;  // degrees
constexpr double kHeights[] = {0, 2, 4, 6, 8, 10};
constexpr int kBones = 5;
constexpr const char* kPoses[] = {"twist", "bend", "wring", "zigzag"};

ProceduralRig shared_cuboid(double half_blend = 1, int along = 100) {
  return cuboid({.across = 4, .along = along, .shared = true, .half_blend = half_blend});
}

// Bones of the cuboid that turn by so many degrees about `axis` at each joint in turn.
Pose chain(std::span<const double> degrees, Vec3d axis) {
  std::vector<Mat4x3d> M = {identity_transform<double>()};
  for (std::size_t s = 1; s < kBones; ++s)
    M.push_back(compose(M.back(), turn_about(Vec3d(0, 0, kHeights[s]), axis, degrees[s - 1] / kDegrees)));
  return make_pose(std::move(M));
}

Pose evenly(double degrees, Vec3d axis) {
  const double all[] = {degrees, degrees, degrees, degrees};
  return chain(all, axis);
}

// By how many degrees the middle line of a side winds around the axis from the bottom to the top.
double winding(const RiggedMesh& mesh, const std::vector<Vec3d>& p) {
  std::vector<std::pair<double, std::size_t>> line;
  for (std::size_t v = 0; v < p.size(); ++v)
    if (std::abs(mesh.p0[v].x - 0.5) < 1e-9 && std::abs(mesh.p0[v].y) < 1e-9)
      line.emplace_back(mesh.p0[v].z, v);
  std::sort(line.begin(), line.end());
  double sum = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Vec3d a = p[line[i - 1].second], b = p[line[i].second];
    sum += std::atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y);
  }
  return kDegrees * sum;
}

// 270 degrees at one joint, or half of it at each of two.
void rotate_beyond(Workbench& bench) {
  const Stage stage(shared_cuboid(), bench);
  const Vec3d axis(0, 0, 1);
  const double at_one[] = {kBeyond, 0, 0, 0}, split[] = {kBeyond / 2.0, kBeyond / 2.0, 0, 0};
  std::string table = "method,one_joint_deg,split_deg\n";
  for (const Skinning& s : kSkinnings) {
    const double one = winding(stage.mesh(), stage.points(chain(at_one, axis), s.method)),
                 two = winding(stage.mesh(), stage.points(chain(split, axis), s.method));
    bench.results.values[std::string("one_") + s.name] = one;
    bench.results.values[std::string("split_") + s.name] = two;
    table += csv_row({s.name}, {one, two});
  }
  bench.write_table(
      "beyond.csv",
      "By how many degrees the skin winds around the axis when a joint turns by 270, and when two joints turn by 135 each",
      table);
}

// The cuboid bound to all the bones that are near instead of two at most.
ProceduralRig widely_bound() {
  ProceduralRig rig = shared_cuboid();
  RiggedMesh& mesh = rig.mesh;
  mesh.slots = kBones;
  mesh.bone.clear();
  mesh.weight.clear();
  for (const Vec3d& p : mesh.p0)
    for (int s = 0; s < kBones; ++s) {
      const double d = (p.z - (2 * s + 1)) / 1.5;  // from the middle of the bone; 1.5: three bones share most
      mesh.bone.push_back(s);
      mesh.weight.push_back(std::exp(-d * d / 2));
    }
  // As weights that do not sum to 1 are repaired, not as errors.
  std::vector<Warning> warnings;
  normalize_weights(mesh, warnings);
  limit_influences(mesh, 4);
  rig.gradient.clear();
  return rig;
}

// Volumes when at most two bones, or when more share a vertex.
void share_bones(Workbench& bench) {
  const Stage two(shared_cuboid(), bench), more(widely_bound(), bench);
  struct Case {
    const char* name;
    Pose pose;
  };
  const double zigzag[] = {90, -90, 90, -90}, wring[] = {120, -120, 120, -120};
  const Case cases[] = {{"twist", evenly(40, Vec3d(0, 0, 1))},
                        {"bend", evenly(40, Vec3d(1, 0, 0))},
                        {"wring", chain(wring, Vec3d(0, 0, 1))},
                        {"zigzag", chain(zigzag, Vec3d(1, 0, 0))}};
  std::string table = "bones,pose,method,volume\n";
  for (const auto& [bones, stage] : {std::pair("two", &two), std::pair("more", &more)})
    for (const Case& c : cases) {
      const RiggedMesh& mesh = stage->mesh();
      const double rest = enclosed_volume(mesh.faces, mesh.p0);
      for (const Skinning& s : kSkinnings) {
        const double left = enclosed_volume(mesh.faces, stage->points(c.pose, s.method)) / rest;
        bench.results.values[std::string(bones) + "_" + s.name + "_" + c.name] = left;
        table += csv_row({bones, c.name, s.name}, {left});
      }
    }
  bench.write_table(
      "volumes.csv",
      "Volume over that at rest; every joint twisted or bent by 40 degrees, wrung by 120 or bent by 90 to and fro",
      table);
}

// Every vertex on one bone.
void bind_rigidly(Workbench& bench) {
  ProceduralRig body = branching_body();
  limit_influences(body.mesh, 1);
  const Stage stage(std::move(body), bench);
  double largest = 0;
  for (const NamedPose& pose : branching_body_poses()) {
    const std::vector<Vec3d> linear = stage.points(pose.pose, Method::lbs);
    for (const Skinning& s : kSkinnings)
      largest = std::fmax(largest, largest_distance(linear, stage.points(pose.pose, s.method)));
  }
  bench.results.values["single_bone_difference"] = largest;
}

// What sharper weights and more bones do to the artefacts.
void soften_artefacts(Workbench& bench) {
  const Pose pose = cuboid_pose(0, 120);
  std::string table = "method,half_blend,volume_twist,bulge\n";
  for (const auto& [softness, half_blend] :
       {std::pair("_soft", 1.0), std::pair("_half", 0.5), std::pair("_sharp", 0.25)}) {
    const Stage stage(shared_cuboid(half_blend), bench);
    const RiggedMesh& mesh = stage.mesh();
    const double rest = enclosed_volume(mesh.faces, mesh.p0);
    for (std::size_t i = 0; i < kPaperSkinnings; ++i) {
      const Skinning& s = kSkinnings[i];
      const double out = bulge(mesh.p0, stage.points(pose, s.method), bones_along_z(kHeights), pose);
      const double left = enclosed_volume(mesh.faces, stage.points(cuboid_pose(170, 0), s.method)) / rest;
      bench.results.values[std::string("bulge_") + s.name + softness] = out;
      bench.results.values[std::string("volume_") + s.name + softness] = left;
      table += csv_row({s.name}, {half_blend, left, out});
    }
  }
  bench.write_table(
      "sharper.csv",
      "Volume under a twist of 170 degrees and bulge at a bend of 120, by half the length over which weights pass from bone to bone",
      table);
  for (const int bones : {5, 10}) {
    const TailShape shape{.bones = bones};
    const Stage stage(tail(shape, {.segments = 32}), bench);
    const Pose curl = tail_pose(shape, 180.0 / (bones - 1));
    std::vector<double> z;
    for (int s = 0; s <= bones; ++s) z.push_back(shape.length * s / bones);
    bench.results.values["tail_bulge_" + std::to_string(bones)] =
        bulge(stage.mesh().p0, stage.points(curl, Method::dqs), bones_along_z(z), curl);
  }
}

void compute(Workbench& bench) {
  bench.progress("turning beyond 180 degrees");
  rotate_beyond(bench);
  bench.progress("sharing vertices between more bones");
  share_bones(bench);
  bind_rigidly(bench);
  bench.progress("sharpening weights");
  soften_artefacts(bench);
}

// The largest departure from `wanted` over the methods whose row in kSkinnings is below `count`.
auto farthest(const std::string& prefix, double wanted, std::size_t count) {
  return [=](const Results& r) {
    double largest = 0;
    for (const Skinning& s : std::span(kSkinnings).first(count))
      largest = std::fmax(largest, std::abs(r.value(prefix + s.name) - wanted));
    return largest;
  };
}

auto smallest_volume(const std::string& of) {
  return [=](const Results& r) {
    double least = INFINITY;
    for (const char* pose : kPoses) least = std::fmin(least, r.value(of + "_" + pose));
    return least;
  };
}

std::vector<Finding> findings() {
  return {
      {"none_beyond_180", farthest("one_", -90, kSkinnings.size())},
      {"splitting_helps", farthest("split_", 270, kPaperSkinnings)},
      {"splitting_log", value_of("split_log")},
      {"crs_two_bones", smallest_volume("two_crs")},
      {"crs_more_bones", smallest_volume("more_crs")},
      {"lbs_more_bones", smallest_volume("more_lbs")},
      {"sharper_bulge",
       [](const Results& r) { return r.value("bulge_dqs_sharp") / r.value("bulge_dqs_soft"); }},
      {"sharper_loss",
       [](const Results& r) { return (1 - r.value("volume_lbs_sharp")) / (1 - r.value("volume_lbs_soft")); }},
      {"more_bones_bulge",
       [](const Results& r) { return r.value("tail_bulge_10") / r.value("tail_bulge_5"); }},
      {"single_bone", value_of("single_bone_difference")},
  };
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Sec. 5.1";
  e.title = "What the text says of the methods' limits";
  e.says =
      "No method handles rotations of more than 180 degrees, which only split bones achieve. "
      "CRS keeps volume most of the time; vertices on more than two bones may still lose some. "
      "More bones or sharper weights suppress each artefact, and with every vertex on one bone all methods are alike.";
  e.extra = compute;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::bittner2019::claims
