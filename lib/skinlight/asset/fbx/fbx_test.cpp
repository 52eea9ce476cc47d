// A strip written by hand as FBX, in text and in binary, is the strip that the glTF reader gives; and what changes
// when one thing in the file does.
#include "skinlight/asset/fbx/fbx.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "skinlight/asset/fbx/detail/fbx_mesh.h"
#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/asset/model_file.h"
#include "testing/fbx_file.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using namespace fbx_test;
using gltf_test::count_of;
using gltf_test::Folder;
using gltf_test::posed;
using testing::HasSubstr;

constexpr double kDouble = 1e-12;

Model read(const Strip& strip, const ReadOptions& options = {}) {
  return parse_fbx(strip.text(), "strip", options);
}

std::vector<Vec3d> posed_at(const Model& model, double time) {
  return posed(model.mesh, pose_at(model.skeleton, model.clips.at(0), time));
}

double distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t v = 0; v < std::min(a.size(), b.size()); ++v)
    largest = std::max(largest, length(a[v] - b[v]));
  return largest;
}

// Of default pose and clip.
void expect_same_poses(const Model& a, const Model& b, double tolerance = 1e-7) {
  EXPECT_LT(distance(posed(a.mesh, default_pose(a.skeleton)), posed(b.mesh, default_pose(b.skeleton))),
            tolerance);
  for (const double time : {0.0, .3, .5, 1.0})
    EXPECT_LT(distance(posed_at(a, time), posed_at(b, time)), tolerance);
}

void expect_error(const std::string& bytes, const std::string& element, const std::string& reason) {
  try {
    parse_fbx(bytes, "fbx");
    ADD_FAILURE() << "accepted: " << reason;
  } catch (const InputError& e) {
    EXPECT_THAT(e.element(), HasSubstr(element));
    EXPECT_THAT(e.reason(), HasSubstr(reason));
    EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
  }
}

TEST(Fbx, TextIsTheGltfStrip) {
  const Model model = read({}), strip = parse_gltf(gltf_test::strip().gltf(), "", "strip");
  EXPECT_EQ(model.name, "strip");
  EXPECT_TRUE(model.warnings.empty());
  ASSERT_EQ(model.mesh.vertex_count(), 8);
  // Vertices stand in the order in which faces use them, which is that of the strip.
  EXPECT_EQ(model.mesh.faces, strip.mesh.faces);
  EXPECT_EQ(model.mesh.p0, strip.mesh.p0);
  EXPECT_EQ(model.mesh.n0, strip.mesh.n0);
  EXPECT_EQ(model.mesh.uv, strip.mesh.uv);
  EXPECT_EQ(model.mesh.handedness, strip.mesh.handedness);
  EXPECT_EQ(model.mesh.bone_count, 2);
  ASSERT_EQ(model.clips.size(), 1u);
  EXPECT_EQ(model.clips[0].name, "bend");
  EXPECT_EQ(model.clips[0].duration, 1);
  EXPECT_LT(distance(posed(model.mesh, default_pose(model.skeleton)), model.mesh.p0), kDouble);
  for (const double time : {0.0, .25, 1.0})
    EXPECT_LT(
        distance(posed_at(model, time), posed(strip.mesh, pose_at(strip.skeleton, strip.clips[0], time))),
        1e-7)  // glTF's quaternion is made of floats
        << time;
}

TEST(Fbx, BinaryFilesOfAnyVersionAreTheText) {
  const Folder folder("fbx");
  Strip file;
  file.turn = curve(63, {0, .5, 1}, {0, 20, 90}, 0x6108);
  const Model text = read(file);
  for (const std::uint32_t version : {7100u, 7400u, 7500u, 7700u})
    for (const bool deflates : {false, true}) {
      const Model model = read_model(folder.write("strip.bin", binary(file.text(), version, deflates)));
      EXPECT_EQ(model.mesh.p0, text.mesh.p0);
      EXPECT_EQ(model.mesh.faces, text.mesh.faces);
      EXPECT_EQ(model.mesh.weight, text.mesh.weight);
      EXPECT_EQ(model.clips.at(0).channels.at(0).values, text.clips.at(0).channels.at(0).values);
      expect_same_poses(model, text, kDouble);
    }
}

TEST(Fbx, OptionsAndRawAttributesAreThoseOfTheOtherReaders) {
  EXPECT_EQ(read({}).mesh.slots, 2);
  RawAttributes raw;
  const Model one = read({}, {1, &raw});
  EXPECT_EQ(one.mesh.slots, 1);
  EXPECT_EQ(count_of(one, "has more than 1 influences"), 6);
  EXPECT_EQ(raw.slots, 2);
  Strip file;
  file.upper_weights[7] = -.5;
  EXPECT_EQ(count_of(read(file), "negative"), 1);
}

