#include "skinlight/asset/gltf/gltf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "skinlight/asset/gltf/detail/gltf_file.h"
#include "skinlight/core/random.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using namespace gltf_test;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kFloatRounding = 1e-6;  // numbers near 1 stored as float

Model read(const File& file, const ReadOptions& options = {}) {
  const Folder folder("gltf_test");
  return read_gltf(folder.write("strip.gltf", file.gltf()), options);
}

void expect_near(Vec3d a, Vec3d b, double tolerance = kFloatRounding) {
  EXPECT_LE(length(a - b), tolerance)
      << "(" << a.x << " " << a.y << " " << a.z << ") against (" << b.x << " " << b.y << " " << b.z << ")";
}

double weight_of(const RiggedMesh& mesh, int v, int bone) {
  double sum = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
    if (mesh.bones_of(v)[k] == bone) sum += mesh.weights_of(v)[k];
  return sum;
}

// Weights are compared by bone: slots of equal weight may stand in any order.
void expect_same_mesh(const RiggedMesh& a, const RiggedMesh& b, double tolerance = 0) {
  ASSERT_EQ(a.vertex_count(), b.vertex_count());
  ASSERT_EQ(a.bone_count, b.bone_count);
  EXPECT_EQ(a.faces, b.faces);
  for (int v = 0; v < a.vertex_count(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    expect_near(a.p0[i], b.p0[i], tolerance);
    expect_near(a.n0[i], b.n0[i], tolerance);
    for (int bone = 0; bone < a.bone_count; ++bone)
      EXPECT_NEAR(weight_of(a, v, bone), weight_of(b, v, bone), tolerance) << "vertex " << v;
  }
}

TEST(Gltf, ReadsTheStrip) {
  const Model model = read(strip());
  EXPECT_EQ(model.name, "strip");
  EXPECT_EQ(model.mesh.vertex_count(), 8);
  EXPECT_THAT(model.mesh.faces, ElementsAre(Face{0, 1, 2}, Face{2, 1, 3}, Face{2, 3, 4}, Face{4, 3, 5},
                                            Face{4, 5, 6}, Face{6, 5, 7}));
  EXPECT_EQ(model.mesh.p0[7], Vec3d(1, 3, 0));
  EXPECT_EQ(model.mesh.uv[7], Vec2d(1, .75));
  EXPECT_EQ(model.mesh.slots, 4);
  EXPECT_EQ(model.mesh.bone_count, 2);
  EXPECT_EQ(model.mesh.bones_of(7)[0], 1);
  EXPECT_DOUBLE_EQ(model.mesh.weights_of(7)[0], .75);
  EXPECT_EQ(model.mesh.frame_source[0], FrameSource::uv);
  expect_near(model.mesh.t0[0], {1, 0, 0});
  EXPECT_THAT(model.skeleton.bone_node, ElementsAre(1, 2));
  EXPECT_EQ(model.skeleton.nodes[2].name, "upper");
  EXPECT_EQ(model.skeleton.nodes[2].parent, 1);
  ASSERT_EQ(model.clips.size(), 1u);
  EXPECT_EQ(model.clips[0].name, "bend");
  EXPECT_EQ(model.clips[0].duration, 1);
  EXPECT_TRUE(model.warnings.empty());
}

TEST(Gltf, DefaultPoseIsTheIdentityWhereItIsTheBindPose) {
  const Pose pose = default_pose(read(strip()).skeleton);
  for (const Mat4x3d& m : pose.M)
    for (int c = 0; c < 4; ++c) EXPECT_EQ(m[c], identity_transform<double>()[c]);
}

TEST(Gltf, ClipMovesVertices) {
  const Model model = read(strip());
  const std::vector<Vec3d> p = posed(model.mesh, pose_at(model.skeleton, model.clips[0], 1));
  // Vertex 7 at (1, 3): bone 1 turns it about (0, 1) to (-2, 2), with weight 3/4.
  expect_near(p[7], Vec3d(1, 3, 0) * .25 + Vec3d(-2, 2, 0) * .75);
}

TEST(Gltf, GlbExternalBufferAndDataUriAreTheSame) {
  const Folder folder("gltf_containers");
  const File file = strip();
  const Model embedded = read_gltf(folder.write("a.gltf", file.gltf()));
  const Model binary = read_gltf(folder.write("b.glb", file.glb()));
  folder.write("some data.bin", file.buffer);
  const Model external = read_gltf(folder.write("c.gltf", file.json(R"("uri": "some%20data.bin", )")));
  expect_same_mesh(embedded.mesh, binary.mesh);
  expect_same_mesh(embedded.mesh, external.mesh);
}

// glTF 2.0, 3.6.1: what a buffer names is as long as its byteLength or longer.
TEST(Gltf, BuffersMayBeLongerThanTheySay) {
  const Folder folder("gltf_long_buffers");
  const File file = strip();
  const Model usual = read_gltf(folder.write("a.gltf", file.gltf()));
  const std::string data = R"("uri": "data:application/octet-stream;base64,)",
                    bin = R"("uri": "a%20b.bin", )";
  for (const std::size_t more : {1u, 2u, 3u, 1000u}) {
    const std::string longer = file.buffer + std::string(more, '\7');
    folder.write("a b.bin", longer);
    expect_same_mesh(usual.mesh, read_gltf(folder.write("b.gltf", file.json(bin))).mesh);
    const std::string text = file.json(data + gltf_test::base64(longer) + R"(", )");
    expect_same_mesh(usual.mesh, read_gltf(folder.write("c.gltf", text)).mesh);
    EXPECT_EQ(gltf::open(text, std::filesystem::path()).buffers[0].data.size(), file.buffer.size());
  }
  folder.write("a b.bin", file.buffer.substr(1));
  EXPECT_THROW(read_gltf(folder.write("b.gltf", file.json(bin))), InputError);
}

