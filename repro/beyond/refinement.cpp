// One body from about a hundred to a hundred thousand vertices: where each way to get normals wins.
#include <cmath>

#include "repro/experiment.h"

namespace skinlight::repro::beyond::refinement {

namespace {

constexpr int kSegments[] = {12, 24, 48, 96, 192, 396};  // 96 to 100,584 vertices
constexpr double kJitter = 0.3;

const CylinderShape& shape() {
  static const CylinderShape tube{.half_length = 2, .half_blend = 1.5, .ramp = Ramp::smootherstep};
  return tube;
}

std::string rig_name(const char* family, int segments) {
  return std::string(family) + "_" + std::to_string(segments);
}

double rms(const Results& r, const char* family, int segments, const std::string& method) {
  return r.error(rig_name(family, segments), "bend_60", method, Truth::analytic).rms;
}

auto order(const char* family, const char* method) {
  return [=](const Results& r) {
    return std::log(rms(r, family, 24, method) / rms(r, family, 192, method)) / std::log(8.0);
  };
}

auto ratio(const char* family, int segments, const char* over, const char* under, Truth truth) {
  return [=](const Results& r) {
    const std::string rig = rig_name(family, segments);
    return r.error(rig, "bend_60", over, truth).rms / r.error(rig, "bend_60", under, truth).rms;
  };
}

std::vector<Finding> findings() {
  return {
      {"order_standard", order("structured", "standard")},
      {"order_deform", order("structured", "deform")},
      {"order_smoothed", order("structured", "smoothed")},
      {"order_vectors", order("structured", "vectors")},
      {"order_vectors_jittered", order("jittered", "vectors")},
      {"constant_fine", ratio("structured", 396, "vectors", "deform", Truth::analytic)},
      {"constant_coarse", ratio("structured", 12, "vectors", "deform", Truth::analytic)},
      {"triangles_coarse", ratio("structured", 12, "vectors", "deform", Truth::transported)},
  };
}

}  // namespace

Experiment make() {
  Experiment e;
  e.builds_on = {"tarini2014"};
  e.title = "The same body from 100 to 100,000 vertices";
  e.says =
      "Smooth weights and deform vectors correct an error of second order in the length of the edges. "
      "On a smooth body under refinement all three converge to the same normals; what differs is how coarse a mesh may be.";
  for (int segments : kSegments) {
    e.rigs.push_back({rig_name("structured", segments), "structured", segments,
                      [=] { return cylinder(shape(), {.segments = segments}); }});
    e.rigs.push_back({rig_name("jittered", segments), "jittered", segments, [=] {
                        return cylinder(shape(),
                                        {.segments = segments, .jitter = kJitter, .random_diagonals = true});
                      }});
  }
  e.poses = {{"bend_60", [] { return cylinder_bend(M_PI / 3); }}};
  e.methods = {{"standard", "standard", {.mode = NormalMode::standard}},
               {"deform", "deform factors", {.mode = NormalMode::deform}},
               {"smoothed", "smooth weights", {.mode = NormalMode::smoothed}},
               {"vectors", "deform vectors", {.mode = NormalMode::deform_vectors}}};
  e.npy_rig = rig_name("structured", 12);
  e.shot = {.view = {.towards_eye = {1, -0.6, 0.4}, .up = {0, 0, 1}},
            .width = 260,
            .height = 360,
            .error_max_degrees = 10};
  for (int segments : {12, 48})
    for (const auto& [method, label] : {std::pair<const char*, const char*>{"deform", "deform factors"},
                                        {"smoothed", "smooth weights"},
                                        {"vectors", "deform vectors"}})
      e.pictures.push_back({"error_" + std::string(method) + "_" + std::to_string(segments) + ".png",
                            "Error of " + std::string(label) + ", " + std::to_string(segments) + " segments",
                            PictureKind::error, rig_name("structured", segments), "bend_60", method});
  e.pictures.push_back({"truth_12.png", "Analytic normals, 12 segments", PictureKind::truth,
                        rig_name("structured", 12), "bend_60", ""});
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::beyond::refinement
