// Collada, MD5 and X: one strip written by hand in three formats is the strip that the glTF reader
// gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "skinlight/asset/assimp/assimp_file.h"
#include "skinlight/asset/gltf/gltf.h"
#include "testing/assimp_file.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using namespace assimp_test;
using gltf_test::count_of;
using gltf_test::Folder;
using gltf_test::posed;
using testing::HasSubstr;

constexpr double kFloat = 1e-6;  // numbers of the size of 1 through single precision and a few products

Model read(const std::string& name, const std::string& text, const ReadOptions& options = {}) {
  const Folder folder("assimp");
  return read_assimp(folder.write(name, text), options);
}

Model read(const Collada& file, const ReadOptions& options = {}) {
  return read("strip.dae", file.text(), options);
}

Model expected_strip() { return parse_gltf(gltf_test::strip().gltf(), "", "strip"); }

// The file's vertex of each vertex of the expected strip: importers number them anew.
std::vector<std::size_t> matching(const std::vector<Vec3d>& expected, const std::vector<Vec3d>& found) {
  std::vector<std::size_t> match;
  for (const Vec3d e : expected)
    match.push_back(static_cast<std::size_t>(
        std::min_element(found.begin(), found.end(),
                         [&](Vec3d a, Vec3d b) { return length(a - e) < length(b - e); }) -
        found.begin()));
  return match;
}

// Positions, normals, uv, faces, weights and three poses. `turned`: what the importer does to the space.
void expect_strip(
    const Model& model, const std::function<Vec3d(Vec3d)>& turned = [](Vec3d v) { return v; }) {
  const Model strip = expected_strip();
  ASSERT_EQ(model.mesh.vertex_count(), 8);
  EXPECT_EQ(model.mesh.faces.size(), 6u);
  EXPECT_EQ(model.mesh.bone_count, 2);
  std::vector<Vec3d> expected;
  for (const Vec3d p : strip.mesh.p0) expected.push_back(turned(p));
  const std::vector<std::size_t> match = matching(expected, model.mesh.p0);
  for (std::size_t v = 0; v < 8; ++v) {
    EXPECT_LT(length(model.mesh.p0[match[v]] - expected[v]), kFloat);
    EXPECT_LT(length(model.mesh.n0[match[v]] - turned(strip.mesh.n0[v])), kFloat);
    // Collada, MD5 and X texts say v = y / 4 with v upwards, upwards and downwards: see each test.
    EXPECT_NEAR(model.mesh.uv[match[v]].x, strip.mesh.uv[v].x, kFloat);
  }
  for (const Face& f : model.mesh.faces) {
    const auto at = [&](int c) {
      return model.mesh.p0[static_cast<std::size_t>(f[static_cast<std::size_t>(c)])];
    };
    EXPECT_GT(dot(cross(at(1) - at(0), at(2) - at(0)), turned({0, 0, 1})), 0) << "turned inside out";
  }
  ASSERT_EQ(model.clips.size(), 1u);
  EXPECT_NEAR(model.clips[0].duration, 1, kFloat);
  for (const double time : {0.0, .25, 1.0}) {
    const std::vector<Vec3d> p = posed(strip.mesh, pose_at(strip.skeleton, strip.clips[0], time));
    const std::vector<Vec3d> q = posed(model.mesh, pose_at(model.skeleton, model.clips[0], time));
    for (std::size_t v = 0; v < 8; ++v) EXPECT_LT(length(q[match[v]] - turned(p[v])), 2 * kFloat) << time;
  }
}

double v_of_top(const Model& model, Vec3d top) { return model.mesh.uv[matching({top}, model.mesh.p0)[0]].y; }

TEST(Assimp, ColladaIsTheGltfStrip) {
  const Model model = read(Collada{});
  expect_strip(model);
  EXPECT_TRUE(model.warnings.empty());
  EXPECT_EQ(model.name, "strip");
  EXPECT_NEAR(v_of_top(model, {0, 3, 0}), 1 - .75, kFloat);  // Collada's v points upwards
}

TEST(Assimp, DirectXIsTheGltfStripSeenInAMirror) {
  // Left-handed to right-handed: z changes its sign. The file's normals point to -z.
  const Model model = read("strip.x", DirectX{}.text());
  expect_strip(model);
  EXPECT_EQ(model.mesh.faces.size(), 6u) << "quads become two triangles";
  EXPECT_NEAR(v_of_top(model, {0, 3, 0}), .75, kFloat);  // v points downwards, as in glTF
}