TEST(Gltf, IntegerWeightsAndJointsAreTheSame) {
  const Model floats = read(strip());
  for (const int component : {kU8, kU16}) {
    File file = strip();
    const double one = component == kU8 ? 255 : 65535;
    std::vector<double> joints, weights;
    for (int v = 0; v < 8; ++v) {
      joints.insert(joints.end(), {0, 1, 0, 0});
      const int ring = v / 2;
      const double upper = std::round(ring / 4.0 * one);
      weights.insert(weights.end(), {one - upper, upper, 0, 0});
    }
    const std::string j = file.add("VEC4", component, joints), w = file.add("VEC4", component, weights, true);
    file.primitives[0] = replaced(file.primitives[0], R"("JOINTS_0": 3, "WEIGHTS_0": 4)",
                                  R"("JOINTS_0": )" + j + R"(, "WEIGHTS_0": )" + w);
    const Model model = read(file);
    expect_same_mesh(floats.mesh, model.mesh, .5 / one + kFloatRounding);
    EXPECT_TRUE(model.warnings.empty());
  }
}

TEST(Gltf, NegativeNormalisedIntegersStopAtMinusOne) {
  File file = strip();
  const std::string a = file.add("VEC3", kU8, std::vector<double>(24, 0), true);
  for (std::size_t v = 0; v < 8; ++v)
    file.buffer[file.buffer.size() - 24 + 3 * v + 2] = static_cast<char>(-128);
  file.accessors.back() = replaced(file.accessors.back(), std::to_string(kU8), std::to_string(kI8));
  file.primitives[0] = replaced(file.primitives[0], R"("NORMAL": 1)", R"("NORMAL": )" + a);
  const Model model = read(file);
  for (const Vec3d n : model.mesh.n0) EXPECT_EQ(n, Vec3d(0, 0, -1));
  EXPECT_TRUE(model.warnings.empty()) << "-128 / 127 would not be unit";
}

TEST(Gltf, LargestNormalisedIntegersAreOne) {
  for (const auto& [component, one] : {std::pair{kU8, 255.0}, {kU16, 65535.0}}) {
    File file = strip();
    const std::string uv = file.add("VEC2", component, std::vector<double>(16, one), true);
    file.primitives[0] = replaced(file.primitives[0], R"("TEXCOORD_0": 2)", R"("TEXCOORD_0": )" + uv);
    for (const Vec2d t : read(file).mesh.uv) EXPECT_EQ(t, Vec2d(1, 1));
  }
}

TEST(Gltf, InterleavedVerticesAreTheSame) {
  const File plain = strip();
  File file = strip();
  // position, normal, joints (4 bytes), weights: 44 bytes per vertex; two bytes of padding before everything.
  std::string interleaved(4, 'x');
  for (std::size_t v = 0; v < 8; ++v) {
    interleaved += plain.buffer.substr(12 * v, 12);
    interleaved += plain.buffer.substr(96 + 12 * v, 12);
    interleaved += plain.buffer.substr(192 + 64 + 4 * v, 4);
    interleaved += plain.buffer.substr(192 + 64 + 32 + 16 * v, 16);
  }
  const std::string offset = std::to_string(file.buffer.size());
  file.buffer += interleaved;
  file.views.push_back(R"({"buffer": 0, "byteOffset": )" + offset + R"(, "byteLength": )" +
                       std::to_string(interleaved.size()) + R"(, "byteStride": 44})");
  const auto point_at = [&](std::size_t accessor, const std::string& byte_offset) {
    file.accessors[accessor] =
        replaced(file.accessors[accessor], R"("bufferView": )" + std::to_string(accessor),
                 R"("bufferView": 9, "byteOffset": )" + byte_offset);
  };
  point_at(0, "4");
  point_at(1, "16");
  point_at(3, "28");
  point_at(4, "32");
  expect_same_mesh(read(strip()).mesh, read(file).mesh);
}

