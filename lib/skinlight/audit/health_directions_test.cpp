// Normals, winding, tangents and sums of weights as files have them: what is planted is named, and every threshold has a
// case one per cent on either side.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/asset/model_file.h"
#include "skinlight/audit/detail/health_checks.h"
#include "skinlight/core/error.h"
#include "skinlight/core/random.h"
#include "testing/gltf_file.h"
#include "testing/health.h"
#include "testing/real_models.h"

namespace skinlight {
namespace {

using namespace test_health;
namespace fs = std::filesystem;

constexpr double kUnder = .99, kOver = 1.01;  // of a threshold

// As documented: the tests use these, so that a threshold that moves is seen.
constexpr double kOffFaces = 60, kOffShare = .15, kUnitOfBytes = .00682, kOffPlane = 5, kUnseenShift = 1e-3,
                 kSumRounding = 2e-7, kSumTolerance = 1e-3;

// The pill's bones with a mesh that has no vertices yet.
Model empty_model() {
  Model model = pill_model();
  model.mesh = {};
  model.mesh.bone_count = 2;
  model.mesh.slots = 1;
  return model;
}

void negate_normals(Model& model, RawAttributes& raw) {
  for (Vec3d& n : model.mesh.n0) n = -n;
  for (double& side : model.mesh.handedness) side = -side;  // of the same tangents and bitangents
  for (Vec3d& n : raw.normal) n = -n;
}

void shuffle_normals(Model& model, RawAttributes& raw) {
  Random random(3);
  for (int v = model.mesh.vertex_count() - 1; v > 0; --v) {
    const int other = random.below(v + 1);
    std::swap(model.mesh.n0[at(v)], model.mesh.n0[at(other)]);
    std::swap(raw.normal[at(v)], raw.normal[at(other)]);
  }
}

void draw_normals(Model& model, RawAttributes& raw) {
  Random random(4);
  for (std::size_t v = 0; v < raw.normal.size(); ++v) model.mesh.n0[v] = raw.normal[v] = random.direction();
}

void scale_normals(Model&, RawAttributes& raw) { raw.normal_length.assign(raw.normal.size(), .5); }

void reverse_winding(Model& model, RawAttributes&) {
  for (Face& face : model.mesh.faces) std::swap(face[1], face[2]);
}

void flip_w(Model&, RawAttributes& raw) {
  for (double& sign : raw.tangent_sign) sign = -sign;
}

void shrink_weights(Model&, RawAttributes& raw) {
  for (double& w : raw.weight) w *= .99;
}

// What check says without poses, by kind.
std::vector<Finding> findings_at_rest(const Model& model, const RawAttributes& raw) {
  std::vector<Finding> findings;
  health::check_weights(model, raw, findings);
  health::check_frames(model.mesh, raw, findings);
  health::check_directions(model.mesh, raw, findings);
  return findings;
}

Kinds errors(const std::vector<Finding>& findings) {
  Kinds found;
  for (const Finding& f : findings)
    if (f.kind->severity == Severity::error) found.emplace(f.kind->id);
  return found;
}

Health with_fault(void (*plant)(Model&, RawAttributes&)) {
  Model model = pill_model();
  RawAttributes raw = raw_attributes(model.mesh);
  plant(model, raw);
  return check_health(Character(std::move(model)), raw);
}

TEST(HealthDirections, FaultsOfTheWholeMeshAreNamed) {
  EXPECT_EQ(kinds(with_fault([](Model&, RawAttributes&) {})), kNothingWrong);
  EXPECT_EQ(kinds(with_fault(negate_normals)), with(kNothingWrong, "normals-inverted"));
  EXPECT_EQ(kinds(with_fault(reverse_winding)), with(kNothingWrong, "winding-reversed"));
  EXPECT_EQ(kinds(with_fault(scale_normals)), with(kNothingWrong, "normals-not-unit"));
  EXPECT_EQ(kinds(with_fault(shrink_weights)), with(kNothingWrong, "weights-unnormalised"));
  for (const auto plant : {shuffle_normals, draw_normals})
    EXPECT_EQ(kinds(with_fault(plant)).count("normals-off-faces"), 1u);
  const Health inverted = with_fault(negate_normals);
  const Finding& f = finding(inverted, "normals-inverted");
  EXPECT_EQ(f.count, inverted.vertices);
  EXPECT_NEAR(f.size, 100, 1e-9);
  EXPECT_EQ(inverted.count(Severity::error), 1);
}

TEST(HealthDirections, WithoutNormalsTheVolumeTellsTheWinding) {
  const auto of = [](bool reversed) {
    Model model = pill_model();
    RawAttributes raw = raw_attributes(model.mesh);
    std::fill(raw.normal.begin(), raw.normal.end(), Vec3d(0.0));
    if (reversed) reverse_winding(model, raw);
    return errors(findings_at_rest(model, raw));
  };
  EXPECT_EQ(of(false), Kinds());
  EXPECT_EQ(of(true), Kinds{"winding-reversed"});
}

TEST(HealthDirections, ThresholdOfAMeshThatIsInsideOut) {
  // Boxes ever lower, with their faces turned inwards.
  const auto of = [](double height) {
    Model model = empty_model();
    RiggedMesh& mesh = model.mesh;
    const auto quad = [&](Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
      append_triangle(mesh, a, c, b, kUnwrapped);  // inwards
      append_triangle(mesh, a, d, c, kUnwrapped);
    };
    const double h = height;
    quad({0, 0, h}, {1, 0, h}, {1, 1, h}, {0, 1, h});
    quad({0, 1, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 0});
    quad({0, 0, 0}, {1, 0, 0}, {1, 0, h}, {0, 0, h});
    quad({1, 0, 0}, {1, 1, 0}, {1, 1, h}, {1, 0, h});
    quad({1, 1, 0}, {0, 1, 0}, {0, 1, h}, {1, 1, h});
    quad({0, 1, 0}, {0, 0, 0}, {0, 0, h}, {0, 1, h});
    RawAttributes raw = raw_attributes(mesh);
    std::fill(raw.normal.begin(), raw.normal.end(), Vec3d(0.0));
    return errors(findings_at_rest(model, raw));
  };
  // A box of height h has the volume h and the area 2 + 4 h; a ball of that area (area / 4 pi)^1.5 4 pi / 3.
  const auto share = [](double h) { return h / (std::pow((2 + 4 * h) / (4 * M_PI), 1.5) * 4 * M_PI / 3); };
  double h = .01;
  while (share(h) < .05 * kUnder) h += 1e-6;
  EXPECT_EQ(of(h - 1e-6), Kinds());
  while (share(h) < .05 * kOver) h += 1e-6;
  EXPECT_EQ(of(h), Kinds{"winding-reversed"});
}

TEST(HealthDirections, OneNormalAgainstItsFacesIsAWarning) {
  const int v = rigid_vertex(pill_model().mesh);
  const Health health =
      health_of(pill_model(), [&](RawAttributes& raw) { raw.normal[at(v)] = -raw.normal[at(v)]; });
  EXPECT_EQ(kinds(health), with(kNothingWrong, "normals-against-faces"));
  const Finding& f = finding(health, "normals-against-faces");
  EXPECT_EQ(f.index, v);
  EXPECT_EQ(f.count, 1);
  EXPECT_GT(f.size, 150);
}

// A needle that faces where the normals point, at two corners of a triangle that does not: its direction is rounding.
TEST(HealthDirections, FacesWithoutHeightSayNothingOfNormals) {
  const auto vertices_off = [](double height, double size) {
    Model model = empty_model();
    RiggedMesh& mesh = model.mesh;
    append_triangle(mesh, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, kUnwrapped);
    append_triangle(mesh, {.5, height, 0}, {.5, height, .2}, {.6, height, .2}, kUnwrapped);
    mesh.faces.push_back({1, 0, 3});  // the other way round
    for (Vec3d& p : mesh.p0) p = p * size;
    RawAttributes raw = raw_attributes(mesh);
    for (int v = 0; v < 3; ++v) raw.normal[at(v)] = {0, 0, -1};
    for (const Finding& f : findings_at_rest(model, raw))
      if (f.kind->severity == Severity::error) return f.count;
    return 0;
  };
  for (const double size : {1., .01, 100.}) {
    EXPECT_EQ(vertices_off(1e-6 * kUnder, size), 3) << size;
    EXPECT_EQ(vertices_off(1e-6 * kOver, size), 1) << size;
  }
}

// Two triangles facing +z, the first of `share` of their area with its normals tilted by `degrees`.
Kinds kinds_of_two(double share, double degrees) {
  Model model = empty_model();
  RiggedMesh& mesh = model.mesh;
  append_triangle(mesh, {0, 0, 0}, {share, 0, 0}, {0, 1, 0}, kUnwrapped);
  append_triangle(mesh, {2, 0, 0}, {3 - share, 0, 0}, {2, 1, 0}, kUnwrapped);
  RawAttributes raw = raw_attributes(mesh);
  const double angle = degrees / 180 * M_PI;
  for (int v = 0; v < 3; ++v) raw.normal[at(v)] = {std::sin(angle), 0, std::cos(angle)};
  Kinds found;
  for (const Finding& f : findings_at_rest(model, raw))
    if (f.kind->id.starts_with("normals-")) found.emplace(f.kind->id);
  return found;
}

TEST(HealthDirections, ThresholdsOfNormalsFarFromTheirFaces) {
  EXPECT_EQ(kinds_of_two(.5, kOffFaces * kUnder), Kinds());
  EXPECT_EQ(kinds_of_two(.5, kOffFaces * kOver), Kinds{"normals-off-faces"});
  EXPECT_EQ(kinds_of_two(kOffShare * kUnder, 80), Kinds());
  EXPECT_EQ(kinds_of_two(kOffShare * kOver, 80), Kinds{"normals-off-faces"});
  EXPECT_EQ(kinds_of_two(kOffShare * kUnder, 90 * kUnder), Kinds());
  EXPECT_EQ(kinds_of_two(kOffShare * kUnder, 90 * kOver), Kinds{"normals-against-faces"});
  // Turned around all but a share: of another mesh from there on.
  EXPECT_EQ(kinds_of_two(1 - kOffShare * kUnder, 180), Kinds{"normals-inverted"});
  EXPECT_EQ(kinds_of_two(1 - kOffShare * kOver, 180), Kinds{"normals-off-faces"});
}

TEST(HealthDirections, ANormalWithOneOfItsFacesIsFine) {
  // Both sides of a sheet share their vertices: the normals are those of one side.
  Model model = empty_model();
  RiggedMesh& mesh = model.mesh;
  append_triangle(mesh, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, kUnwrapped);
  mesh.faces.push_back({0, 2, 1});
  EXPECT_EQ(errors(findings_at_rest(model, raw_attributes(mesh))), Kinds());
  for (const Finding& f : findings_at_rest(model, raw_attributes(mesh)))
    EXPECT_NE(f.kind->id, "normals-against-faces");
}

TEST(HealthDirections, ThresholdsOfLengthsAndOfThePlane) {
  const auto of_normal = [](double length) {
    return kinds(health_of(pill_model(), [&](RawAttributes& raw) {
      raw.normal_length.assign(raw.normal.size(), 1);
      raw.normal_length[7] = length;
    }));
  };
  for (const double side : {-1., 1.}) {
    EXPECT_EQ(of_normal(1 + side * kUnitOfBytes * kUnder), kNothingWrong);
    EXPECT_EQ(of_normal(1 + side * kUnitOfBytes * kOver), with(kNothingWrong, "normals-not-unit"));
  }
  Model model = pill_model();
  for (FrameSource& source : model.mesh.frame_source) source = FrameSource::file;
  const auto of_tangent = [&](double degrees, double length) {
    const double angle = degrees / 180 * M_PI;
    return kinds(health_of(model, [&](RawAttributes& raw) {
      raw.tangent[7] = (raw.tangent[7] * std::cos(angle) + raw.normal[7] * std::sin(angle)) * length;
    }));
  };
  const Kinds nothing = {"positions-split", "standard-normals-off"};
  EXPECT_EQ(of_tangent(kOffPlane * kUnder, 1), nothing);
  EXPECT_EQ(of_tangent(-kOffPlane * kOver, 1), with(nothing, "tangents-off-plane"));
  EXPECT_EQ(of_tangent(0, 1 + kUnitOfBytes * kUnder), nothing);
  EXPECT_EQ(of_tangent(0, 1 - kUnitOfBytes * kOver), with(nothing, "tangents-not-unit"));
}

// Kinds about weights where one vertex of the pill, moved away from the origin, has a sum that is off.
Kinds kinds_of_sum(double off, double away) {
  Model model = pill_model();
  for (Vec3d& p : model.mesh.p0) p = p + Vec3d(away, 0, 0);
  const int v = rigid_vertex(pill_model().mesh);
  RawAttributes raw = raw_attributes(model.mesh);
  raw.weight[at(v) * at(raw.slots)] += off;
  Kinds found;
  for (const Finding& f : findings_at_rest(model, raw))
    if (f.kind->id.starts_with("weights-")) found.emplace(f.kind->id);
  return found;
}

TEST(HealthWeights, ThresholdsOfFloatSums) {
  for (const double side : {-1., 1.}) {
    EXPECT_EQ(kinds_of_sum(side * kSumRounding * kUnder, 0), Kinds());
    EXPECT_EQ(kinds_of_sum(side * kSumRounding * kOver, 0), Kinds{"weights-rounded"});
    EXPECT_EQ(kinds_of_sum(side * kSumTolerance * kUnder, 0), Kinds{"weights-rounded"});
    EXPECT_EQ(kinds_of_sum(side * kSumTolerance * kOver, 0), Kinds{"weights-unnormalised"});
  }
  // Far from the origin less is seen: the vertex moves by what its sum is off times its distance.
  const Vec3d p = pill_model().mesh.p0[at(rigid_vertex(pill_model().mesh))] + Vec3d(1000, 0, 0);
  const double seen = kUnseenShift * health::diagonal(pill_model().mesh.p0) / length(p);
  EXPECT_LT(seen * kOver, kSumTolerance);
  EXPECT_EQ(kinds_of_sum(seen * kUnder, 1000), Kinds{"weights-rounded"});
  EXPECT_EQ(kinds_of_sum(seen * kOver, 1000), Kinds{"weights-unnormalised"});
}

// The strip with its weights stored as integers that sum to `sum`; a skin's bones at rest where the file has them.
Health strip_of_integers(int type, int sum, bool normalized) {
  gltf_test::File file = gltf_test::strip();
  std::vector<double> weights;
  for (int v = 0; v < 8; ++v) weights.insert(weights.end(), {sum - 3. * v, 3. * v, 0, 0});
  const std::string accessor = file.add("VEC4", type, weights, normalized);
  file.primitives[0].replace(file.primitives[0].find("\"WEIGHTS_0\": 4"), 14, "\"WEIGHTS_0\": " + accessor);
  RawAttributes raw;
  const Model model = parse_gltf(file.gltf(), ".", "strip", {.max_influences = kAllInfluences, .raw = &raw});
  return check_health(Character(model), raw);
}

TEST(HealthWeights, SumsOfIntegersAreExact) {
  for (const auto& [type, unit] : {std::pair(gltf_test::kU8, 255), std::pair(gltf_test::kU16, 65535)}) {
    EXPECT_EQ(strip_of_integers(type, unit, true).count(Severity::error), 0);
    const Health less = strip_of_integers(type, unit - 1, true);
    ASSERT_EQ(less.count(Severity::error), 1) << unit;
    const Finding& f = finding(less, "weights-unnormalised");
    EXPECT_EQ(f.count, 8);
    EXPECT_NEAR(f.size, 1. / unit, 1e-12);
    EXPECT_NE(f.detail.find(std::to_string(unit - 1) + " instead of " + std::to_string(unit)),
              std::string::npos)
        << f.detail;
  }
}

TEST(HealthWeights, TheMissingFlagIsNamed) {
  const Health health = strip_of_integers(gltf_test::kU8, 255, false);
  ASSERT_EQ(health.count(Severity::error), 1);
  EXPECT_EQ(finding(health, "weights-flag-missing").count, 8);
}

TEST(HealthWeights, TheShiftInAnEngineThatDoesNotNormaliseIsTold) {
  Model model = pill_model();
  for (Vec3d& p : model.mesh.p0) p = p + Vec3d(10000, 0, 0);
  const Health health = health_of(model, [](RawAttributes& raw) {
    for (double& w : raw.weight) w *= .9992;
  });
  EXPECT_NE(finding(health, "weights-unnormalised").detail.find("moves it by 8 at rest"), std::string::npos)
      << finding(health, "weights-unnormalised").detail;
}

// The pill twice at one place: its mesh under a second skin, whose bones are others and turn another way.
TEST(HealthReading, BodiesOfOneMeshAreNoTwins) {
  Model model = pill_model();
  const RiggedMesh once = model.mesh;
  RiggedMesh& mesh = model.mesh;
  const int n = once.vertex_count();
  for (const auto& [node, parent] : {std::pair(0, -1), std::pair(1, 2)}) {
    model.skeleton.nodes.push_back(model.skeleton.nodes[at(node)]);
    model.skeleton.nodes.back().parent = parent;
    model.skeleton.bone_node.push_back(node + 2);
    model.skeleton.inverse_bind.push_back(model.skeleton.inverse_bind[at(node)]);
  }
  mesh.bone_count = 4;
  for (const Face& f : once.faces) mesh.faces.push_back({f[0] + n, f[1] + n, f[2] + n});
  mesh.p0.insert(mesh.p0.end(), once.p0.begin(), once.p0.end());
  mesh.n0.insert(mesh.n0.end(), once.n0.begin(), once.n0.end());
  mesh.uv.insert(mesh.uv.end(), once.uv.begin(), once.uv.end());
  mesh.weight.insert(mesh.weight.end(), once.weight.begin(), once.weight.end());
  for (const int bone : once.bone) mesh.bone.push_back(bone + 2);
  compute_tangent_frames(mesh);
  const Health health = health_of(model, [&](RawAttributes& raw) {
    raw.primitives = {{.name = "mesh 0", .first = 0, .count = n, .mesh = 0, .skin = 0},
                      {.name = "mesh 0 again", .first = n, .count = n, .mesh = 0, .skin = 1}};
  });
  EXPECT_EQ(kinds(health), with(kNothingWrong, "meshes-shared-by-skins"));
  EXPECT_EQ(finding(health, "meshes-shared-by-skins").count, 2 * n);
  EXPECT_EQ(finding(health, "meshes-shared-by-skins").size, 2);
}

TEST(HealthReading, BonesOfTwoSkinsWithOneNodeAreOne) {
  Model model = pill_model();
  RiggedMesh& mesh = model.mesh;
  mesh.bone_count = 4;
  model.skeleton.bone_node = {0, 1, 0, 1};
  model.skeleton.inverse_bind.push_back(model.skeleton.inverse_bind[0]);
  model.skeleton.inverse_bind.push_back(model.skeleton.inverse_bind[1]);
  const int v = seam_vertex(mesh);
  for (int k = 0; k < mesh.slots; ++k) mesh.bone[at(v) * at(mesh.slots) + at(k)] += 2;
  EXPECT_EQ(kinds(health_of(model)).count("twins-split-weights"), 0u);
  set_weights(mesh, v, {2, 3}, {.9, .1});
  EXPECT_NEAR(finding(health_of(model), "twins-split-weights").size, .1, 1e-12);
}

TEST(HealthReading, WhatTheReaderRepairedIsTold) {
  Model model = pill_model();
  model.warnings = {{"node 7", "has a mesh without a skin; it was left out", 3}};
  const Health health = health_of(model);
  EXPECT_EQ(kinds(health), with(kNothingWrong, "reader-repaired"));
  const Finding& f = finding(health, "reader-repaired");
  EXPECT_EQ(f.name, "node 7");
  EXPECT_EQ(f.count, 3);
  EXPECT_EQ(f.detail, "has a mesh without a skin; it was left out");
}

TEST(HealthReading, NormalsOfAFileKeepTheirLengthForCheck) {
  for (const double length : {2., .99}) {
    gltf_test::File file = gltf_test::strip();
    std::vector<double> normals;
    for (int v = 0; v < 8; ++v) normals.insert(normals.end(), {0, 0, length});
    const std::string accessor = file.add("VEC3", gltf_test::kFloat, normals);
    file.primitives[0].replace(file.primitives[0].find("\"NORMAL\": 1"), 11, "\"NORMAL\": " + accessor);
    RawAttributes raw;
    const Model model =
        parse_gltf(file.gltf(), ".", "strip", {.max_influences = kAllInfluences, .raw = &raw});
    const Health health = check_health(Character(model), raw);
    EXPECT_NEAR(finding(health, "normals-not-unit").size, std::abs(length - 1), 1e-6);
    EXPECT_EQ(finding(health, "normals-not-unit").count, 8);
  }
}

class HealthFaults : public test_models::RealModels {};

// Every readable model at hand with every fault planted; untouched ones have none of these findings.
TEST_F(HealthFaults, NoModelIsHealthyWithAFaultOfAllItsNormalsWindingTangentsOrWeights) {
  const std::pair<const char*, void (*)(Model&, RawAttributes&)> faults[] = {
      {"negated", negate_normals}, {"shuffled", shuffle_normals}, {"random", draw_normals},
      {"scaled", scale_normals},   {"winding", reverse_winding},  {"w", flip_w},
      {"weights", shrink_weights}};
  // Sums of weights that files of these programs leave as they were painted.
  const Kinds of_files = {"weights-unnormalised", "weights-zero"};
  int models = 0, planted = 0, with_tangents = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(test_models::folder())) {
    RawAttributes raw;
    Model model;
    if (!entry.is_regular_file()) continue;
    // Its weights lie outside the file: when the importer survives it, they are what the memory held.
    if (entry.path().filename() == "malformed_skinweights_oob.x") continue;
    try {
      model = read_model(entry.path(), {.max_influences = kAllInfluences, .raw = &raw});
    } catch (const InputError&) {
      continue;
    }
    SCOPED_TRACE(entry.path().string());
    const Kinds untouched = errors(findings_at_rest(model, raw));
    EXPECT_TRUE(std::includes(of_files.begin(), of_files.end(), untouched.begin(), untouched.end()));
    const bool normals =
        std::any_of(raw.normal.begin(), raw.normal.end(), [](Vec3d n) { return n != Vec3d(0.0); });
    const bool flat = std::all_of(model.mesh.n0.begin(), model.mesh.n0.end(),
                                  [&](Vec3d n) { return length(n - model.mesh.n0[0]) < 1e-6; });
    const bool tangents =
        std::any_of(raw.tangent.begin(), raw.tangent.end(), [](Vec3d t) { return t != Vec3d(0.0); });
    ++models;
    with_tangents += tangents;
    for (const auto& [fault, plant] : faults) {
      const std::string_view name = fault;
      const bool of_normals = name == "negated" || name == "shuffled" || name == "random" || name == "scaled";
      if (of_normals && !normals) continue;  // the reader's own
      if (flat && (name == "shuffled" || !normals))
        continue;  // a shuffle is the same; a sheet encloses nothing
      if (name == "w" && !tangents) continue;
      Model faulty = model;
      RawAttributes of_faulty = raw;
      plant(faulty, of_faulty);
      Kinds found = errors(findings_at_rest(faulty, of_faulty));
      if (name != "weights")
        for (const std::string& kind : of_files) found.erase(kind);
      EXPECT_FALSE(found.empty()) << fault;
      ++planted;
    }
  }
  EXPECT_GE(models, 36);
  EXPECT_GE(planted, 150);
  EXPECT_GE(with_tangents, 1);
}

}  // namespace
}  // namespace skinlight
