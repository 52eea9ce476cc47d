// One body from about a hundred to a hundred thousand vertices: where each way to get normals wins.
#include <cmath>

#include "repro/beyond/beyond.h"

namespace skinlight::repro {

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

std::vector<Claim> claims() {
  const std::string smooth =
      "Of the same order, with a larger constant: deform vectors follow the flat triangles, the paper's "
      "factors the "
      "smooth weights that the vertices sample, and here the weights and the surface are smooth. With 400 "
      "vertices "
      "the difference is 0.2 degrees, with 117 it is 0.8.";
  return {
      {.name = "order_standard",
       .statement = "Order of convergence of standard normals against the analytic ones, structured meshes",
       .expected = 0.05,
       .bound = Bound::at_most,
       .value = order("structured", "standard"),
       .why = "Their error is one of the surface and the pose, not of the mesh."},
      {.name = "order_deform",
       .statement = "The same for the paper's factors",
       .expected = 1.7,
       .bound = Bound::at_least,
       .value = order("structured", "deform"),
       .why = "Averaged gradients are right to second order on structured meshes."},
      {.name = "order_smoothed",
       .statement = "The same for smooth weights",
       .expected = 1.7,
       .bound = Bound::at_least,
       .value = order("structured", "smoothed"),
       .why = "Smooth weights differ from the weights in second order."},
      {.name = "order_vectors",
       .statement = "The same for deform vectors: at least as fast as the paper's factors",
       .expected = 1.7,
       .bound = Bound::at_least,
       .value = order("structured", "vectors"),
       .why =
           "One-ring averages of exact maps of a smooth surface differ from its tangents in second order."},
      {.name = "order_vectors_jittered",
       .statement =
           "The same on jittered meshes with random diagonals, where averages of gradients lose an order",
       .expected = 0.85,
       .bound = Bound::at_least,
       .value = order("jittered", "vectors"),
       .why = "As for the paper's factors: one-rings are no longer symmetric, which leaves a term of first "
              "order."},
      {.name = "constant_fine",
       .statement = "RMS of deform vectors over that of the paper's factors, 100,000 vertices, structured",
       .expected = 1.48,
       .tolerance = 0.03,
       .value = ratio("structured", 396, "vectors", "deform", Truth::analytic),
       .why = smooth},
      {.name = "constant_coarse",
       .statement = "The same with 117 vertices",
       .expected = 1.67,
       .tolerance = 0.03,
       .value = ratio("structured", 12, "vectors", "deform", Truth::analytic),
       .why = smooth},
      {.name = "triangles_coarse",
       .statement = "The same against the transported truth: what the posed triangles do",
       .expected = 0.183,
       .tolerance = 0.005,
       .value = ratio("structured", 12, "vectors", "deform", Truth::transported),
       .why = "Which one is right depends on what a mesh stands for: itself, or a smooth surface that it "
              "samples."},
  };
}

}  // namespace

Experiment beyond_refinement() {
  Experiment e;
  e.id = "beyond/refinement";
  e.paper = "Beyond Tarini, Panozzo, Sorkine-Hornung 2014";
  e.title = "The same body from 100 to 100,000 vertices";
  e.says =
      "Smooth weights and deform vectors correct an error of second order in the length of the edges. On a "
      "smooth body "
      "under refinement all three converge to the same normals; what differs is how coarse a mesh may be.";
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
  e.claims = claims();
  return e;
}

}  // namespace skinlight::repro