TEST(Gltf, SparseEntriesReplaceTheirRows) {
  File file = strip();
  const std::string indices = file.add("SCALAR", kU8, {2, 7}),
                    values = file.add("VEC3", kFloat, {9, 8, 7, 6, 5, 4});
  file.accessors[0].back() = ',';
  file.accessors[0] += R"("sparse": {"count": 2, "indices": {"bufferView": )" + indices +
                       R"(, "componentType": 5121}, "values": {"bufferView": )" + values + "}}}";
  const Model model = read(file);
  EXPECT_EQ(model.mesh.p0[2], Vec3d(9, 8, 7));
  EXPECT_EQ(model.mesh.p0[7], Vec3d(6, 5, 4));
  EXPECT_EQ(model.mesh.p0[3], Vec3d(1, 1, 0));
}

TEST(Gltf, SparseWithoutBufferViewStartsFromZeros) {
  File file = strip();
  const std::string indices = file.add("SCALAR", kU16, {1}), values = file.add("VEC3", kFloat, {1, 2, 3});
  file.accessors[0] =
      R"({"componentType": 5126, "type": "VEC3", "count": 8, "sparse": {"count": 1, "indices": )"
      R"({"bufferView": )" +
      indices + R"(, "componentType": 5123}, "values": {"bufferView": )" + values + "}}}";
  const Model model = read(file);
  EXPECT_EQ(model.mesh.p0[0], Vec3d(0.0));
  EXPECT_EQ(model.mesh.p0[1], Vec3d(1, 2, 3));
}

TEST(Gltf, StripsAndFansTurnAllFacesTheSameWay) {
  const auto faces_of = [](const std::string& mode) {
    File file = strip();
    file.primitives[0] = replaced(file.primitives[0], R"(, "indices": 5)", mode);
    return read(file).mesh.faces;
  };
  EXPECT_THAT(faces_of(R"(, "mode": 5)"), ElementsAre(Face{0, 1, 2}, Face{1, 3, 2}, Face{2, 3, 4},
                                                      Face{3, 5, 4}, Face{4, 5, 6}, Face{5, 7, 6}));
  EXPECT_THAT(faces_of(R"(, "mode": 6)"), ElementsAre(Face{1, 2, 0}, Face{2, 3, 0}, Face{3, 4, 0},
                                                      Face{4, 5, 0}, Face{5, 6, 0}, Face{6, 7, 0}));
}

TEST(Gltf, IndicesOfEveryWidthAreTheSame) {
  for (const int component : {kU8, kU32}) {
    File file = strip();
    const std::string i =
        file.add("SCALAR", component, {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5, 4, 5, 6, 6, 5, 7});
    file.primitives[0] = replaced(file.primitives[0], R"("indices": 5)", R"("indices": )" + i);
    EXPECT_EQ(read(file).mesh.faces, read(strip()).mesh.faces);
  }
}

