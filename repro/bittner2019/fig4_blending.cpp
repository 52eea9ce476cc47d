// [BTGM19 Fig. 4]: LBS blends positions, DQS blends angles.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "repro/runner/csv.h"
#include "repro/runner/judgement.h"
#include "repro/study/posed_shape.h"
#include "skinlight/core/angle.h"

namespace skinlight::repro::bittner2019::fig4_blending {

namespace {

constexpr int kTwist = 150;

RigCase tube_case() {
  return {"tube", "cylinder", 128, [] { return cylinder({.half_length = M_PI / 2}, {.segments = 128}); }};
}

// The vertices of the line of the tube along x, by the weight of the bone that turns.
std::map<double, std::size_t> line_by_weight(const RiggedMesh& mesh) {
  std::map<double, std::size_t> line;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    if (std::abs(mesh.p0[i].y) > 1e-9 || mesh.p0[i].x < 0) continue;
    line.emplace(weight_of(mesh, v, 1), i);
  }
  return line;
}

// The angle of a point on the chord between two quaternions, w of the way: QLERP by hand. The chord seen from
// its centre spans half the angle of the rotation: tan(psi) = (2 w - 1) tan(angle / 4).
double chord_angle(double w, double degrees) {
  const double quarter = degrees / 4 / kDegrees;
  return 2 * kDegrees * (quarter + std::atan((2 * w - 1) * std::tan(quarter)));
}

void compute(Workbench& bench) {
  const Stage stage(tube_case().make(), bench);
  const Pose pose = cylinder_twist(kTwist / kDegrees);
  const std::map<double, std::size_t> line = line_by_weight(stage.mesh());
  const Vec3d end(std::cos(kTwist / kDegrees), std::sin(kTwist / kDegrees), 0);
  std::string table = "method,w,x,y,angle_deg\n";
  auto& values = bench.results.values;
  for (const Skinning& s : kSkinnings) {
    const std::vector<Vec3d> p = stage.points(pose, s.method);
    double off_chord = 0, off_circle = 0, lag = 0, off_qlerp = 0, smallest = INFINITY;
    for (const auto& [w, v] : line) {
      const Vec3d x(p[v].x, p[v].y, 0);
      const double radius = length(x), angle = kDegrees * std::atan2(x.y, x.x);
      off_chord = std::fmax(off_chord, length(x - (Vec3d(1, 0, 0) * (1 - w) + end * w)));
      off_circle = std::fmax(off_circle, std::abs(radius - 1));
      lag = std::fmax(lag, std::abs(angle - w * kTwist));
      off_qlerp = std::fmax(off_qlerp, std::abs(angle - chord_angle(w, kTwist)));
      smallest = std::fmin(smallest, radius);
      table += csv_row({s.name}, {w, x.x, x.y, angle});
    }
    const std::string name = s.name;
    values["off_chord_" + name] = off_chord;
    values["off_circle_" + name] = off_circle;
    values["lag_" + name] = lag;
    values["off_qlerp_" + name] = off_qlerp;
    values["smallest_" + name] = smallest;
  }
  bench.write_table(
      "paths.csv",
      "Where the vertices of a line of the tube go, by the weight of the bone that turns by 150 degrees; seen along the axis",
      table);
  bench.results.gpu_cpu_difference = stage.gpu_difference(pose);
}

std::vector<Finding> findings() {
  return {
      {"lbs_on_chord", value_of("off_chord_lbs")},
      {"lbs_crosses", value_of("smallest_lbs")},
      {"dqs_on_circle", value_of("off_circle_dqs")},
      {"dqs_lag", value_of("lag_dqs")},
      {"dqs_is_qlerp", value_of("off_qlerp_dqs")},
      {"crs_is_dqs",
       [](const Results& r) { return std::fmax(r.value("off_qlerp_crs"), r.value("off_qlerp_sbs")); }},
      {"log_lag", value_of("lag_log")},
      gpu_finding(),
  };
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Fig. 4";
  e.title = "Blending positions or angles";
  e.says =
      "LBS blends positions: a vertex between two bones lies on the straight line between where each of them would take it, which crosses the volume. "
      "DQS blends angles, and the vertex stays on the circle.";
  e.extra = compute;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::bittner2019::fig4_blending