// One vector (x, y, 0) at all vertices of the strip.
std::string layer(const std::string& name, double x, double y) {
  std::vector<double> rows;
  for (int v = 0; v < 8; ++v) rows.insert(rows.end(), {x, y, 0});
  return "LayerElement" + name +
         ": 0 {\n MappingInformationType: \"ByVertice\"\n ReferenceInformationType: \"Direct\"\n" +
         array(name + "s", rows) + "}\n";
}

// check tells their lengths; the mesh has unit ones.
TEST(Fbx, NormalsAndTangentsThatAreNotUnitAreHandedOutAsTheFileHasThem) {
  Strip file;
  file.layers = layer("Tangent", 1.5, 0) + layer("Binormal", 0, 1);
  std::string text = file.text();
  for (std::size_t at = text.find("Normals: "), unit; (unit = text.find("0,0,1", at)) < text.find('}', at);)
    text.replace(unit, 5, "0,0,3");
  RawAttributes raw;
  const Model model = parse_fbx(text, "strip", {.raw = &raw});
  ASSERT_EQ(raw.normal_length.size(), 8u);
  for (std::size_t v = 0; v < 8; ++v) {
    EXPECT_DOUBLE_EQ(raw.normal_length[v], 3);
    EXPECT_DOUBLE_EQ(length(raw.tangent[v]), 1.5);
    EXPECT_DOUBLE_EQ(length(model.mesh.n0[v]), 1);
    EXPECT_DOUBLE_EQ(length(model.mesh.t0[v]), 1);
  }
}

// cases/fbx/prerot*: the joint's rest turn in PreRotation is applied once, at rest and in clips.
// The strip bent upwards along y, without normals. FBX does not say what to do then.
TEST(Fbx, MissingNormalsAreSmoothUnlessFlatOnesAreAskedFor) {
  std::string text = Strip().text();
  const auto replace_between = [&](const std::string& from, const std::string& to, const std::string& by) {
    const std::size_t start = text.find(from), end = text.find(to, start);
    ASSERT_NE(end, std::string::npos);
    text.replace(start, end - start, by);
  };
  replace_between("LayerElementNormal", "LayerElementUV", "");
  std::vector<double> bent;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 2; ++column)
      bent.insert(bent.end(), {1. * column, 1. * row, 1. * row * row});
  replace_between("Vertices", "PolygonVertexIndex", array("Vertices", bent));

  const Model smooth = parse_fbx(text, "strip"),
              flat = parse_fbx(text, "strip", {.missing_normals = MissingNormals::flat});
  EXPECT_EQ(smooth.mesh.vertex_count(), 8);
  ASSERT_EQ(flat.mesh.vertex_count(), 12);
  EXPECT_EQ(count_of(smooth, "averaged over the faces"), 8);
  EXPECT_EQ(count_of(flat, "has that of its face"), 12);
  for (const Face& face : flat.mesh.faces) {
    const auto p = [&](std::size_t c) { return flat.mesh.p0[static_cast<std::size_t>(face[c])]; };
    const Vec3d n = normalize(cross(p(1) - p(0), p(2) - p(0)));
    for (const int v : face) EXPECT_LT(length(flat.mesh.n0[static_cast<std::size_t>(v)] - n), 1e-12);
  }
}

TEST(Fbx, JointsWithARestTurnPoseAsThoseWithout) {
  Strip turned;
  turned.upper = property("Lcl Translation", {0, 1, 0}) + property("PreRotation", {0, 0, 90}) +
                 property("RotationActive", {1});
  turned.upper_link = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1};
  turned.upper_transform = {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1};
  expect_same_poses(read(turned), read({}), kDouble);
  EXPECT_TRUE(read(turned).warnings.empty());
  // RotationActive false, the default, switches it off.
  turned.upper = property("Lcl Translation", {0, 1, 0}) + property("PreRotation", {0, 0, 90});
  EXPECT_EQ(count_of(read(turned), "stands elsewhere"), 1);
}