TEST(Gltf, NonIndexedTrianglesUseVerticesInOrder) {
  File file = strip();
  const std::string p = file.add("VEC3", kFloat, {0, 0, 0, 1, 0, 0, 0, 1, 0});
  const std::string j = file.add("VEC4", kU8, std::vector<double>(12, 0));
  const std::string w = file.add("VEC4", kFloat, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  file.primitives[0] =
      R"({"attributes": {"POSITION": )" + p + R"(, "JOINTS_0": )" + j + R"(, "WEIGHTS_0": )" + w + "}}";
  const Model model = read(file);
  EXPECT_THAT(model.mesh.faces, ElementsAre(Face{0, 1, 2}));
  EXPECT_TRUE(model.mesh.uv.empty());
  for (const Vec3d n : model.mesh.n0) expect_near(n, {0, 0, 1});
  EXPECT_EQ(count_of(model, "has no normal"), 3);
}

TEST(Gltf, MissingNormalsAreSmoothAcrossSplitVertices) {
  // A roof of two triangles that share an edge but no vertex: at the ridge both sides get the mean normal.
  File file = strip();
  const std::string p = file.add("VEC3", kFloat, {-1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 1});
  const std::string j = file.add("VEC4", kU8, std::vector<double>(24, 0));
  std::vector<double> weights(24, 0);
  for (std::size_t v = 0; v < 6; ++v) weights[4 * v] = 1;
  const std::string w = file.add("VEC4", kFloat, weights);
  file.primitives[0] =
      R"({"attributes": {"POSITION": )" + p + R"(, "JOINTS_0": )" + j + R"(, "WEIGHTS_0": )" + w + "}}";
  const Model model = read(file, {.missing_normals = MissingNormals::smooth});
  const double half = std::sqrt(.5);
  expect_near(model.mesh.n0[0], {-half, 0, half});
  expect_near(model.mesh.n0[3], {half, 0, half});
  for (const std::size_t ridge : {1u, 2u, 4u, 5u}) expect_near(model.mesh.n0[ridge], {0, 0, 1});
}

TEST(Gltf, ZeroNormalsAreReplacedAndLongOnesNormalised) {
  File file = strip();
  std::vector<double> normals;
  for (int v = 0; v < 8; ++v) normals.insert(normals.end(), {0, 0, v == 5 ? 0.0 : 3.0});
  file.primitives[0] =
      replaced(file.primitives[0], R"("NORMAL": 1)", R"("NORMAL": )" + file.add("VEC3", kFloat, normals));
  const Model model = read(file);
  for (const Vec3d n : model.mesh.n0) expect_near(n, {0, 0, 1});
  EXPECT_EQ(count_of(model, "normal that is not unit"), 8);
  EXPECT_EQ(count_of(model, "has no normal"), 1);
}

TEST(Gltf, TangentsOfTheFileAreKeptOrthogonalAndUnit) {
  File file = strip();
  std::vector<double> tangents;
  for (int v = 0; v < 8; ++v) tangents.insert(tangents.end(), {0, 2, .5, v < 4 ? 1.0 : -1.0});
  for (const std::size_t parallel : {12u, 13u})
    tangents[parallel] = 0;  // vertex 3: along its normal, unusable
  file.primitives[0] = replaced(file.primitives[0], R"("NORMAL": 1)",
                                R"("NORMAL": 1, "TANGENT": )" + file.add("VEC4", kFloat, tangents));
  const RiggedMesh mesh = read(file).mesh;
  for (std::size_t v = 0; v < 8; ++v) {
    if (v == 3) continue;
    EXPECT_EQ(mesh.frame_source[v], FrameSource::file);
    EXPECT_EQ(mesh.handedness[v], v < 4 ? -1 : 1) << "b0 opposes the file's bitangent, w n x t";
    expect_near(mesh.t0[v], {0, 1, 0});
    expect_near(mesh.b0[v], Vec3d(-1, 0, 0) * mesh.handedness[v]);
  }
  EXPECT_EQ(mesh.frame_source[3], FrameSource::uv);
}

TEST(Gltf, StrongestInfluencesOfAllSetsAreKept) {
  File file = strip();
  std::vector<double> joints, weights;
  for (int v = 0; v < 8; ++v) {
    joints.insert(joints.end(), {2, 3, 4, 5});
    weights.insert(weights.end(), {.3, .2, .05, .05});
  }
  std::vector<double> first;
  for (int v = 0; v < 8; ++v) first.insert(first.end(), {.1, .3, 0, 0});
  const std::string j1 = file.add("VEC4", kU8, joints), w1 = file.add("VEC4", kFloat, weights);
  const std::string w0 = file.add("VEC4", kFloat, first);
  file.primitives[0] =
      replaced(file.primitives[0], R"("WEIGHTS_0": 4)",
               R"("WEIGHTS_0": )" + w0 + R"(, "JOINTS_1": )" + j1 + R"(, "WEIGHTS_1": )" + w1);
  file.nodes.insert(file.nodes.end(), 4, "{\"name\": \"more\"}");
  file.skins[0] = R"({"joints": [1, 2, 3, 4, 5, 6]})";
  const Model four = read(file);
  ASSERT_EQ(four.mesh.slots, 4);
  EXPECT_THAT(four.mesh.bones_of(0), ElementsAre(1, 2, 3, 0));
  EXPECT_NEAR(four.mesh.weights_of(0)[0], .3 / .9, kFloatRounding);
  EXPECT_NEAR(four.mesh.weights_of(0)[3], .1 / .9, kFloatRounding);
  EXPECT_EQ(count_of(four, "more than 4 influences"), 8);
  ASSERT_EQ(four.warnings.size(), 1u);
  EXPECT_THAT(four.warnings.back().reason, HasSubstr("at most 10.00"));
  const Model eight = read(file, {8});
  EXPECT_EQ(eight.mesh.slots, 8);
  EXPECT_NEAR(eight.mesh.weights_of(0)[5], .05, kFloatRounding);
  EXPECT_TRUE(eight.warnings.empty());
  EXPECT_THROW(read(file, {0}), InputError);
}

TEST(Gltf, WeightsThatAreZeroNegativeOrNotSummingAreRepairedWithWarnings) {
  File file = strip();
  std::vector<double> weights;
  for (int v = 0; v < 8; ++v)
    weights.insert(weights.end(), {v == 0 ? 0.0 : 1.5, v == 0 ? 0.0 : v == 1 ? -1.0 : 1.5, 0, 0});
  file.primitives[0] = replaced(file.primitives[0], R"("WEIGHTS_0": 4)",
                                R"("WEIGHTS_0": )" + file.add("VEC4", kFloat, weights));
  const Model model = read(file);
  EXPECT_THAT(model.mesh.weights_of(0), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(model.mesh.weights_of(1), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(model.mesh.weights_of(2), ElementsAre(.5, .5, 0, 0));
  EXPECT_EQ(count_of(model, "no positive weight"), 1);
  EXPECT_EQ(count_of(model, "negative weight"), 1);
  EXPECT_EQ(count_of(model, "do not sum to 1"), 7);
}

TEST(Gltf, JointsOfUnusedSlotsDoNotMatter) {
  File file = strip();
  std::vector<double> joints;
  for (int v = 0; v < 8; ++v) joints.insert(joints.end(), {0, 1, 255, 0});
  file.primitives[0] =
      replaced(file.primitives[0], R"("JOINTS_0": 3)", R"("JOINTS_0": )" + file.add("VEC4", kU8, joints));
  const Model model = read(file);
  expect_same_mesh(read(strip()).mesh, model.mesh);
  EXPECT_EQ(count_of(model, "joint that does not exist"), 8);
}

TEST(Gltf, PrimitivesWithTheSameAttributesShareVertices) {
  File file = strip();
  const std::string rest = file.add("SCALAR", kU8, {2, 1, 3});
  file.primitives.push_back(replaced(file.primitives[0], R"("indices": 5)", R"("indices": )" + rest));
  const Model model = read(file);
  EXPECT_EQ(model.mesh.vertex_count(), 8);
  EXPECT_EQ(model.mesh.faces.size(), 7u);
  EXPECT_EQ(model.mesh.faces.back(), (Face{2, 1, 3}));
}

TEST(Gltf, BonesThatAnotherSkinBindsInItsOwnWayStandBehind) {
  File file = strip();
  file.nodes.push_back(R"({"mesh": 0, "skin": 1})");
  file.skins.push_back(R"({"joints": [2, 1]})");
  const Model model = read(file);
  ASSERT_EQ(model.mesh.vertex_count(), 16);
  EXPECT_EQ(model.mesh.faces.size(), 12u);
  EXPECT_EQ(model.mesh.faces[6], (Face{8, 9, 10}));
  EXPECT_THAT(model.skeleton.bone_node, ElementsAre(1, 2, 2)) << "both bind node 1 with the identity";
  EXPECT_EQ(model.mesh.bones_of(0)[0], 0);
  EXPECT_EQ(model.mesh.bones_of(8)[0], 2);
  EXPECT_EQ(model.mesh.bones_of(15)[0], 0);
  EXPECT_EQ(model.skeleton.inverse_bind[2][3], Vec3d(0.0)) << "a skin without matrices has identities";
}

// Whose meshes would be torn apart along their seams if each skin had bones of its own.
TEST(Gltf, SkinsThatListTheSameJointsInAnotherOrderShareTheirBones) {
  File file = strip();
  file.nodes.push_back(R"({"mesh": 0, "skin": 1})");
  const std::string bind =
      file.add("MAT4", gltf_test::kFloat, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1,  //
                                           1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1});
  file.skins.push_back(R"({"joints": [2, 1], "inverseBindMatrices": )" + bind + "}");
  const Model model = read(file);
  EXPECT_THAT(model.skeleton.bone_node, ElementsAre(1, 2));
  EXPECT_EQ(model.skeleton.inverse_bind[1][3], Vec3d(0, -1, 0));
  EXPECT_EQ(model.mesh.bones_of(0)[0], 0);
  EXPECT_EQ(model.mesh.bones_of(8)[0], 1);
  EXPECT_EQ(model.mesh.bone_count, 2);
}

TEST(Gltf, AMeshShownTwiceWithOneSkinIsKeptOnce) {
  File file = strip();
  file.nodes.push_back(file.nodes[0]);
  const Model model = read(file);
  expect_same_mesh(read(strip()).mesh, model.mesh);
  EXPECT_EQ(count_of(model, "again"), 1);
}

TEST(Gltf, BonesOfTwoMeshesUnderOneSkinAreUnboundOnce) {
  File file = strip();
  file.nodes.push_back(R"({"mesh": 1, "skin": 0})");
  file.skins[0] = R"({"joints": [1, 2]})";
  const std::string one = R"("meshes": [{"primitives": )" + join(file.primitives) + "}";
  const Folder folder("gltf_test");
  RawAttributes raw;
  const Model model = read_gltf(
      folder.write("two.gltf",
                   replaced(file.gltf(), one, one + R"(, {"primitives": )" + join(file.primitives) + "}")),
      {.raw = &raw});
  EXPECT_EQ(model.mesh.faces.size(), 12u);
  EXPECT_EQ(model.mesh.bone_count, 2);
  EXPECT_THAT(raw.unbound, ElementsAre(0, 1));
}

TEST(Gltf, TransformOfTheMeshNodeIsIgnored) {
  File file = strip();
  file.nodes[0] = R"({"mesh": 0, "skin": 0, "translation": [3, 0, 0], "scale": [2, 2, 2]})";
  const Model plain = read(strip()), moved = read(file);
  expect_same_mesh(plain.mesh, moved.mesh);
  EXPECT_EQ(posed(plain.mesh, default_pose(plain.skeleton))[7],
            posed(moved.mesh, default_pose(moved.skeleton))[7]);
}

TEST(Gltf, NegativeScaleMirrorsThePose) {
  File file = strip();
  file.nodes[1] = R"({"name": "lower", "children": [2], "scale": [-2, 2, 2]})";
  const Pose pose = default_pose(read(file).skeleton);
  EXPECT_EQ(pose.orientation, -1);
  EXPECT_NEAR(pose.scale, 2, kFloatRounding);
}

TEST(Gltf, WhatIsLeftOutIsAWarning) {
  File file = strip();
  file.nodes.push_back(R"({"mesh": 0})");
  file.primitives.push_back(R"({"attributes": {"POSITION": 0, "JOINTS_0": 3, "WEIGHTS_0": 4}, "mode": 0})");
  file.primitives.push_back(R"({"attributes": {"POSITION": 0}})");
  file.animations.push_back(
      R"({"channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}},)"
      R"({"sampler": 0, "target": {"node": 1, "path": "pointer"}}], "samplers": [{"input": 7, "output": 7}]})");
  const Model model = read(file);
  expect_same_mesh(read(strip()).mesh, model.mesh);
  EXPECT_EQ(count_of(model, "mesh without a skin"), 1);
  EXPECT_EQ(count_of(model, "not made of triangles"), 1);
  EXPECT_EQ(count_of(model, "no joints and weights"), 1);
  EXPECT_EQ(count_of(model, "morph targets that are not read"), 1);
  EXPECT_EQ(count_of(model, "neither a node's transform nor morph targets"), 1);
}