TEST(Assimp, Md5IsTheGltfStripWithYUpwards) {
  const Folder folder("assimp_md5");
  folder.write("strip.md5anim", md5_anim());
  const Model model = read_assimp(folder.write("strip.md5mesh", md5_mesh()));
  expect_strip(model, [](Vec3d v) { return Vec3d(v.x, v.z, -v.y); });  // MD5's z points upwards
  EXPECT_EQ(count_of(model, "has no normal"), 8);
  EXPECT_NEAR(v_of_top(model, {0, 0, -3}), .75, kFloat);
}

TEST(Assimp, FramesPerSecondOfMd5AreTheFiles) {
  const Folder folder("assimp_md5");
  folder.write("strip.md5anim", gltf_test::replaced(md5_anim(), "frameRate 1", "frameRate 50"));
  const Model model = read_assimp(folder.write("strip.md5mesh", md5_mesh()));
  EXPECT_NEAR(model.clips.at(0).duration, 1 / 50., kFloat);
}

TEST(Assimp, PlacementOfTheMeshIsTakenToTheRestPose) {
  // Moved, turned about x by 90 degrees, and 100 times as large; joints follow, so poses grow with it.
  Collada file;
  file.placement = "100 0 0 5  0 0 -100 6  0 100 0 7  0 0 0 1";
  const Model model = read(file), plain = read(Collada{});
  for (std::size_t v = 0; v < 8; ++v) {
    const Vec3d p = plain.mesh.p0[v];
    EXPECT_LT(length(model.mesh.p0[v] - Vec3d(100 * p.x + 5, -100 * p.z + 6, 100 * p.y + 7)), 100 * kFloat);
    EXPECT_LT(length(model.mesh.n0[v] - Vec3d(0, -1, 0)), kFloat);
  }
  // The skin's own formula does not know the node, so the posed vertices are those without it.
  const std::vector<Vec3d> p = posed(plain.mesh, pose_at(plain.skeleton, plain.clips[0], 1));
  const std::vector<Vec3d> q = posed(model.mesh, pose_at(model.skeleton, model.clips[0], 1));
  for (std::size_t v = 0; v < 8; ++v) EXPECT_LT(length(p[v] - q[v]), 2 * kFloat);
}

TEST(Assimp, MirroredMeshFacesWhereItsNormalsDo) {
  Collada file;
  file.placement = "-1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1";
  const Model model = read(file);
  for (const Face& f : model.mesh.faces) {
    const auto at = [&](std::size_t c) { return model.mesh.p0[static_cast<std::size_t>(f[c])]; };
    EXPECT_GT(dot(cross(at(1) - at(0), at(2) - at(0)), model.mesh.n0[static_cast<std::size_t>(f[0])]), 0);
  }
  EXPECT_LT(length(model.mesh.n0[0] - Vec3d(0, 0, 1)), kFloat);
  EXPECT_EQ(default_pose(model.skeleton).orientation, -1);
}

TEST(Assimp, BindShapeMatrixIsPartOfTheSkin) {
  Collada file;
  file.bind_shape = "1 0 0 3  0 1 0 0  0 0 1 0  0 0 0 1";
  const Model model = read(file), plain = read(Collada{});
  const std::vector<Vec3d> p = posed(plain.mesh, default_pose(plain.skeleton));
  const std::vector<Vec3d> q = posed(model.mesh, default_pose(model.skeleton));
  for (std::size_t v = 0; v < 8; ++v) EXPECT_LT(length(p[v] + Vec3d(3, 0, 0) - q[v]), 4 * kFloat);
}

TEST(Assimp, CornersWithOtherWeightsStayApart) {
  // Vertex 3 of the first three triangles as ever; the last triangles use a copy of it with the other
  // weights.
  Collada file;
  const std::string all = file.text();
  EXPECT_EQ(read("strip.dae", all).mesh.vertex_count(), 8) << "18 corners, 8 of them distinct";
  // The positions of vertices 2 and 4 made one: they differ in nothing but uv and weights, then in weights
  // only.
  std::string text = gltf_test::replaced(all, "0.000000 2.000000 0.000000 1.000000 2.000000 0.000000 ",
                                         "0.000000 1.000000 0.000000 1.000000 2.000000 0.000000 ");
  ASSERT_NE(text, "");
  text =
      gltf_test::replaced(text, "0.000000 0.500000 1.000000 0.500000", "0.000000 0.250000 1.000000 0.500000");
  ASSERT_NE(text, "");
  const Model model = read("strip.dae", text);
  EXPECT_EQ(model.mesh.vertex_count(), 8);
}