// cases/fbx/samename: objects are told apart by their ids.
TEST(Fbx, MeshNodeWithTheNameOfAJointIsNotTheJoint) {
  Strip file;
  file.body = property("Lcl Translation", {0, 5, 3});
  file.lower_transform = matrix(0, 5, 3);
  file.upper_transform = matrix(0, 4, 3);
  const Model plain = read(file);
  file.body_name = file.upper_name;
  const Model same = read(file);
  expect_same_poses(same, plain, kDouble);
  EXPECT_EQ(plain.mesh.p0[0], Vec3d(0, 5, 3));
  std::vector<std::string> names;
  for (const int node : same.skeleton.bone_node)
    names.push_back(same.skeleton.nodes[static_cast<std::size_t>(node)].name);
  EXPECT_EQ(names, (std::vector<std::string>{"lower", "upper"})) << "bones keep their names";
  EXPECT_NE(std::find_if(same.skeleton.nodes.begin(), same.skeleton.nodes.end(),
                         [](const Node& n) { return n.name == "upper (2)"; }),
            same.skeleton.nodes.end());
}

TEST(Fbx, RestPoseIsWhereTheClustersBoundTheMesh) {
  // The mesh's node stands elsewhere now; outside of Maya that means nothing.
  Strip file;
  file.body = property("Lcl Translation", {7, 8, 9}) + property("Lcl Rotation", {10, 20, 30});
  const Model model = read(file);
  EXPECT_EQ(model.mesh.p0, read({}).mesh.p0);
  expect_same_poses(model, read({}), kDouble);
  EXPECT_TRUE(model.warnings.empty());
}

// Maya moves what the bones made of the mesh from where its node was bound to where it is.
TEST(Fbx, InMayaASkinnedMeshFollowsItsOwnNode) {
  Strip file;
  file.application = "Maya";
  expect_same_poses(read(file), read({}), kDouble);
  EXPECT_EQ(read(file).skeleton.nodes.size(), 3u);
  file.body = property("Lcl Translation", {7, 8, 9}) + property("Lcl Rotation", {0, 0, 90});
  const Model moved = read(file), plain = read({});
  EXPECT_EQ(count_of(moved, "stands elsewhere"), 1);
  for (const double time : {0.0, .5, 1.0}) {
    std::vector<Vec3d> expected = posed_at(plain, time);
    for (Vec3d& p : expected) p = Vec3d(7 - p.y, 8 + p.x, 9 + p.z);
    EXPECT_LT(distance(posed_at(moved, time), expected), 1e-7);
  }
  // Moved by a clip alone.
  file.body = "";
  file.objects = "AnimationCurveNode: 70, \"AnimCurveNode::T\", \"\" {\n}\n" + curve(71, {0, 1}, {0, 4});
  file.connections =
      connect(70, Strip::kLayer) + connect(70, Strip::kBody, "Lcl Translation") + connect(71, 70, "d|X");
  const Model animated = read(file);
  for (const double time : {0.0, .5, 1.0}) {
    std::vector<Vec3d> expected = posed_at(plain, time);
    for (Vec3d& p : expected) p.x += 4 * time;
    EXPECT_LT(distance(posed_at(animated, time), expected), 1e-7);
  }
  EXPECT_TRUE(animated.warnings.empty());
}

TEST(Fbx, MissingMatricesComeFromTheBindPoseOrTheDefaultPose) {
  Strip file;
  file.upper =
      property("Lcl Translation", {0, 1, 0}) + property("Lcl Rotation", {0, 0, 30});  // not as it was bound
  const Model whole = read(file);
  for (auto* m : {&file.lower_link, &file.upper_link, &file.lower_transform, &file.upper_transform})
    m->clear();
  const auto pose_node = [](int id, double y) {
    return "PoseNode:  {\n Node: " + std::to_string(id) + "\n" + array("Matrix", matrix(0, y, 0)) + "}\n";
  };
  file.objects = "Pose: 80, \"Pose::\", \"BindPose\" {\n" + pose_node(20, 0) + pose_node(21, 0) +
                 pose_node(22, 1) + "}\n";
  expect_same_poses(read(file), whole, kDouble);
  EXPECT_EQ(count_of(read(file), "does not tell where it was bound"), 0);
  file.objects = "";
  const Model none = read(file);
  EXPECT_EQ(count_of(none, "does not tell where it was bound"), 3 + 1) << "two links, and the mesh for each";
  EXPECT_LT(distance(posed(none.mesh, default_pose(none.skeleton)), none.mesh.p0), kDouble);
}

TEST(Fbx, GeometricTransformsActOnTheMeshAlone) {
  Strip file;
  file.body = property("GeometricTranslation", {1, 2, 3}) + property("GeometricRotation", {0, 0, 90}) +
              property("GeometricScaling", {-2, 1, 1});
  const Model model = read(file), plain = read({});
  for (std::size_t v = 0; v < 8; ++v) {
    const Vec3d p = plain.mesh.p0[v];
    EXPECT_LT(length(model.mesh.p0[v] - Vec3d(1 - p.y, 2 - 2 * p.x, 3 + p.z)), kDouble);
    EXPECT_LT(length(model.mesh.n0[v] - Vec3d(0, 0, 1)), kDouble);
  }
  EXPECT_EQ(model.mesh.faces[0], (Face{0, 2, 1})) << "mirrored";
  EXPECT_LT(distance(posed(model.mesh, default_pose(model.skeleton)), model.mesh.p0), kDouble);
}