TEST(Gltf, ExtensionsThatTouchNeitherGeometryNorSkinMayBeRequired) {
  for (const std::string name : {"EXT_lights_image_based",
                                 "KHR_interactivity",
                                 "KHR_node_hoverability",
                                 "KHR_node_selectability",
                                 "KHR_node_visibility",
                                 "KHR_xmp_json_ld",
                                 "MSFT_lod",
                                 "MSFT_texture_dds",
                                 "VRM",
                                 "VRMC_vrm",
                                 "VRMC_springBone",
                                 "KHR_materials_unlit",
                                 "KHR_lights_punctual",
                                 "KHR_animation_pointer",
                                 "ADOBE_materials_clearcoat_tint",
                                 "EXT_mesh_features",
                                 "EXT_structural_metadata",
                                 "FB_ngon_encoding",
                                 "GODOT_single_root",
                                 "KHR_implicit_shapes",
                                 "KHR_physics_rigid_bodies",
                                 "OMI_physics_body"}) {
    File file = strip();
    file.extra = R"("extensionsUsed": [")" + name + R"("], "extensionsRequired": [")" + name + "\"], ";
    expect_same_mesh(read(strip()).mesh, read(file).mesh);
  }
  for (const std::string name :
       {"EXT_mesh_gpu_instancing", "ACME_bones", "KHR_gaussian_splatting", "KHR_mesh_variants"}) {
    File file = strip();
    file.extra = R"("extensionsUsed": [")" + name + R"("], "extensionsRequired": [")" + name + "\"], ";
    EXPECT_THROW(read(file), InputError) << name;
  }
}

