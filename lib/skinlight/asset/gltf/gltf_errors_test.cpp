// Files with one thing wrong: the error names the file, the element and the reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "skinlight/asset/gltf/gltf.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using namespace gltf_test;
using testing::HasSubstr;

void expect_error(const std::filesystem::path& path, const std::string& element, const std::string& reason) {
  try {
    read_gltf(path);
    ADD_FAILURE() << "accepted, expected: " << element << ": " << reason;
  } catch (const InputError& e) {
    EXPECT_EQ(e.file(), path.string());
    EXPECT_EQ(e.element(), element) << e.what();
    EXPECT_THAT(e.reason(), HasSubstr(reason));
    EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << "one line: " << e.what();
    EXPECT_LT(e.reason().size(), 300u);
  }
}

void expect_error(const File& file, const std::string& element, const std::string& reason) {
  const Folder folder("gltf_errors");
  expect_error(folder.write("broken.gltf", file.gltf()), element, reason);
}

struct Broken {
  std::string name;
  std::string from, to;  // the only occurrence of `from` in the strip's JSON
  std::string element, reason;
};

void PrintTo(const Broken& b, std::ostream* out) { *out << b.name; }

class GltfErrors : public testing::TestWithParam<Broken> {};

TEST_P(GltfErrors, NameElementAndReason) {
  const Broken& broken = GetParam();
  const std::string text = replaced(strip().gltf(), broken.from, broken.to);
  ASSERT_NE(text, "") << "the strip does not have exactly one " << broken.from;
  const Folder folder("gltf_errors");
  expect_error(folder.write("broken.gltf", text), broken.element, broken.reason);
}

const std::string kPositions = R"({"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 8})";
const std::string kJointsAccessor = R"({"bufferView": 3, "componentType": 5121, "type": "VEC4", "count": 8})";
const std::string kMatrices = R"({"bufferView": 6, "componentType": 5126, "type": "MAT4", "count": 2})";
const std::string kTimes = R"({"bufferView": 7, "componentType": 5126, "type": "SCALAR", "count": 2})";
const std::string kNode1 = R"({"name": "lower", "children": [2]})";

std::string sparse(const std::string& properties) {
  return kPositions.substr(0, kPositions.size() - 1) + R"(, "sparse": {)" + properties + "}}";
}