TEST(Fbx, TangentsKeepTheirSideWhenVIsFlipped) {
  // Along rising u; binormals along the file's rising v, which is downwards here and falling v of the library.
  Strip file;
  const Model computed = read(file);
  file.layers = layer("Tangent", 1, 0) + layer("Binormal", 0, -1);
  const Model given = read(file);
  EXPECT_EQ(given.mesh.frame_source[0], FrameSource::file);
  EXPECT_NE(computed.mesh.frame_source[0], FrameSource::file);
  EXPECT_EQ(given.mesh.handedness, computed.mesh.handedness);
  for (std::size_t v = 0; v < 8; ++v) EXPECT_LT(length(given.mesh.b0[v] - computed.mesh.b0[v]), kDouble);
  file.layers = layer("Tangent", 1, 0);
  EXPECT_EQ(count_of(read(file), "tangents or binormals without the others"), 1);
}

TEST(Fbx, PolygonsAreCutInsideAndCornersFollowTheirIndices) {
  Strip file;
  // Vertices 0 1 3 2 as a quad, and 4 2 3 7 6, concave at 2 (0, 1, 0) seen from its neighbours.
  file.polygons = "0,1,3,-3,4,5,7,-7";
  EXPECT_EQ(read(file).mesh.faces, (std::vector<Face>{{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}}));
  file.polygons = "6,0,2,-2";  // 0 3, 0 0, 0 1, 1 0: concave at (0, 1)
  const RiggedMesh concave = read(file).mesh;
  ASSERT_EQ(concave.faces.size(), 2u);
  for (const Face& f : concave.faces) {
    const auto p = [&](std::size_t c) { return concave.p0[static_cast<std::size_t>(f[c])]; };
    const double z = cross(p(1) - p(0), p(2) - p(0)).z;
    EXPECT_GE(z, 0) << "a triangle outside of the polygon";
  }
  file.polygons = "0,-2,0,1,-3,5,-6";
  EXPECT_EQ(count_of(read(file), "points or lines"), 2);

  Strip corners;
  corners.polygons = "0,1,-3";
  corners.layers = "LayerElementNormal: 1 {\n}\n";  // a second one is not looked at
  std::string text = corners.text();
  text = gltf_test::replaced(
      text, "\"Direct\"\nUV: *16 {\n a: 0,1,1,1,0,0.75,1,0.75,0,0.5,1,0.5,0,0.25,1,0.25\n}\n",
      "\"IndexToDirect\"\nUV: *4 {\n a: .5,.25,1,0\n}\nUVIndex: *3 {\n a: 1,0,-1\n}\n");
  text.replace(text.rfind("ByVertice"), 9, "ByPolygonVertex");
  EXPECT_EQ(parse_fbx(text, "").mesh.uv, (std::vector<Vec2d>{{1, 1}, {.5, .75}, {0, 1}}));
}

// Convex ones: whether ears are cut off or a fan is made of very many corners, the triangles are as many and as large.
TEST(Fbx, PolygonsOfAnyNumberOfCornersAreCovered) {
  for (const std::size_t corners : {3u, 63u, 64u, 65u, 200u}) {
    std::vector<Vec3d> p;
    for (std::size_t i = 0; i < corners; ++i) {
      const double angle = 2 * M_PI * static_cast<double>(i) / static_cast<double>(corners);
      p.emplace_back(std::cos(angle), std::sin(angle), 0);
    }
    const auto triangles = fbx::triangulate(p);
    EXPECT_EQ(triangles.size(), corners - 2);
    double twice = 0;
    for (const auto& t : triangles) twice += cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]).z;
    const auto n = static_cast<double>(corners);
    EXPECT_NEAR(twice, n * std::sin(2 * M_PI / n), 1e-12) << "of a regular polygon in the unit circle";
  }
}

TEST(Fbx, WhatWeightsLackOfOneStaysWithTheMeshInModeTotal1) {
  Strip file;
  file.lower_weights = file.upper_weights = {0, 0, .25, .25, .25, .25, .5, .5};
  const Model normalised = read(file);
  EXPECT_EQ(count_of(normalised, "do not sum to 1"), 4);
  file.lower_cluster = file.upper_cluster = " Mode: \"Total1\"\n";
  const Model total = read(file);
  EXPECT_EQ(count_of(total, "do not sum to 1"), 0);
  EXPECT_EQ(total.mesh.bone_count, 3);
  EXPECT_LT(distance(posed(total.mesh, default_pose(total.skeleton)), total.mesh.p0), kDouble);
  EXPECT_EQ(count_of(total, "has no weight"), 2);
  file.upper_cluster = " Mode: \"Additive\"\n";
  expect_error(file.text(), "Deformer 32", "mode Additive");
}