TEST(Gltf, AKeyThatIsNoRotationIsNamedByClipChannelAndKey) {
  for (const std::string interpolation : {"LINEAR", "STEP", "CUBICSPLINE"})
    for (const int bad : {0, 1}) {
      File file = strip();
      std::vector<double> values;
      for (int k = 0; k < 2; ++k)
        for (int part = 0; part < (interpolation == "CUBICSPLINE" ? 3 : 1);
             ++part)  // tangents of splines may be 0
          for (int i = 0; i < 4; ++i)
            values.push_back(i == 3 && k != bad && (part == 1 || interpolation != "CUBICSPLINE") ? 1 : 0);
      const std::string output = file.add("VEC4", kFloat, values);
      file.animations[0] =
          replaced(file.animations[0], R"("output": 8)",
                   R"("output": )" + output + R"(, "interpolation": ")" + interpolation + "\"");
      try {
        read(file);
        ADD_FAILURE() << "accepted";
      } catch (const InputError& e) {
        EXPECT_EQ(e.element(), "animation 0 (bend) channel 0 key " + std::to_string(bad));
        EXPECT_EQ(e.reason(), "the rotation is 0, 0, 0, 0");
      }
    }
}

// A roof of two planes, at 45 degrees: its ridge shared, by index or in a strip, or not.
TEST(Gltf, MissingNormalsAreFlatUnlessSmoothOnesAreAskedFor) {
  const auto roof = [](const std::vector<double>& indices, int mode) {
    File file = strip();
    const std::string p =
        file.add("VEC3", kFloat, {0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 2, 0, 0, 2, 0, 1, 1, 1, 0, 1, 1, 1});
    const std::string moved = file.add("VEC3", kFloat, {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0,  //
                                                        4, 0, 0, 5, 0, 0, 2, 0, 0, 3, 0, 0});
    file.primitives[0] = replaced(
        replaced(replaced(file.primitives[0], R"("POSITION": 0)", R"("POSITION": )" + p), R"("indices": 5)",
                 R"("mode": )" + std::to_string(mode) + R"(, "targets": [{"POSITION": )" + moved +
                     R"(}], "indices": )" + file.add("SCALAR", kU16, indices)),
        R"("NORMAL": 1, )", "");
    return file;
  };
  const std::vector<double> apart = {0, 1, 2, 2, 1, 3, 6, 7, 4, 4, 7, 5},
                            shared = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5}, of_strip = {0, 1, 2, 3, 4, 5};
  const double s = std::sqrt(.5);
  for (const auto& [indices, mode, vertices] :
       {std::tuple(apart, 4, 8), std::tuple(shared, 4, 12), std::tuple(of_strip, 5, 12)}) {
    RawAttributes raw;
    const Model flat = read(roof(indices, mode), {.raw = &raw});
    const RiggedMesh& mesh = flat.mesh;
    ASSERT_EQ(mesh.vertex_count(), vertices);
    ASSERT_EQ(mesh.faces.size(), 4u);
    EXPECT_EQ(raw.primitives[0].of_corners, vertices == 12);
    EXPECT_EQ(raw.normal, std::vector<Vec3d>(mesh.p0.size(), Vec3d(0.0))) << "the file has none";
    EXPECT_EQ(count_of(flat, "has that of its face"), vertices);
    for (const Face& face : mesh.faces)
      for (const int v : face) {
        const auto i = static_cast<std::size_t>(v);
        const bool left = mesh.p0[static_cast<std::size_t>(face[0])].x +
                              mesh.p0[static_cast<std::size_t>(face[1])].x +
                              mesh.p0[static_cast<std::size_t>(face[2])].x <
                          3;
        expect_near(mesh.n0[i], {left ? -s : s, s, 0});
        // All else came along: weights go by the file's row, targets by its vertex.
        const double above = 2 * mesh.p0[i].x + mesh.p0[i].z;
        if (vertices == 12) {
          EXPECT_NEAR(weight_of(mesh, v, 1), std::floor(above / 2) / 4, kFloatRounding);
        }
      }
    ASSERT_EQ(flat.morphs.size(), 1u);
    for (std::size_t i = 0; i < flat.morphs[0].vertex.size(); ++i) {
      const Vec3d p = mesh.p0[static_cast<std::size_t>(flat.morphs[0].vertex[i])];
      EXPECT_EQ(flat.morphs[0].dp[i].x, 2 * p.x + p.z);
    }

    const Model smooth = read(roof(indices, mode), {.missing_normals = MissingNormals::smooth});
    ASSERT_EQ(smooth.mesh.vertex_count(), 8);
    EXPECT_GT(smooth.mesh.n0[2].y, .75) << "of both sides";
    EXPECT_EQ(count_of(smooth, "averaged over the faces"), 8);
  }
}