INSTANTIATE_TEST_SUITE_P(
    Container, GltfErrors,
    testing::Values(
        Broken{"Version1", R"("version": "2.0")", R"("version": "1.0")", "asset", "version \"1.0\""},
        Broken{"NoAsset", R"("asset": {"version": "2.0"},)", "", "JSON", "asset"},
        Broken{"Syntax", R"("skins": [)", R"("skins": [,)", "JSON", "parse error"},
        Broken{"Extension", R"("nodes": [)",
               R"("extensionsRequired": ["KHR_mesh_quantization", "EXT_unheard_of"], "nodes": [)",
               "extensionsRequired", "EXT_unheard_of is not supported"},
        Broken{"MissingBin", "data:application/octet-stream;base64,", "missing.bin?", "JSON",
               "File not found"},
        Broken{"BrokenBase64", "octet-stream;base64,", "octet-stream;base64,!", "JSON", "Failed to decode"},
        Broken{"NestedTooDeep", R"("nodes": [)",
               R"("extras": )" + std::string(100000, '[') + std::string(100000, ']') + R"(, "nodes": [)",
               "JSON", "nested deeper"},
        Broken{"ViewBeyondBuffer", R"("byteOffset": 0, "byteLength": 96})",
               R"("byteOffset": 0, "byteLength": 96000})", "mesh 0 primitive 0 POSITION (buffer view 0)",
               "96000 bytes at 0 do not fit the buffer's"},
        Broken{"ViewThatEndsBeyondBuffer", R"("byteOffset": 0, "byteLength": 96})",
               R"("byteOffset": 8, "byteLength": 620})", "mesh 0 primitive 0 POSITION (buffer view 0)",
               "620 bytes at 8 do not fit the buffer's 620"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Accessors, GltfErrors,
    testing::Values(
        Broken{"NoSuchAccessor", R"("POSITION": 0)", R"("POSITION": 9)", "mesh 0 primitive 0 POSITION",
               "accessor 9, but the file has 9"},
        Broken{"NegativeAccessor", R"("POSITION": 0)", R"("POSITION": -1)", "mesh 0 primitive 0 POSITION",
               "accessor -1"},
        Broken{"NoSuchView", kPositions,
               R"({"bufferView": 9, "componentType": 5126, "type": "VEC3", "count": 8})",
               "mesh 0 primitive 0 POSITION", "buffer view 9, but the file has 9"},
        Broken{"NoSuchBuffer", R"({"buffer": 0, "byteOffset": 0,)", R"({"buffer": 1, "byteOffset": 0,)",
               "mesh 0 primitive 0 POSITION (buffer view 0)", "buffer 1, but the file has 1"},
        Broken{"ViewOffsetBeyondBuffer", R"("byteOffset": 0,)", R"("byteOffset": 18446744073709551615,)",
               "mesh 0 primitive 0 POSITION (buffer view 0)", "do not fit the buffer's"},
        Broken{"CountBeyondView", kPositions,
               R"({"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 9})",
               "mesh 0 primitive 0 POSITION (buffer view 0)",
               "9 elements of 12 bytes at 0 do not fit its 96 bytes"},
        Broken{"OffsetBeyondView", kPositions,
               R"({"bufferView": 0, "byteOffset": 4, "componentType": 5126, "type": "VEC3", "count": 8})",
               "mesh 0 primitive 0 POSITION (buffer view 0)", "do not fit"},
        Broken{
            "OffsetOverflows", kPositions,
            R"({"bufferView": 0, "byteOffset": 18446744073709551608, "componentType": 5126, "type": "VEC3", "count": 8})",
            "mesh 0 primitive 0 POSITION (buffer view 0)", "do not fit"},
        Broken{"AbsurdCount", kPositions,
               R"({"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 18446744073709551615})",
               "mesh 0 primitive 0 POSITION", "more than a file of this size can hold"},
        Broken{"AbsurdCountWithoutView", kPositions,
               R"({"componentType": 5126, "type": "VEC3", "count": 400000000})",
               "mesh 0 primitive 0 POSITION", "more than a file of this size can hold"},
        Broken{"CountZero", kPositions,
               R"({"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 0})",
               "mesh 0 primitive 0 POSITION", "is empty"},
        Broken{"StrideBelowElement", R"("byteOffset": 0, "byteLength": 96})",
               R"("byteOffset": 0, "byteLength": 96, "byteStride": 8})", "mesh 0 primitive 0 POSITION",
               "byte stride 8 is less than the element's 12 bytes"},
        Broken{"StrideBeyondView", R"("byteOffset": 0, "byteLength": 96})",
               R"("byteOffset": 0, "byteLength": 96, "byteStride": 16})",
               "mesh 0 primitive 0 POSITION (buffer view 0)", "do not fit"},
        Broken{"PositionType", kPositions,
               R"({"bufferView": 0, "componentType": 5126, "type": "VEC2", "count": 8})",
               "mesh 0 primitive 0 POSITION", "type that is not allowed here"},
        Broken{"PositionDouble", kPositions,
               R"({"bufferView": 0, "componentType": 5130, "type": "VEC3", "count": 4})",
               "mesh 0 primitive 0 POSITION", "component type 5130"},
        Broken{"FloatJoints", kJointsAccessor,
               R"({"bufferView": 4, "componentType": 5126, "type": "VEC4", "count": 8})",
               "mesh 0 primitive 0 JOINTS_0", "component type 5126"},
        Broken{"NormalisedJoints", kJointsAccessor,
               R"({"bufferView": 3, "componentType": 5121, "normalized": true, "type": "VEC4", "count": 8})",
               "mesh 0 primitive 0 JOINTS_0", "accessor 3 is normalised"},
        Broken{"FewerJointsThanVertices", kJointsAccessor,
               R"({"bufferView": 3, "componentType": 5121, "type": "VEC4", "count": 7})",
               "mesh 0 primitive 0 JOINTS_0", "7 elements for 8 vertices"},
        Broken{
            "SparseTooMany", kPositions,
            sparse(
                R"("count": 9, "indices": {"bufferView": 0, "componentType": 5121}, "values": {"bufferView": 0})"),
            "mesh 0 primitive 0 POSITION sparse entries", "9 entries of 8"},
        Broken{
            "SparseNegative", kPositions,
            sparse(
                R"("count": -1, "indices": {"bufferView": 0, "componentType": 5121}, "values": {"bufferView": 0})"),
            "mesh 0 primitive 0 POSITION sparse entries", "-1 entries"},
        Broken{
            "SparseIndexType", kPositions,
            sparse(
                R"("count": 1, "indices": {"bufferView": 0, "componentType": 5126}, "values": {"bufferView": 0})"),
            "mesh 0 primitive 0 POSITION sparse entries", "index component type 5126"},
        Broken{
            "SparseOffset", kPositions,
            sparse(
                R"("count": 1, "indices": {"bufferView": 0, "byteOffset": -4, "componentType": 5121}, "values": {"bufferView": 0})"),
            "mesh 0 primitive 0 POSITION sparse entries", "negative byte offset"},
        Broken{
            "SparseView", kPositions,
            sparse(
                R"("count": 1, "indices": {"bufferView": 77, "componentType": 5121}, "values": {"bufferView": 0})"),
            "mesh 0 primitive 0 POSITION sparse entries", "buffer view 77"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Scene, GltfErrors,
    testing::Values(
        Broken{"NoSkin", R"({"joints": [1, 2], "inverseBindMatrices": 6})", "", "", "has no skin"},
        Broken{"NoSkinnedMesh", R"({"mesh": 0, "skin": 0})", R"({"mesh": 0})", "",
               "no triangle mesh with a skin"},
        Broken{"NoSuchSkin", R"("skin": 0)", R"("skin": 1)", "node 0", "skin 1, but the file has 1"},
        Broken{"NoSuchMesh", R"("mesh": 0)", R"("mesh": 1)", "node 0", "mesh 1, but the file has 1"},
        Broken{"NoJoints", R"("joints": [1, 2])", R"("joints": [])", "skin 0", "has no joints"},
        Broken{"NoSuchJoint", R"("joints": [1, 2])", R"("joints": [1, 3])", "skin 0 joint 1",
               "node 3, but the file has 3"},
        Broken{"NegativeJoint", R"("joints": [1, 2])", R"("joints": [-1, 2])", "skin 0 joint 0", "node -1"},
        Broken{"NoSuchSkeleton", R"("joints": [1, 2])", R"("joints": [1, 2], "skeleton": 3)",
               "skin 0 skeleton", "node 3"},
        Broken{"NoSuchInverseBind", R"("inverseBindMatrices": 6)", R"("inverseBindMatrices": 60)",
               "skin 0 inverseBindMatrices", "accessor 60"},
        Broken{"InverseBindNotANumber", R"("inverseBindMatrices": 6)", R"("inverseBindMatrices": "six")",
               "JSON", "inverseBindMatrices"},
        Broken{"InverseBindType", R"("inverseBindMatrices": 6)", R"("inverseBindMatrices": 4)",
               "skin 0 inverseBindMatrices", "type that is not allowed"},
        Broken{"InverseBindCount", kMatrices,
               R"({"bufferView": 6, "componentType": 5126, "type": "MAT4", "count": 1})",
               "skin 0 inverseBindMatrices", "1 matrices for 2 joints"},
        Broken{"NoSuchChild", kNode1, R"({"name": "lower", "children": [3]})", "node 1 children", "node 3"},
        Broken{"TwoParents", kNode1, R"({"name": "lower", "children": [2, 2]})", "node 2",
               "is a child of node 1 and of node 1"},
        Broken{"OwnChild", kNode1, R"({"name": "lower", "children": [1]})", "node 1 (lower)", "cycle"},
        Broken{"Cycle", R"({"name": "upper",)", R"({"name": "upper", "children": [1],)", "node 1 (lower)",
               "cycle"},
        Broken{"ShortTranslation", R"("translation": [0, 1, 0])", R"("translation": [0, 1])", "node 2",
               "translation has 2 numbers, not 3"},
        Broken{"ShortMatrix", kNode1, R"({"children": [2], "matrix": [1, 0, 0]})", "node 1",
               "matrix has 3 numbers"},
        Broken{"ProjectiveMatrix", kNode1,
               R"({"children": [2], "matrix": [1,0,0,1, 0,1,0,0, 0,0,1,0, 0,0,0,1]})", "node 1", "last row"},
        Broken{"ZeroRotation", kNode1, R"({"name": "lower", "children": [2], "rotation": [0, 0, 0, 0]})",
               "node 1 (lower)", "rotation has length 0"},
        Broken{"TooLarge", R"("translation": [0, 1, 0])", R"("scale": [1e300, 1e300, 1e300])", "bone 1",
               "not finite"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Primitives, GltfErrors,
    testing::Values(
        Broken{"NoPosition", R"("POSITION": 0, )", "", "mesh 0 primitive 0", "has no POSITION"},
        Broken{"NoWeights", R"(, "WEIGHTS_0": 4)", "", "mesh 0 primitive 0",
               "1 sets of JOINTS and 0 of WEIGHTS"},
        Broken{"UnequalSets", R"("WEIGHTS_0": 4)", R"("WEIGHTS_0": 4, "WEIGHTS_1": 4)", "mesh 0 primitive 0",
               "1 sets of JOINTS and 2 of WEIGHTS"},
        Broken{"MissingSet", R"("JOINTS_0": 3)", R"("JOINTS_0": 3, "JOINTS_2": 3)", "mesh 0 primitive 0",
               "has no JOINTS_1"},
        Broken{"AttributeNotANumber", R"("POSITION": 0)", R"("POSITION": "x")", "JSON", "attributes"},
        Broken{"NoAttributes", R"("attributes": {)", R"("attribute": {)", "JSON", "attributes"},
        Broken{"UnknownMode", R"("indices": 5)", R"("indices": 5, "mode": 7)", "mesh 0 primitive 0",
               "unknown mode 7"},
        Broken{"NoSuchIndices", R"("indices": 5)", R"("indices": 50)", "JSON", "indices"},
        Broken{"IndicesType", R"("indices": 5)", R"("indices": 3)", "mesh 0 primitive 0 indices",
               "not allowed"},
        Broken{"CutTriangle", R"("type": "SCALAR", "count": 18)", R"("type": "SCALAR", "count": 17)",
               "mesh 0 primitive 0", "17 corners do not make whole triangles"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Animations, GltfErrors,
    testing::Values(Broken{"NoSuchNode", R"("target": {"node": 2,)", R"("target": {"node": 3,)",
                           "animation 0 (bend) channel 0", "node 3"},
                    Broken{"NoSuchSampler", R"("sampler": 0)", R"("sampler": 1)",
                           "animation 0 (bend) channel 0", "sampler 1"},
                    Broken{"NoSuchInput", R"("input": 7)", R"("input": 70)",
                           "animation 0 (bend) channel 0 input", "accessor 70"},
                    Broken{"OutputType", R"("output": 8)", R"("output": 7)",
                           "animation 0 (bend) channel 0 output", "not allowed"},
                    Broken{"KeysWithoutValues", kTimes,
                           R"({"bufferView": 7, "componentType": 5126, "type": "SCALAR", "count": 1})",
                           "animation 0 (bend) channel 0", "2 values, but its keys need 1"},
                    Broken{"SplineNeedsThreeValues", R"("output": 8)",
                           R"("output": 8, "interpolation": "CUBICSPLINE")", "animation 0 (bend) channel 0",
                           "its keys need 6"},
                    Broken{"UnknownInterpolation", R"("output": 8)",
                           R"("output": 8, "interpolation": "NURBS")", "animation 0 (bend) channel 0",
                           "unknown interpolation \"NURBS\""},
                    Broken{"MatrixNode", R"("translation": [0, 1, 0])",
                           R"("matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,1,0,1])",
                           "animation 0 (bend) channel 0", "given by a matrix"}),
    [](const auto& test) { return test.param.name; });

// Numbers inside the buffer: one accessor replaced by another with bad values.
struct BadNumbers {
  std::string name;
  std::string from;  // in the primitive, the skin or the animation; "#" there becomes the new accessor
  std::string to;
  std::string type;
  int component_type;
  std::vector<double> values;
  std::string element, reason;
};

void PrintTo(const BadNumbers& b, std::ostream* out) { *out << b.name; }

class GltfNumbers : public testing::TestWithParam<BadNumbers> {};

TEST_P(GltfNumbers, NameVertexOrKey) {
  const BadNumbers& bad = GetParam();
  File file = strip();
  const std::string accessor = file.add(bad.type, bad.component_type, bad.values);
  const std::string to = replaced(bad.to, "#", accessor);
  int found = 0;
  for (std::string* part : {&file.primitives[0], &file.skins[0], &file.animations[0]})
    if (const std::string text = replaced(*part, bad.from, to); !text.empty()) {
      *part = text;
      ++found;
    }
  ASSERT_EQ(found, 1);
  expect_error(file, bad.element, bad.reason);
}

std::vector<double> with(std::vector<double> values, std::size_t i, double value) {
  values[i] = value;
  return values;
}

const double kNan = std::numeric_limits<double>::quiet_NaN(),
             kInfinity = std::numeric_limits<double>::infinity();
const std::vector<double> kZeros24(24, 0.0), kZeros32(32, 0.0);

INSTANTIATE_TEST_SUITE_P(
    All, GltfNumbers,
    testing::Values(
        BadNumbers{"JointOutOfRange", R"("JOINTS_0": 3)", R"("JOINTS_0": #)", "VEC4", kU8,
                   with(kZeros32, 12, 2), "mesh 0 primitive 0 JOINTS_0 vertex 3",
                   "joint 2, but skin 0 has 2"},
        BadNumbers{"NanWeight", R"("WEIGHTS_0": 4)", R"("WEIGHTS_0": #)", "VEC4", kFloat,
                   with(kZeros32, 17, kNan), "mesh 0 primitive 0 WEIGHTS_0 vertex 4", "not finite"},
        BadNumbers{"InfinitePosition", R"("POSITION": 0)", R"("POSITION": #)", "VEC3", kFloat,
                   with(kZeros24, 5, kInfinity), "mesh 0 primitive 0 POSITION vertex 1", "not finite"},
        BadNumbers{"NanNormal", R"("NORMAL": 1)", R"("NORMAL": #)", "VEC3", kFloat, with(kZeros24, 23, kNan),
                   "mesh 0 primitive 0 NORMAL vertex 7", "not finite"},
        BadNumbers{"NanUv", R"("TEXCOORD_0": 2)", R"("TEXCOORD_0": #)", "VEC2", kFloat,
                   with(std::vector<double>(16, 0), 4, kNan), "mesh 0 primitive 0 TEXCOORD_0 vertex 2",
                   "not finite"},
        BadNumbers{"NanTangent", R"("NORMAL": 1)", R"("NORMAL": 1, "TANGENT": #)", "VEC4", kFloat,
                   with(kZeros32, 0, kNan), "mesh 0 primitive 0 TANGENT vertex 0", "not finite"},
        BadNumbers{"IndexOutOfRange",
                   R"("indices": 5)",
                   R"("indices": #)",
                   "SCALAR",
                   kU32,
                   {0, 1, 2, 2, 1, 8},
                   "mesh 0 primitive 0 indices element 5",
                   "vertex 8 of 8"},
        BadNumbers{"HugeIndex",
                   R"("indices": 5)",
                   R"("indices": #)",
                   "SCALAR",
                   kU32,
                   {0, 1, 4294967295.0},
                   "mesh 0 primitive 0 indices element 2",
                   "vertex 4294967295 of 8"},
        BadNumbers{"NanInverseBind", R"("inverseBindMatrices": 6)", R"("inverseBindMatrices": #)", "MAT4",
                   kFloat, with(kZeros32, 3, kNan), "skin 0 inverseBindMatrices joint 0", "not finite"},
        BadNumbers{"ProjectiveInverseBind", R"("inverseBindMatrices": 6)", R"("inverseBindMatrices": #)",
                   "MAT4", kFloat, with(with(kZeros32, 15, 1), 31, 2), "skin 0 inverseBindMatrices joint 1",
                   "last row"},
        BadNumbers{"NanTime",
                   R"("input": 7)",
                   R"("input": #)",
                   "SCALAR",
                   kFloat,
                   {0, kNan},
                   "animation 0 (bend) channel 0 key 1",
                   "time is not finite"},
        BadNumbers{"TimesDescend",
                   R"("input": 7)",
                   R"("input": #)",
                   "SCALAR",
                   kFloat,
                   {1, 0},
                   "animation 0 (bend) channel 0 key 1",
                   "do not ascend"},
        BadNumbers{"NanKey",
                   R"("output": 8)",
                   R"("output": #)",
                   "VEC4",
                   kFloat,
                   {0, 0, 0, 1, 0, kNan, 0, 1},
                   "animation 0 (bend) channel 0",
                   "value 5 is not finite"}),
    [](const auto& test) { return test.param.name; });

TEST(GltfFile, SparseIndexOneTooLargeIsNamed) {
  File file = strip();
  const std::string index = file.add("SCALAR", kU8, {0, 8});
  file.accessors[0] = sparse(R"("count": 2, "indices": {"bufferView": )" + index +
                             R"(, "componentType": 5121}, "values": {"bufferView": 0})");
  expect_error(file, "mesh 0 primitive 0 POSITION sparse entries entry 1", "index 8 of 8");
}

TEST(GltfFile, MissingEmptyAndForeignFilesAreNamed) {
  const Folder folder("gltf_files");
  expect_error(folder.write("x", "").parent_path() / "missing.gltf", "", "no such file");
  expect_error(folder.write("x", "").parent_path(), "", "is a folder");
  expect_error(folder.write("empty.glb", ""), "", "is empty");
  expect_error(folder.write("blank.gltf", " \n\t "), "", "is empty");
  expect_error(folder.write("picture.gltf", "\x89PNG\r\n\x1a\n"), "", "is not glTF");
  expect_error(folder.write("text.gltf", "solid cube"), "", "is not glTF");
  expect_error(folder.write("list.gltf", "[1, 2]"), "", "is not glTF");
  expect_error(folder.write("object.gltf", R"({"nodes": []})"), "JSON", "asset");
  expect_error(folder.write("no_skin.gltf", R"({"asset": {"version": "2.0"}})"), "", "has no skin");
}

TEST(GltfFile, SmallFilesCannotAskForMuchMemory) {
  // Each accessor alone is within what a file of this size may hold, all together are not.
  File file = strip();
  const auto zeros = [](int component_type, const std::string& type) {
    return R"({"componentType": )" + std::to_string(component_type) + R"(, "type": ")" + type +
           R"(", "count": 200000})";
  };
  file.accessors[0] = zeros(kFloat, "VEC3");
  file.accessors[3] = zeros(kU8, "VEC4");
  file.accessors[4] = zeros(kFloat, "VEC4");
  expect_error(file, "mesh 0 primitive 0 JOINTS_0", "more than a file of this size can hold");
}