TEST(Fbx, SkinsThatAskForAnotherMethodSaySo) {
  Strip file;
  file.skin = "SkinningType: \"DualQuaternion\"\n";
  EXPECT_EQ(count_of(read(file), "dual quaternion"), 1);
  file.skin = "SkinningType: \"Blend\"\n" + array<double>("BlendWeights", {0, 0});
  EXPECT_TRUE(read(file).warnings.empty());
  file.skin = "SkinningType: \"Blend\"\n" + array<double>("BlendWeights", {0, .5});
  EXPECT_EQ(count_of(read(file), "a blend of linear and dual"), 1);
}

TEST(Fbx, DefaultPoseThatIsNotTheBindPoseIsAWarning) {
  Strip file;
  file.upper = property("Lcl Translation", {0, 1.5, 0});
  const Model model = read(file);
  ASSERT_EQ(count_of(model, "stands elsewhere"), 1);
  // .5 times 3/4, of sqrt(10).
  EXPECT_THAT(model.warnings.at(0).reason, HasSubstr("by 11.85"));
}

TEST(Fbx, FilesThatCannotBeReadNameTheirPlace) {
  expect_error("", "", "is empty");
  expect_error("nonsense", "", "does not begin as an FBX file does");
  Strip file;
  const auto with = [&](auto member, const auto& value) {
    Strip changed = file;
    changed.*member = value;
    return changed.text();
  };
  expect_error(with(&Strip::version, "6100"), "", "FBX 6.1 is an old format version");
  expect_error(with(&Strip::version, "8000"), "", "newer");
  expect_error(with(&Strip::polygons, "0,1,-9"), "Geometry 10 PolygonVertexIndex 2", "vertex 8 of 8");
  expect_error(with(&Strip::polygons, "0,1,2"), "Geometry 10", "last polygon does not end");
  expect_error(with(&Strip::polygons, "0,1,2.5"), "Geometry 10 PolygonVertexIndex", "not an integer");
  expect_error(gltf_test::replaced(file.text(), "Vertices: *24 {\n a: 0,0,0,1,0,0,",
                                   "Vertices: *24 {\n a: 0,0,0,1,1e999,0,"),
               "Geometry 10 Vertices 1", "is not finite");
  expect_error(with(&Strip::upper_weights, std::vector<double>{1, 2}), "Deformer 32", "not as many vertices");
  expect_error(with(&Strip::upper_link, std::vector<double>{1, 2}), "Deformer 32 TransformLink",
               "2 numbers, not 16");
  expect_error(with(&Strip::upper, property("InheritType", {3})), "Model 22 (upper) InheritType",
               "does not exist");
  expect_error(with(&Strip::upper, property("RotationActive", {1}) + property("RotationOrder", {7})),
               "Model 22 (upper) RotationOrder", "does not exist");
  expect_error(with(&Strip::upper, property("Lcl Translation", {HUGE_VAL, 0, 0})), "P Lcl Translation",
               "holds \"inf\", not a number");
  expect_error(with(&Strip::upper, std::string(" P: \"Lcl Rotation\", \"\", \"\", \"\",1e999,0,0\n")),
               "Model 22 (upper) Lcl Rotation", "is not finite");
  expect_error(with(&Strip::connections, connect(21, 22)), "Model 21 (lower)", "own ancestor");
  expect_error(with(&Strip::objects, std::string("Model: 20, \"Model::b\", \"Mesh\" {\n}\n")), "Model 20 (b)",
               "id");
  expect_error(with(&Strip::objects, std::string("Model: 20 {")), "line", "'}'");
  expect_error(gltf_test::replaced(file.text(), connect(22, 32), ""), "Deformer 32", "no node moves it");
  expect_error(gltf_test::replaced(file.text(), connect(30, 10), ""), "", "no triangle mesh with a skin");
  Strip two = file;
  two.objects = "Deformer: 90, \"Deformer::\", \"Skin\" {\n}\n";
  two.connections = connect(90, 10);
  EXPECT_TRUE(read(two).warnings.empty()) << "an empty skin";
  two.connections += connect(31, 90);
  expect_error(two.text(), "Geometry 10", "several skins");
}

}  // namespace
}  // namespace skinlight
