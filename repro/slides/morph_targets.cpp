// [SLIDES] "Morph Target Animation": morph targets under skinning, and what keeps their normals right.
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "repro/studio.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/dual.h"
#include "skinlight/mesh/normals.h"
#include "skinlight/skinning/morph.h"
#include "skinlight/truth/angular_error.h"

namespace skinlight::repro::slides::morph_targets {

namespace {

using Number = Dual<double>;
using Point = std::array<Number, 3>;

constexpr std::array kSegments = {12, 24, 48, 96};
constexpr std::array<double, 2> kWeights = {1, 0.8};
constexpr double kBend = 60;  // degrees

// Displacements as functions of the rest position, over dual numbers so that they can be differentiated.
Point bulge(const Point& p) {
  const Number u = p[2] * Number(1 / 1.6), rest = Number(1) - u * u;
  const Number height =
      rest > Number(0) ? rest * rest * rest * (Number(0.3) + p[1] * Number(0.25)) : Number(0);
  return {p[0] * height, p[1] * height, Number(0)};
}
Point wring(const Point& p) {
  const Number turn = p[2] * Number(0.3);
  return {-(p[1] * turn), p[0] * turn, p[2] * p[2] * Number(0.03)};
}
constexpr std::array<Point (*)(const Point&), 2> kTargets = {bulge, wring};

Point at(Vec3d p, Vec3d along) { return {Number(p.x, along.x), Number(p.y, along.y), Number(p.z, along.z)}; }
Vec3d value(const Point& p) { return {p[0].v, p[1].v, p[2].v}; }

Point morphed_point(const Point& p, std::span<const double> weights) {
  Point sum = p;
  for (std::size_t k = 0; k < kTargets.size(); ++k) {
    const Point d = kTargets[k](p);
    for (std::size_t i = 0; i < 3; ++i) sum[i] = sum[i] + d[i] * Number(weights[k]);
  }
  return sum;
}

// Derivative of the morphed and skinned position along a rest tangent, weights by the rig's exact gradients.
Vec3d posed_slope(const ProceduralRig& rig, const Pose& pose, std::size_t v, Vec3d along,
                  std::span<const double> morph_weights) {
  const Point p = morphed_point(at(rig.mesh.p0[v], along), morph_weights);
  const auto slots = static_cast<std::size_t>(rig.mesh.slots);
  Vec3d sum(0.0);
  for (std::size_t s = 0; s < slots; ++s) {
    const std::size_t i = v * slots + s;
    const Mat4x3d& M = pose.M[static_cast<std::size_t>(rig.mesh.bone[i])];
    const Vec3d moved = M[0] * p[0].v + M[1] * p[1].v + M[2] * p[2].v + M[3];
    const Vec3d turned = M[0] * p[0].d + M[1] * p[1].d + M[2] * p[2].d;
    sum += turned * rig.mesh.weight[i] + moved * dot(rig.gradient[i], along);
  }
  return sum;
}

std::vector<Vec3d> true_normals(const ProceduralRig& rig, const Pose& pose, std::span<const double> weights) {
  std::vector<Vec3d> normals;
  for (std::size_t v = 0; v < rig.mesh.p0.size(); ++v)
    normals.push_back(normalize(cross(posed_slope(rig, pose, v, rig.mesh.t0[v], weights),
                                      posed_slope(rig, pose, v, rig.mesh.b0[v], weights)) *
                                rig.mesh.handedness[v]));
  return normals;
}

// The targets as a file holds them: displacements, and the change of the normal that each makes alone.
std::vector<MorphTarget> targets_of(const ProceduralRig& rig) {
  std::vector<MorphTarget> targets;
  for (std::size_t k = 0; k < kTargets.size(); ++k) {
    MorphTarget target;
    target.name = k == 0 ? "bulge" : "wring";
    std::array<double, 2> alone{};
    alone[k] = 1;
    const std::vector<Vec3d> n = true_normals(rig, rest_pose(rig.mesh.bone_count), alone);
    for (std::size_t v = 0; v < rig.mesh.p0.size(); ++v) {
      target.vertex.push_back(static_cast<int>(v));
      target.dp.push_back(value(kTargets[k](at(rig.mesh.p0[v], Vec3d(0.0)))));
      target.dn.push_back(n[v] - rig.mesh.n0[v]);
    }
    targets.push_back(std::move(target));
  }
  return targets;
}

struct MorphedNormals {
  const char* name;
  bool carried;  // tangents go along with the morph; else as authored
  NormalMode mode;
};
constexpr std::array kWays = {MorphedNormals{"authored_standard", false, NormalMode::standard},
                              MorphedNormals{"authored_deform", false, NormalMode::deform},
                              MorphedNormals{"carried_standard", true, NormalMode::standard},
                              MorphedNormals{"carried_deform", true, NormalMode::deform}};

// One resolution: the morphed and bent tube in every way; draws the finest.
void measure(Workbench& bench, int segments, std::string& table) {
  const ProceduralRig rig = cylinder({.ramp = Ramp::smootherstep}, {.segments = segments});
  const Character character(rig, {}, bench.threads);
  const Surface& surface = character.surface();
  const NormalRecord& factors = character.factors();
  const std::vector<MorphTarget> targets = targets_of(rig);
  const std::vector<MorphTangents> tangents = morph_tangents(rig.mesh, surface, targets);
  const RiggedMesh carried = morphed(rig.mesh, targets, tangents, kWeights),
                   authored = morphed_as_authored(rig.mesh, targets, kWeights);
  const Pose pose = cylinder_bend(kBend / kDegrees);
  const std::vector<Vec3d> truth = true_normals(rig, pose, kWeights);
  const bool drawn = segments == kSegments.back();
  const Shot shot{.view = {.towards_eye = {1, 0.3, 0.25}, .up = {0, 0, 1}}, .width = 360, .height = 420};
  std::optional<Framing> framing;
  for (const MorphedNormals& way : kWays) {
    const SkinOptions options{.mode = way.mode, .threads = bench.threads};
    const RiggedMesh& mesh = way.carried ? carried : authored;
    const SkinnedMesh<double> posed = skin<double>(mesh, factors, pose, options);
    const NormalError error = angular_error(posed.n, truth, vertex_areas(surface, posed.p), "deformed area");
    char row[160];
    std::snprintf(row, sizeof row, "%s,%d,%.9g,%.9g,%.9g\n", way.name, segments, error.mean, error.rms,
                  error.max);
    table += row;
    bench.results.values[std::string(way.name) + "_" + std::to_string(segments)] = error.rms;
    if (!drawn) continue;
    const std::vector<Vec3f> p = to_float(posed.p), n = to_float(posed.n);
    if (!framing) {
      framing = framing_of(shot, {p});
      bench.write_image("truth.png", "True normals",
                        bench.studio.shaded(rig.mesh.faces, p, to_float(truth), *framing));
      bench.write_normals("normals_truth.npy", "True normals of the morphed and bent tube", to_float(truth));
    }
    if (way.mode == NormalMode::deform && !way.carried) continue;  // hard to tell from standard by eye
    if (way.mode == NormalMode::standard && way.carried) continue;
    bench.write_image(
        std::string(way.name) + ".png",
        way.carried ? "Tangents carried along, deform factors" : "Authored normals, standard skinning",
        bench.studio.shaded(rig.mesh.faces, p, n, *framing));
    bench.write_image(std::string("error_") + way.name + ".png", "Its error against the true normals",
                      bench.studio.error_map(rig.mesh.faces, p, n, to_float(truth), *framing, 30));
  }
  if (drawn)
    bench.write_image("rest.png", "At rest",
                      bench.studio.shaded(rig.mesh.faces, to_float(rig.mesh.p0), to_float(rig.mesh.n0),
                                          framing_of(shot, {to_float(rig.mesh.p0)})));
}

void run(Workbench& bench) {
  std::string table = "way,segments,mean_deg,rms_deg,max_deg\n";
  for (const int segments : kSegments) {
    bench.progress("morphing a tube of " + std::to_string(segments) + " segments");
    measure(bench, segments, table);
  }
  bench.write_table("errors.csv", "Errors of the normals of a morphed and bent tube", table);
}

double order_of(const Results& r, const std::string& way) {
  return std::log(r.value(way + "_24") / r.value(way + "_96")) / std::log(4.0);
}

std::vector<Finding> findings() {
  return {
      {"carried_order", [](const Results& r) { return order_of(r, "carried_deform"); }},
      {"carried_rms", [](const Results& r) { return r.value("carried_deform_96"); }},
      {"authored_standard_rms", [](const Results& r) { return r.value("authored_standard_96"); }},
      {"authored_order", [](const Results& r) { return order_of(r, "authored_standard"); }},
      {"both_needed",
       [](const Results& r) { return r.value("authored_deform_96") / r.value("carried_deform_96"); }},
  };
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Morph Target Animation";
  e.title = "Morph targets under skinning";
  e.says =
      "A mesh is deformed by a weighted sum of morph targets. "
      "Their normals are usually morphed as the positions are and then skinned as any others.";
  e.extra = run;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::slides::morph_targets