TEST(GltfFile, TextTruncatedAnywhereIsAnError) {
  const Folder folder("gltf_truncated");
  const std::string text = strip().gltf();
  for (std::size_t length = 1; length + 2 < text.size(); length += 37)
    EXPECT_THROW(read_gltf(folder.write("cut.gltf", text.substr(0, length))), InputError) << length;
}

TEST(GltfFile, BinaryTruncatedAnywhereIsAnError) {
  const Folder folder("glb_truncated");
  const std::string bytes = strip().glb();
  for (std::size_t length = 0; length < bytes.size(); length += 17)
    EXPECT_THROW(read_gltf(folder.write("cut.glb", bytes.substr(0, length))), InputError) << length;
  expect_error(folder.write("cut.glb", bytes.substr(0, bytes.size() - 4)), "header", "truncated");
  expect_error(folder.write("cut.glb", bytes.substr(0, 8)), "header", "truncated");
}

TEST(GltfFile, BinaryHeadersThatLieAreErrors) {
  const Folder folder("glb_headers");
  const std::string good = strip().glb();
  const auto patched = [&](std::size_t offset, double value) {
    std::string word;
    append_number(word, kU32, value);
    return folder.write("patched.glb", std::string(good).replace(offset, 4, word));
  };
  const std::size_t bin = 20 + strip().json("").size() / 4 * 4 + (strip().json("").size() % 4 != 0 ? 4 : 0);
  ASSERT_EQ(good.substr(bin + 4, 3), "BIN");
  const double data = static_cast<double>(good.size() - bin - 8);
  expect_error(patched(4, 1), "header", "container version 1");
  expect_error(patched(8, 4294967295.0), "header", "truncated");
  expect_error(patched(12, 4294967295.0), "JSON chunk", "truncated");
  expect_error(patched(16, 0), "JSON chunk", "another type");
  expect_error(patched(bin, data + 8), "BIN chunk", "truncated");
  expect_error(patched(bin + 4, 0), "BIN chunk", "another type");
  EXPECT_NO_THROW(read_gltf(folder.write("longer.glb", good + "trailing")));
}