TEST(Assimp, MoreInfluencesThanAskedForAreReported) {
  const Model all = read(Collada{}), one = read(Collada{}, {1});
  EXPECT_EQ(all.mesh.slots, 2);
  EXPECT_EQ(one.mesh.slots, 1);
  EXPECT_EQ(count_of(one, "has more than 1 influences"), 6);
  EXPECT_THAT(one.warnings.at(0).reason, HasSubstr("at most 50.0"));
}

TEST(Assimp, VerticesWithoutWeightStayWithTheNodeOfTheirMesh) {
  Collada file;
  file.joint_names = "upper lower";  // so that the first bone moves
  file.vcount = "2 2 2 2 2 2 2 0";
  file.influences = "0 4 1 0  0 4 1 0  0 3 1 1  0 3 1 1  0 2 1 2  0 2 1 2  0 1 1 3";
  const Model model = read(file);
  EXPECT_EQ(count_of(model, "has no weight; it stays with the node of its mesh"), 1);
  EXPECT_EQ(model.mesh.bone_count, 3);
  const std::size_t v = matching({{1, 3, 0}}, model.mesh.p0)[0];
  const std::vector<Vec3d> p = posed(model.mesh, pose_at(model.skeleton, model.clips[0], 1));
  EXPECT_LT(length(p[v] - Vec3d(1, 3, 0)), kFloat);
}

TEST(Assimp, WeightsThatAreNoNumbersLeaveTheirVertexWithoutWeight) {
  Collada file;
  file.weight_values = "0 nan .5 nan nan";  // of Assimp's importer; only the middle row keeps its weights
  const Model model = read(file);
  EXPECT_EQ(count_of(model, "has no weight"), 6);
  for (const double w : model.mesh.weight) EXPECT_TRUE(std::isfinite(w));
}

TEST(Assimp, MeshShownByTwoNodesIsKeptOnce) {
  Collada file;
  file.more_nodes =
      "<node id=\"again\" name=\"again\"><instance_controller url=\"#skin\"><skeleton>#lower</skeleton>"
      "</instance_controller></node>\n";
  const Model model = read(file);
  EXPECT_EQ(model.mesh.vertex_count(), 8);
  EXPECT_EQ(count_of(model, "shows a mesh with its skin again"), 1);
}

TEST(Assimp, BoneThatNoNodeMovesIsAnError) {
  DirectX file;
  file.upper = "nobody";
  try {
    read("strip.x", file.text());
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_THAT(e.element(), HasSubstr("bone 1 (nobody)"));
    EXPECT_THAT(e.reason(), HasSubstr("no node of this name"));
  }
}

TEST(Assimp, TicksThatAFileDoesNotTellAreReported) {
  DirectX file;
  file.ticks = "";
  const Model model = read("strip.x", file.text());
  EXPECT_NEAR(model.clips.at(0).duration, 60 / 4800., kFloat);  // DirectX's own default
  EXPECT_EQ(count_of(model, "4800 were taken"), 1);
}

TEST(Assimp, WrongFilesNameFileAndReason) {
  const auto expect_error = [](const std::string& name, const std::string& text, const std::string& reason) {
    const Folder folder("assimp_errors");
    const std::filesystem::path path = folder.write(name, text);
    try {
      read_assimp(path);
      ADD_FAILURE() << "accepted " << name;
    } catch (const InputError& e) {
      EXPECT_EQ(e.file(), path.string());
      EXPECT_THAT(e.what(), HasSubstr(reason));
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
    }
  };
  expect_error("empty.dae", "", "is empty");
  // No shapes of the importer's around its joints.
  expect_error(
      "joints.dae",
      R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">)"
      R"(<library_visual_scenes><visual_scene id="s"><node id="hip" sid="hip" type="JOINT">)"
      R"(<translate>0 1 0</translate><node id="knee" sid="knee" type="JOINT"/></node></visual_scene>)"
      R"(</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)",
      "has no triangle mesh with a skin");
  expect_error("a.dae", "nonsense", "");
  expect_error("a.fbx", "nonsense", "is not called");
  expect_error("a.obj", "v 0 0 0", "is not called");
  expect_error("half.dae", Collada{}.text().substr(0, 3000), "");
  Collada names;
  names.joint_names = "lower nobody";
  expect_error("strip.dae", names.text(), "nobody");
  Collada index;
  index.polygons = "<triangles count=\"1\">INPUTS<p>0 1 800</p></triangles>";
  expect_error("strip.dae", index.text(), "800");
  DirectX crash;
  crash.last_vertex_of_upper = "100000000";
  expect_error("strip.x", crash.text(), "the importer crashed");
  EXPECT_THROW(read_assimp("/nonexistent/a.dae"), InputError);
  EXPECT_THROW(read_assimp(std::filesystem::temp_directory_path()), InputError);
}

}  // namespace
}  // namespace skinlight