// A primitive for each material, all of one POSITION: each lies in a plane, together they do not.
TEST(Gltf, MissingNormalsAreFlatAcrossPrimitivesOfSharedVertices) {
  File file = strip();
  const std::string p = file.add("VEC3", kFloat, {0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 2, 0, 0, 2, 0, 1,  //
                                                  0, 5, 0, 0, 5, 1});
  const std::string plain = file.primitives[0];
  const auto side = [&](const std::vector<double>& indices) {
    return replaced(replaced(replaced(plain, R"("POSITION": 0)", R"("POSITION": )" + p), R"("indices": 5)",
                             R"("indices": )" + file.add("SCALAR", kU16, indices)),
                    R"("NORMAL": 1, )", "");
  };
  file.primitives = {side({0, 1, 2, 2, 1, 3}), side({2, 3, 4, 4, 3, 5}), side({0, 6, 7})};
  const double s = std::sqrt(.5);
  const RiggedMesh mesh = read(file).mesh;
  ASSERT_EQ(mesh.faces.size(), 5u);
  for (std::size_t f = 0; f < 5; ++f)
    for (const int v : mesh.faces[f])
      expect_near(mesh.n0[static_cast<std::size_t>(v)], f < 2   ? Vec3d(-s, s, 0)
                                                        : f < 4 ? Vec3d(s, s, 0)
                                                                : Vec3d(1, 0, 0));
  file.primitives = {side({0, 1, 2, 2, 1, 3}), side({4, 6, 7})};
  EXPECT_EQ(read(file).mesh.vertex_count(), 8) << "as the file has them, where no vertex has two planes";
}