TEST(GltfFile, ExternalFilesAreLookedForBesideTheModelOnly) {
  const Folder folder("gltf_beside"), other("gltf_elsewhere");
  const std::filesystem::path buffer = other.write("strip.bin", strip().buffer);
  expect_error(folder.write("a.gltf", strip().json(R"("uri": "strip.bin", )")), "JSON",
               "File not found : strip.bin");
  expect_error(folder.write("b.gltf", strip().json(R"("uri": ")" + buffer.string() + R"(", )")), "JSON",
               "File not found");
  folder.write("strip.bin", strip().buffer.substr(4));
  expect_error(folder.write("a.gltf", strip().json(R"("uri": "strip.bin", )")), "JSON", "size mismatch");
}

TEST(GltfFile, AnUnknownMaterialOrMissingTextureDoesNotMatter) {
  const Folder folder("gltf_textures");
  File file = strip();
  file.extra =
      R"("extensionsRequired": ["KHR_materials_unlit", "KHR_texture_transform"],)"
      R"("images": [{"uri": "missing.png"}, {"uri": "data:image/png;base64,AAAA"}, {"uri": "data:image/webp;base64,AAAA"}],)"
      R"("materials": [{"name": "m"}],)";
  EXPECT_TRUE(read_gltf(folder.write("a.gltf", file.gltf())).warnings.empty());
}

}  // namespace
}  // namespace skinlight
