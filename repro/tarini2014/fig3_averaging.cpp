// [TPS14 Fig. 3]: weight gradients per triangle against gradients averaged into vertices, and every way to
// average them.
#include <algorithm>
#include <cmath>

#include "repro/runner/judgement.h"
#include "repro/studio.h"
#include "repro/subject.h"
#include "skinlight/core/angle.h"
#include "skinlight/mesh/normals.h"
#include "skinlight/preprocess/face_factors.h"
#include "skinlight/truth/truth.h"

namespace skinlight::repro::tarini2014::fig3_averaging {

namespace {

constexpr const char* kLowPoly = "low_poly_20";
constexpr const char* kJittered = "jittered_48";
constexpr const char* kFlat = "aspect_6";
constexpr const char* kPose = "bend_60";
constexpr const char* kDefault = "mixed-voronoi";
constexpr const char* kPerFace = "per-face";

Pose bend_60() { return cylinder_bend(60 / kDegrees); }

RigCase rig_case(const std::string& name, const Tessellation& tessellation) {
  return {name, name, tessellation.segments, [=] { return cylinder({}, tessellation); }};
}

std::vector<RigCase> rigs() {
  return {
      rig_case(kLowPoly, {.segments = 20}),
      rig_case(kJittered, {.segments = 48, .jitter = 0.3, .random_diagonals = true, .seed = 2014}),
      rig_case(kFlat, {.segments = 24, .jitter = 0.3, .random_diagonals = true, .seed = 2014, .aspect = 6})};
}

// Normals of a rig whose triangles have gradients and vertices of their own.
struct FacetedNormals {
  PerFaceRig rig;
  std::vector<Vec3d> n, truth;  // 3 #F
  NormalError error;
  double spread = 0;  // degrees, mean over vertices that move unevenly: the largest angle between two corners
};

double mean_spread(const RiggedMesh& mesh, const Surface& surface, const FacetedNormals& faceted) {
  double sum = 0;
  int vertices = 0;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    const auto weights = mesh.weights_of(surface.representative(v));
    if (weights[1] == 0) continue;  // rigid
    double largest = 0;
    for (const Corner& a : surface.one_ring(v))
      for (const Corner& b : surface.one_ring(v))
        largest =
            std::max(largest, angle_between(faceted.n[static_cast<std::size_t>(3 * a.face + a.corner)],
                                            faceted.n[static_cast<std::size_t>(3 * b.face + b.corner)]));
    sum += largest * kDegrees;
    ++vertices;
  }
  return sum / vertices;
}

FacetedNormals faceted_normals(const RigCase& rig_of, int threads) {
  const ProceduralRig smooth = rig_of.make();
  const Pose pose = bend_60();
  FacetedNormals faceted{per_face_factors(smooth.mesh, {.threads = threads}), {}, {}, {}};
  const PerFaceRig& rig = faceted.rig;
  const SkinnedMesh<double> posed =
      skin<double>(rig.mesh, rig.factors, pose, {.mode = NormalMode::deform, .threads = threads});
  faceted.n = posed.n;
  const std::vector<Vec3d> truth = analytic_lbs_normals(smooth, pose);
  for (const int v : rig.vertex) faceted.truth.push_back(truth[static_cast<std::size_t>(v)]);

  std::vector<int> apart;
  for (int i = 0; i < rig.mesh.vertex_count(); ++i) apart.push_back(i);
  const std::vector<double> areas = vertex_areas(Surface(rig.mesh.faces, apart), posed.p);
  faceted.error = angular_error(faceted.n, faceted.truth, areas, "deformed area");
  faceted.spread = mean_spread(smooth.mesh, Character(smooth).surface(), faceted);
  return faceted;
}

// The joint from near: shaded, and in lines of reflection, which break where normals do.
void draw_joint(const RiggedMesh& mesh, const NormalRecord& factors, const std::string& stem,
                const std::string& words, const Experiment& experiment, Workbench& bench) {
  constexpr double kNear = 1.2;  // of the joint, along the axis; weights change within 1
  const SkinnedMesh<float> posed = bench.studio.skin(mesh, factors, bend_60(), {.mode = NormalMode::deform});
  std::vector<Vec3f> joint;
  for (std::size_t v = 0; v < posed.p.size(); ++v)
    if (std::abs(mesh.p0[v].z) < kNear) joint.push_back(posed.p[v]);
  Shot near = experiment.shot;
  near.width = 480;
  near.height = 400;
  const Framing framing = framing_of(near, {joint});
  bench.write_image("joint_" + stem + ".png", "The joint from near, " + words,
                    bench.studio.shaded(mesh.faces, posed.p, posed.n, framing));
  bench.write_image("lines_" + stem + ".png", "The joint in lines of reflection, " + words,
                    bench.studio.reflection(PosedMesh{mesh.faces, posed.p, posed.n}, framing));
}

void draw_faceted(const FacetedNormals& faceted, const Experiment& experiment, Workbench& bench) {
  const RiggedMesh& mesh = faceted.rig.mesh;
  const SkinnedMesh<float> posed =
      bench.studio.skin(mesh, faceted.rig.factors, bend_60(), {.mode = NormalMode::deform});
  const std::vector<Vec3f> rest = to_float(mesh.p0);
  const Framing framing = framing_of(experiment.shot, {rest, posed.p});
  bench.write_image("posed_per_face.png", "Gradients per triangle: the triangles show",
                    bench.studio.shaded(mesh.faces, posed.p, posed.n, framing));
  bench.write_image("error_per_face.png", "Error with gradients per triangle",
                    bench.studio.error_map(mesh.faces, posed.p, posed.n, to_float(faceted.truth), framing,
                                           experiment.shot.error_max_degrees));
  draw_joint(mesh, faceted.rig.factors, "per_face", "gradients per triangle", experiment, bench);
  const Character smooth(named(experiment.rigs, kLowPoly).make(), {}, bench.threads);
  draw_joint(smooth.mesh(), smooth.factors(), "per_vertex", "gradients averaged into vertices", experiment,
             bench);
  bench.write_normals("normals_low_poly_20_bend_60_per-face.npy",
                      "Normals captured from the GPU: gradients per triangle, three corners per triangle",
                      posed.n);
}

void measure_per_face(const Experiment& experiment, Workbench& bench) {
  for (const RigCase& rig : experiment.rigs) {
    bench.progress("measuring " + rig.name + " with gradients per triangle");
    const FacetedNormals faceted = faceted_normals(rig, bench.threads);
    bench.results.measurements.push_back({rig.name, rig.family, rig.resolution,
                                          faceted.rig.mesh.vertex_count(), kPose, kPerFace,
                                          std::string(name(Truth::analytic)), faceted.error});
    bench.results.values["spread_" + rig.name] = faceted.spread;
    if (rig.name == kLowPoly) draw_faceted(faceted, experiment, bench);
  }
}

const NormalError& analytic(const Results& r, const std::string& rig, const std::string& method) {
  return r.error(rig, kPose, method, Truth::analytic);
}

auto rms_ratio(const char* rig, const char* method, const char* over) {
  return [=](const Results& r) { return analytic(r, rig, method).rms / analytic(r, rig, over).rms; };
}

auto max_of(const char* rig, const std::string& method) {
  return [=](const Results& r) { return analytic(r, rig, method).max; };
}

std::vector<Finding> findings() {
  return {
      {"per_face_rms_ratio", rms_ratio(kLowPoly, kPerFace, kDefault)},
      {"per_face_rms_ratio_jittered", rms_ratio(kJittered, kPerFace, kDefault)},
      {"per_face_spread", [](const Results& r) { return r.value(std::string("spread_") + kLowPoly); }},
      {"mixed_voronoi_max_aspect_6", max_of(kFlat, kDefault)},
      {"voronoi_max_aspect_6", max_of(kFlat, "voronoi")},
      {"cotangent_max_aspect_6", max_of(kFlat, "cotangent")},
      {"max_1999_over_default_jittered", rms_ratio(kJittered, "max-1999", kDefault)},
      {"max_1999_over_default_aspect_6", rms_ratio(kFlat, "max-1999", kDefault)},
      gpu_finding(),
  };
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Fig. 3";
  e.title = "Gradients per triangle and per vertex, and how to average them";
  e.says =
      "Normals that are stored per vertex hide the flat triangles of a coarse mesh. "
      "If the gradients of the weights are taken per triangle, the triangles come out again as soon as the mesh is posed; averaged over the triangles around a vertex, with cotangent weights, they give smooth shading.";
  e.rigs = rigs();
  e.poses = {{kPose, bend_60}};
  e.methods = {{"standard", "standard", {.mode = NormalMode::standard}}};
  for (const Averaging scheme : all_averagings())
    e.methods.push_back({std::string(name(scheme)),
                         "averaged by " + std::string(name(scheme)),
                         {.mode = NormalMode::deform},
                         {.averaging = scheme}});
  e.npy_rig = kLowPoly;
  e.shot = {.view = {.towards_eye = {0.8, 0.75, 0.35}, .up = {0, 0, 1}},
            .width = 420,
            .height = 520,
            .error_max_degrees = 30};
  e.pictures = {
      {"rest.png", "Rest pose, 20 segments", PictureKind::rest, kLowPoly, kPose, ""},
      {"posed_per_vertex.png", "Gradients averaged into vertices", PictureKind::posed, kLowPoly, kPose,
       kDefault},
      {"posed_truth.png", "Truth: the surface differentiated in closed form", PictureKind::truth, kLowPoly,
       kPose, ""},
      {"error_per_vertex.png", "Error with gradients averaged into vertices", PictureKind::error, kLowPoly,
       kPose, kDefault},
  };
  e.findings = findings();
  const Experiment declared = e;
  e.extra = [declared](Workbench& bench) { measure_per_face(declared, bench); };
  return e;
}

}  // namespace skinlight::repro::tarini2014::fig3_averaging