// glTF 2.0, section 3.7.2.1: tangents of a primitive without normals are ignored.
TEST(Gltf, TangentsWithoutNormalsAreIgnored) {
  File file = strip();
  std::vector<double> tangents;
  for (int v = 0; v < 8; ++v) tangents.insert(tangents.end(), {0, 1, 0, 1});
  const std::string t = file.add("VEC4", kFloat, tangents);
  file.primitives[0] = replaced(file.primitives[0], R"("NORMAL": 1)", R"("TANGENT": )" + t);
  const Model flat = read(file), smooth = read(file, {.missing_normals = MissingNormals::smooth});
  expect_near(flat.mesh.t0[0], {1, 0, 0});
  EXPECT_EQ(flat.mesh.frame_source[0], FrameSource::uv);
  expect_near(smooth.mesh.t0[0], {0, 1, 0});
}

TEST(Gltf, ClipNamesAreUnique) {
  File file = strip();
  const std::string bend = file.animations[0], unnamed = replaced(bend, R"("name": "bend", )", "");
  file.animations = {bend, unnamed, bend, unnamed, bend, replaced(bend, "bend", "clip 1")};
  std::vector<std::string> names;
  for (const Clip& clip : read(file).clips) names.push_back(clip.name);
  EXPECT_THAT(names, ElementsAre("bend", "clip 1", "bend (2)", "clip 3", "bend (3)", "clip 1 (2)"));
}

TEST(Gltf, EveryInterpolationIsRead) {
  for (const auto& [word, expected] :
       {std::pair{"STEP", Interpolation::step}, {"LINEAR", Interpolation::linear}}) {
    File file = strip();
    file.animations[0] = replaced(file.animations[0], R"("output": 8)",
                                  R"("output": 8, "interpolation": ")" + std::string(word) + "\"");
    EXPECT_EQ(read(file).clips[0].channels[0].interpolation, expected);
  }
  File file = strip();
  const std::string keys = file.add("VEC3", kFloat, {0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 4, 5, 6, 0, 0, 0});
  file.animations[0] =
      R"({"channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}], "samplers": )"
      R"([{"input": 7, "interpolation": "CUBICSPLINE", "output": )" +
      keys + "}]}";
  const Model model = read(file);
  EXPECT_EQ(model.clips[0].channels[0].interpolation, Interpolation::cubic_spline);
  EXPECT_EQ(pose_at(model.skeleton, model.clips[0], 1).M[0][3], Vec3d(4, 5, 6));
  EXPECT_EQ(pose_at(model.skeleton, model.clips[0], .5).M[0][3], Vec3d(2.5, 3.5, 4.5));
}

TEST(Gltf, KeysAtOneTimeAreAllowedWithAWarning) {
  File file = strip();
  const std::string times = file.add("SCALAR", kFloat, {0, 1, 1}),
                    values = file.add("VEC4", kFloat, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0});
  file.animations[0] = replaced(file.animations[0], R"("input": 7, "output": 8)",
                                R"("input": )" + times + R"(, "output": )" + values);
  const Model model = read(file);
  EXPECT_EQ(count_of(model, "time of the key before"), 1);
  EXPECT_NEAR(pose_at(model.skeleton, model.clips[0], 1).M[1][0].x, -1, kFloatRounding);
}

TEST(Gltf, MatrixNodesAreReadByColumn) {
  File file = strip();
  file.nodes[1] = R"({"children": [2], "matrix": [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 10, 0, 11, 12, 13, 1]})";
  const Mat4x3d m = default_pose(read(file).skeleton).M[0];
  EXPECT_EQ(m[0], Vec3d(1, 2, 3));
  EXPECT_EQ(m[2], Vec3d(7, 8, 10));
  EXPECT_EQ(m[3], Vec3d(11, 12, 13));
}

}  // namespace
}  // namespace skinlight
