// Every group of functions from C99, its answers against the C++ interface called with the same rig; and what calls
// do that the header does not allow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>
#include <vector>

#include "c_rig.h"
#include "skinlight/asset/model_file.h"
#include "skinlight/audit/health.h"
#include "skinlight/bake/bake.h"
#include "skinlight/character/clip_error.h"
#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/skinning/way.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using testing::HasSubstr;

std::vector<Vec3d> skin_of(const Character& character, const Pose& pose, const SkinOptions& options) {
  return skin<double>(character.mesh(), character.data(options.method, options.mode), pose, options).n;
}

class Files : public testing::Test {
 protected:
  gltf_test::Folder folder_{"c_groups"};
  std::filesystem::path write(const gltf_test::File& file) {
    return folder_.write("strip.gltf", file.gltf());
  }
};

TEST(CGroups, PreparesFromArrays) {
  std::size_t slots = 0;
  std::array<float, 3 * C_VERTICES> alpha{};
  std::array<double, 3 * C_VERTICES> centres{};
  ASSERT_EQ(prepare_from_c(&slots, alpha.data(), centres.data()), SKINLIGHT_OK) << skinlight_error_text();
  EXPECT_EQ(slots, 3u);
  const RiggedMesh mesh = strip();
  const Surface surface(mesh.faces, weld(mesh));
  const NormalRecord factors = deform_factors(mesh, surface, {.max_slots = 3});
  for (std::size_t i = 0; i < alpha.size(); ++i) EXPECT_EQ(alpha[i], static_cast<float>(factors.alpha[i]));
  const RotationCentres expected = rotation_centres(mesh, surface);
  for (std::size_t i = 0; i < centres.size(); ++i)
    EXPECT_EQ(centres[i], expected.centre[i / 3][static_cast<int>(i % 3)]);
}

TEST(CGroups, SkinsAndMeasuresAgainstTheTruth) {
  std::array<float, 3 * C_VERTICES> normals{};
  double mean = -1;
  ASSERT_EQ(skin_from_c(normals.data(), &mean), SKINLIGHT_OK) << skinlight_error_text();
  const Character character(strip(), {.max_slots = 3});
  const Pose pose = folded();
  const SkinOptions options{.mode = NormalMode::deform_vectors};
  const auto posed = skin<float>(character.mesh(), character.data(Method::lbs, options.mode), pose, options);
  std::vector<Vec3d> n;
  for (const Vec3f& single : posed.n) n.emplace_back(single);
  for (std::size_t i = 0; i < normals.size(); ++i)
    EXPECT_EQ(normals[i], posed.n[i / 3][static_cast<int>(i % 3)]);
  const PosedTruth truth = posed_truth(character, pose);
  EXPECT_EQ(mean, angular_error(n, truth.transported, truth.areas, "").mean);
  EXPECT_LT(mean, 1e-3);  // deform vectors are exact here
}

TEST_F(Files, AreReadPosedAndMeasured) {
  const auto path = write(gltf_test::strip());
  const Character character(read_model(path));
  ASSERT_FALSE(character.model().clips.empty());
  const Clip& clip = character.model().clips[0];
  char name[64] = "";
  std::vector<double> pose(12 * static_cast<std::size_t>(character.mesh().bone_count), -1);
  double mean = -1;
  ASSERT_EQ(clip_from_c(path.c_str(), name, sizeof name, pose.data(), &mean), SKINLIGHT_OK)
      << skinlight_error_text();
  EXPECT_EQ(name, clip.name);
  const Pose expected = pose_at(character.model().skeleton, clip, clip.duration);
  for (std::size_t i = 0; i < pose.size(); ++i)
    EXPECT_EQ(pose[i], expected.M[i / 12][static_cast<int>(i % 4)][static_cast<int>(i % 12 / 4)]);
  const SkinOptions standard{.mode = NormalMode::standard};
  EXPECT_EQ(mean, clip_error(character, clip, 3, {&standard, 1}).of(0, Truth::transported).error.mean);
}

TEST_F(Files, HaveBonesWithNamesAndParents) {
  const auto path = write(gltf_test::strip());
  const Skeleton& skeleton = read_model(path).skeleton;
  std::int32_t parent = -7;
  char name[64] = "";
  ASSERT_EQ(bones_from_c(path.c_str(), &parent, name, sizeof name), SKINLIGHT_OK) << skinlight_error_text();
  const Node& last = skeleton.nodes[static_cast<std::size_t>(skeleton.bone_node.back())];
  EXPECT_EQ(name, last.name);
  ASSERT_GE(parent, 0);
  EXPECT_EQ(skeleton.bone_node[static_cast<std::size_t>(parent)], last.parent);
}

TEST_F(Files, AreChecked) {
  const auto path = write(gltf_test::strip());
  std::size_t findings = 0;
  char first[64] = "";
  ASSERT_EQ(check_from_c(path.c_str(), &findings, first, sizeof first), SKINLIGHT_OK)
      << skinlight_error_text();
  RawAttributes raw;
  const Character character(read_model(path, {.max_influences = kAllInfluences, .raw = &raw}));
  const Health health = check_health(character, raw);
  EXPECT_EQ(findings, health.findings.size());
  EXPECT_EQ(first, std::string(health.findings.at(0).kind->id));
}

TEST_F(Files, AreBaked) {
  const auto path = write(gltf_test::strip()), ours = path.parent_path() / "ours.glb",
             theirs = path.parent_path() / "theirs.glb";
  std::size_t bytes = 0;
  const auto bake = [&](std::int32_t record, std::int32_t method) {
    return bake_from_c(path.c_str(), theirs.c_str(), record, method, &bytes);
  };
  ASSERT_EQ(bake(SKINLIGHT_BAKE_FACTORS, 0), SKINLIGHT_OK) << skinlight_error_text();
  bake_gltf(path, ours, {.format = NumberFormat::snorm16});
  EXPECT_EQ(read_file(theirs), read_file(ours));
  EXPECT_EQ(bytes, 16u);
  // Frames of dual quaternions where no method is named; 16 bits are 20 numbers, 12 of vectors, 8 of weights, and two scales.
  std::vector<std::string> baked;
  for (const auto& [constant, method] :
       {std::pair{0, Method::dqs}, {SKINLIGHT_SBS, Method::sbs}, {SKINLIGHT_LOG, Method::log}}) {
    ASSERT_EQ(bake(SKINLIGHT_BAKE_FRAMES, constant), SKINLIGHT_OK) << skinlight_error_text();
    bake_gltf(path, ours, {.frames = method, .format = NumberFormat::snorm16});
    EXPECT_EQ(read_file(theirs), read_file(ours));
    EXPECT_EQ(bytes, 56u);
    baked.push_back(read_file(theirs));
  }
  EXPECT_TRUE(baked[0] != baked[1] && baked[0] != baked[2]);
  EXPECT_EQ(bake(SKINLIGHT_BAKE_FRAMES, SKINLIGHT_CRS), SKINLIGHT_BAD_INPUT);
  EXPECT_THAT(skinlight_error_text(), HasSubstr("centre of rotation for each frame"));
  EXPECT_EQ(bake(SKINLIGHT_BAKE_FRAMES, SKINLIGHT_DIB), SKINLIGHT_BAD_INPUT);
  EXPECT_THAT(skinlight_error_text(), HasSubstr("has no normal mode 'deform-frames'"));
  EXPECT_EQ(bake(SKINLIGHT_BAKE_VECTORS, SKINLIGHT_DQS), SKINLIGHT_BAD_INPUT);
  EXPECT_STREQ(skinlight_error_element(), "method");
  EXPECT_EQ(bake(4, 0), SKINLIGHT_BAD_INPUT);
  EXPECT_STREQ(skinlight_error_element(), "record");
  EXPECT_EQ(bake_from_c("no/such.glb", theirs.c_str(), 0, 0, &bytes), SKINLIGHT_BAD_INPUT);
  EXPECT_STREQ(skinlight_error_file(), "no/such.glb");
}

// Constants of the header, in the order of the C++ enums' meaning, told twice.
TEST_F(Rig, EveryMethodModeAndGuardIsTheOneOfItsName) {
  constexpr std::array kMethods = {Method::lbs, Method::dqs, Method::crs,
                                   Method::sbs, Method::log, Method::dib};
  const std::vector<std::pair<std::int32_t, NormalMode>> modes = {
      {SKINLIGHT_STANDARD, NormalMode::standard},
      {SKINLIGHT_INVERSE_TRANSPOSE, NormalMode::inverse_transpose},
      {SKINLIGHT_COFACTORS, NormalMode::cofactors},
      {SKINLIGHT_TANGENT_PAIR, NormalMode::tangent_pair},
      {SKINLIGHT_DEFORM_NAIVE, NormalMode::deform_naive},
      {SKINLIGHT_DEFORM, NormalMode::deform},
      {SKINLIGHT_EXACT, NormalMode::exact},
      {SKINLIGHT_SMOOTHED, NormalMode::smoothed},
      {SKINLIGHT_EXACT_FIXED_CENTRE, NormalMode::exact_fixed_centre},
      {SKINLIGHT_DEFORM_VECTORS, NormalMode::deform_vectors},
      {SKINLIGHT_DEFORM_EQ13, NormalMode::deform_eq13},
      {SKINLIGHT_DEFORM_FRAMES, NormalMode::deform_frames}};
  const Character character(mesh_);
  const Pose pose = folded();
  int compared = 0;
  for (std::int32_t m = SKINLIGHT_LBS; m <= SKINLIGHT_DIB; ++m)
    for (const auto& [constant, mode] : modes)
      for (const auto& [g, guard] : {std::pair{SKINLIGHT_NO_GUARD, Guard::none},
                                     {SKINLIGHT_CLAMP, Guard::clamp},
                                     {SKINLIGHT_JOINT, Guard::joint},
                                     {SKINLIGHT_TEST_THEN_FIX, Guard::test_then_fix}}) {
        const Method method = kMethods[static_cast<std::size_t>(m)];
        const auto modes_of = row(method).modes;
        const bool has = std::find(modes_of.begin(), modes_of.end(), mode) != modes_of.end();
        skinlight_skin_options options = {};
        options.method = m;
        options.mode = constant;
        options.guard = g;
        const bool takes = has && (guard == Guard::none || kernel_row(method, mode).guards);
        ASSERT_EQ(skin(options), takes ? SKINLIGHT_OK : SKINLIGHT_BAD_INPUT) << skinlight_error_text();
        if (!takes) continue;
        const auto expected =
            skin_of(character, pose, {.method = method, .mode = mode, .guard = row(guard).usual});
        for (std::size_t v = 0; v < C_VERTICES; ++v)
          for (int c = 0; c < 3; ++c)
            ASSERT_EQ(normals_[3 * v + static_cast<std::size_t>(c)], expected[v][c]);
        ++compared;
      }
  EXPECT_GT(compared, 70);
}

// Which normals know the rest shape only is what their kernels read: gradients, vectors, frames.
TEST_F(Rig, TellsWhichNormalsDoNotFollowMorphTargets) {
  const auto warned = [&](const skinlight_rig* rig) {
    std::string names;
    for (std::int32_t method = SKINLIGHT_LBS; method <= SKINLIGHT_DIB; ++method)
      for (std::int32_t mode = SKINLIGHT_STANDARD; mode <= SKINLIGHT_DEFORM_FRAMES; ++mode) {
        skinlight_skin_options way = {};
        way.struct_size = sizeof way;
        way.method = method;
        way.mode = mode;
        skinlight_warning warning = {};
        warning.struct_size = sizeof warning;
        if (skinlight_way_warning(rig, &way, &warning) != SKINLIGHT_OK) continue;
        EXPECT_EQ(warning.reason != nullptr, warning.count == 1);
        if (warning.count == 0) continue;
        EXPECT_THAT(warning.reason, HasSubstr("read the rest shape's faces only"));
        names += std::string(skinlight_name(SKINLIGHT_METHODS, method)) + " " + warning.element + "; ";
      }
    return names;
  };
  EXPECT_EQ(warned(rig_), "");
  const std::vector<double> lift(positions_.size(), 1);
  arrays_.morph_count = 1;
  arrays_.morphs = skinlight_doubles(lift.data());
  skinlight_rig* rig = nullptr;
  ASSERT_EQ(skinlight_rig_create(&arrays_, nullptr, &rig), SKINLIGHT_OK) << skinlight_error_text();
  EXPECT_EQ(warned(rig),
            "lbs normals 'inverse-transpose'; lbs normals 'cofactors'; lbs normals 'tangent-pair'; "
            "lbs normals 'deform-vectors'; dqs normals 'deform-frames'; crs normals 'deform-frames'; "
            "sbs normals 'deform-frames'; log normals 'deform-frames'; ");
  skinlight_rig_free(rig);
}

// The usual ways of the library over its usual number of frames, against both truths at once.
TEST_F(Files, AreComparedInTheUsualWaysAgainstBothTruths) {
  const auto path = write(gltf_test::strip());
  const Character character(read_model(path));
  skinlight_rig* rig = nullptr;
  ASSERT_EQ(skinlight_rig_read(path.c_str(), nullptr, &rig), SKINLIGHT_OK) << skinlight_error_text();
  for (std::int32_t method = SKINLIGHT_LBS; method <= SKINLIGHT_DIB; ++method) {
    const std::vector<SkinOptions> usual = usual_ways(static_cast<Method>(method));
    ASSERT_EQ(skinlight_usual_way_count(method), usual.size());
    std::vector<skinlight_skin_options> ways(usual.size());
    for (std::size_t w = 0; w < ways.size(); ++w) {
      ways[w].struct_size = sizeof ways[w];
      ASSERT_EQ(skinlight_usual_way(method, w, &ways[w]), SKINLIGHT_OK);
      std::string name = skinlight_name(SKINLIGHT_MODES, ways[w].mode);
      if (ways[w].guard != SKINLIGHT_NO_GUARD)
        name += std::string("+") + skinlight_name(SKINLIGHT_GUARDS, ways[w].guard);
      EXPECT_EQ(name, way_name(usual[w]));
    }
    EXPECT_EQ(skinlight_usual_way(method, ways.size(), &ways[0]), SKINLIGHT_BAD_CALL);
    std::vector<skinlight_errors> errors(2 * ways.size());
    errors[0].struct_size = sizeof errors[0];
    std::vector<double> max_seconds(errors.size()), means(errors.size() * SKINLIGHT_USUAL_FRAMES);
    skinlight_comparison comparison = {};
    comparison.struct_size = sizeof comparison;
    comparison.way_count = ways.size();
    comparison.ways = ways.data();
    comparison.truth = SKINLIGHT_BOTH_TRUTHS;
    comparison.errors = errors.data();
    comparison.means = skinlight_double_output(means.data());
    comparison.max_seconds = skinlight_double_output(max_seconds.data());
    ASSERT_EQ(skinlight_compare(rig, &comparison), SKINLIGHT_OK) << skinlight_error_text();
    const ClipError expected = clip_error(character, character.model().clips[0], kUsualFrames, usual);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const ClipModeError& of = expected.of(i / 2, i % 2 == 0 ? Truth::transported : Truth::recomputed);
      EXPECT_EQ(errors[i].mean, of.error.mean);
      EXPECT_EQ(max_seconds[i], expected.times[static_cast<std::size_t>(of.max_frame)]);
      for (std::size_t f = 0; f < of.frames.size(); ++f)
        EXPECT_EQ(means[i * SKINLIGHT_USUAL_FRAMES + f], of.frames[f].mean);
    }
  }
  EXPECT_EQ(skinlight_usual_way_count(-1), 0u);
  EXPECT_EQ(skinlight_usual_way_count(6), 0u);
  skinlight_rig_free(rig);
}

TEST(CInterfaceNames, AreThoseOfTheProgram) {
  EXPECT_STREQ(skinlight_name(SKINLIGHT_METHODS, SKINLIGHT_LOG), "log");
  EXPECT_STREQ(skinlight_name(SKINLIGHT_METHODS, SKINLIGHT_DIB), "dib");
  EXPECT_STREQ(skinlight_name(SKINLIGHT_MODES, SKINLIGHT_USUAL_MODE), "usual");
  EXPECT_STREQ(skinlight_name(SKINLIGHT_MODES, SKINLIGHT_DEFORM_VECTORS), "deform-vectors");
  EXPECT_STREQ(skinlight_name(SKINLIGHT_GUARDS, SKINLIGHT_TEST_THEN_FIX), "test-then-fix");
  EXPECT_STREQ(skinlight_name(SKINLIGHT_AVERAGINGS, SKINLIGHT_COTANGENT), "cotangent");
  EXPECT_STREQ(skinlight_name(SKINLIGHT_BAKED_RECORDS, SKINLIGHT_BAKE_FACTORS), "deform");
  EXPECT_STREQ(skinlight_name(SKINLIGHT_BAKED_RECORDS, SKINLIGHT_BAKE_FRAMES), "deform-frames");
  EXPECT_STREQ(skinlight_name(SKINLIGHT_LAYOUTS, SKINLIGHT_TEXCOORDS), "texcoord");
  EXPECT_STREQ(skinlight_name(SKINLIGHT_FORMATS, SKINLIGHT_FORMAT_SNORM8), "snorm8");
  EXPECT_STREQ(skinlight_name(SKINLIGHT_MISSING_NORMALS, SKINLIGHT_USUAL_MISSING_NORMALS), "usual");
  EXPECT_STREQ(skinlight_name(SKINLIGHT_MISSING_NORMALS, SKINLIGHT_SMOOTH_MISSING_NORMALS), "smooth");
  for (std::int32_t of = SKINLIGHT_METHODS; of <= SKINLIGHT_MISSING_NORMALS; ++of) {
    EXPECT_EQ(skinlight_name(of, -1), nullptr);
    EXPECT_EQ(skinlight_name(of, 13), nullptr);
  }
  EXPECT_EQ(skinlight_name(8, 0), nullptr);
  skinlight_rig_options options = {};
  options.struct_size = sizeof options;
  options.missing_normals = 3;
  skinlight_rig* rig = nullptr;
  EXPECT_EQ(skinlight_rig_read("none.glb", &options, &rig), SKINLIGHT_BAD_INPUT);
  EXPECT_STREQ(skinlight_error_element(), "missing_normals");
}

TEST_F(Rig, StridesAndTypesOfArraysAreRead) {
  struct Vertex {
    float p[3];
    std::uint8_t bones[2];
    float weights[2];
  };
  std::vector<Vertex> vertices(C_VERTICES);
  for (std::size_t v = 0; v < C_VERTICES; ++v)
    vertices[v] = {
        {static_cast<float>(positions_[3 * v]), static_cast<float>(positions_[3 * v + 1]), 0},
        {static_cast<std::uint8_t>(mesh_.bone[2 * v]), static_cast<std::uint8_t>(mesh_.bone[2 * v + 1])},
        {static_cast<float>(mesh_.weight[2 * v]), static_cast<float>(mesh_.weight[2 * v + 1])}};
  arrays_.positions = {vertices[0].p, sizeof(Vertex), SKINLIGHT_F32};
  arrays_.bones = {vertices[0].bones, sizeof(Vertex), SKINLIGHT_U8};
  arrays_.weights = {vertices[0].weights, sizeof(Vertex), SKINLIGHT_F32};
  ASSERT_EQ(skin(), SKINLIGHT_OK);
  const std::vector<double> tight = normals_;
  skinlight_rig_free(rig_);
  ASSERT_EQ(skinlight_rig_create(&arrays_, nullptr, &rig_), SKINLIGHT_OK) << skinlight_error_text();
  struct Posed {
    double n[3], untouched;
  };
  std::vector<Posed> posed(C_VERTICES, Posed{{}, 7});
  out_.normals = {posed[0].n, sizeof(Posed), SKINLIGHT_F64};
  ASSERT_EQ(skin(), SKINLIGHT_OK) << skinlight_error_text();
  for (std::size_t v = 0; v < C_VERTICES; ++v) {
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(posed[v].n[c], tight[3 * v + c]);
    EXPECT_EQ(posed[v].untouched, 7);
  }
}

TEST_F(Rig, EveryArrayComesOut) {
  skinlight_rig_info info = {};
  info.struct_size = sizeof info;
  ASSERT_EQ(skinlight_rig_get_info(rig_, &info), SKINLIGHT_OK);
  EXPECT_EQ(info.vertex_count, static_cast<std::size_t>(C_VERTICES));
  EXPECT_EQ(info.face_count, 4u);
  EXPECT_EQ(info.bone_count, 2u);
  EXPECT_EQ(info.influences, 2u);
  EXPECT_EQ(info.welded_count, static_cast<std::size_t>(C_VERTICES));
  EXPECT_EQ(info.clip_count + info.morph_count + info.warning_count, 0u);
  std::vector<double> p(3 * C_VERTICES), n(3 * C_VERTICES), t(4 * C_VERTICES), w(2 * C_VERTICES);
  std::vector<std::int32_t> bones(2 * C_VERTICES), faces(12);
  const auto get = [&](std::int32_t what, skinlight_output output) {
    return skinlight_rig_get(rig_, what, output);
  };
  EXPECT_EQ(get(SKINLIGHT_POSITIONS, skinlight_double_output(p.data())), SKINLIGHT_OK);
  EXPECT_EQ(get(SKINLIGHT_NORMALS, skinlight_double_output(n.data())), SKINLIGHT_OK);
  EXPECT_EQ(get(SKINLIGHT_TANGENTS, skinlight_double_output(t.data())), SKINLIGHT_OK);
  EXPECT_EQ(get(SKINLIGHT_WEIGHTS, skinlight_double_output(w.data())), SKINLIGHT_OK);
  EXPECT_EQ(get(SKINLIGHT_BONES, skinlight_index_output(bones.data())), SKINLIGHT_OK);
  EXPECT_EQ(get(SKINLIGHT_FACES, skinlight_index_output(faces.data())), SKINLIGHT_OK);
  EXPECT_EQ(p, positions_);
  EXPECT_EQ(w, mesh_.weight);
  EXPECT_EQ(bones, mesh_.bone);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(faces[i], mesh_.faces[i / 3][i % 3]);
  for (std::size_t v = 0; v < C_VERTICES; ++v) {
    EXPECT_EQ(n[3 * v + 2], 1);
    EXPECT_EQ(t[4 * v + 3], -mesh_.handedness[v]) << "glTF's w: against rising v";
    EXPECT_EQ(Vec3d(t[4 * v], t[4 * v + 1], t[4 * v + 2]), mesh_.t0[v]);
  }
  EXPECT_EQ(get(SKINLIGHT_UV, skinlight_double_output(p.data())), SKINLIGHT_BAD_CALL);
  EXPECT_EQ(get(SKINLIGHT_BONES, skinlight_double_output(p.data())), SKINLIGHT_BAD_CALL);
  EXPECT_EQ(get(SKINLIGHT_POSITIONS, skinlight_index_output(faces.data())), SKINLIGHT_BAD_CALL);
  EXPECT_EQ(get(99, skinlight_double_output(p.data())), SKINLIGHT_BAD_CALL);
}

TEST_F(Rig, EveryColumnComesOut) {
  const Character character(mesh_);
  for (const std::int32_t record : {SKINLIGHT_FACTORS, SKINLIGHT_VECTORS}) {
    const NormalRecord& expected = record == SKINLIGHT_FACTORS ? character.factors() : character.vectors();
    skinlight_record_info info = {};
    info.struct_size = sizeof info;
    ASSERT_EQ(skinlight_record_get_info(rig_, record, &info), SKINLIGHT_OK);
    EXPECT_EQ(info.slots, static_cast<std::size_t>(expected.slots));
    EXPECT_EQ(info.overflow_vertices, static_cast<std::size_t>(expected.overflow.vertices));
    const std::size_t count = C_VERTICES * info.slots;
    std::vector<std::int32_t> bones(count);
    ASSERT_EQ(skinlight_record_get(rig_, record, SKINLIGHT_SLOT_BONES, skinlight_index_output(bones.data())),
              SKINLIGHT_OK);
    EXPECT_EQ(bones, expected.bone);
    std::vector<double> numbers(3 * count);
    const auto get = [&](std::int32_t column) {
      return skinlight_record_get(rig_, record, column, skinlight_double_output(numbers.data()));
    };
    ASSERT_EQ(get(SKINLIGHT_SLOT_WEIGHTS), SKINLIGHT_OK);
    EXPECT_TRUE(std::equal(expected.weight.begin(), expected.weight.end(), numbers.begin()));
    for (std::int32_t column = SKINLIGHT_ALPHA; column <= SKINLIGHT_ALONG_B; ++column) {
      const auto quantity = static_cast<Quantity>(column - SKINLIGHT_ALPHA);
      visit_column(expected, quantity, [&](const auto& entries) {
        ASSERT_EQ(get(column), entries.empty() ? SKINLIGHT_BAD_CALL : SKINLIGHT_OK) << column;
        const int components = row(quantity).components();
        const double side = column == SKINLIGHT_BETA || column == SKINLIGHT_ALONG_B ? -1 : 1;
        for (std::size_t i = 0; i < entries.size(); ++i)
          for (int c = 0; c < components; ++c)
            EXPECT_EQ(numbers[i * static_cast<std::size_t>(components) + static_cast<std::size_t>(c)],
                      side * component(entries[i], c));
      });
    }
  }
}

// Against the frames of the library; what runs along b has the file's side.
TEST_F(Rig, EveryColumnOfDeformFramesComesOut) {
  const Character character(mesh_);
  for (const auto& [constant, method] : {std::pair{SKINLIGHT_DQS_FRAMES, Method::dqs},
                                         {SKINLIGHT_CRS_FRAMES, Method::crs},
                                         {SKINLIGHT_SBS_FRAMES, Method::sbs},
                                         {SKINLIGHT_LOG_FRAMES, Method::log}}) {
    SCOPED_TRACE(row(method).name);
    const FrameRecord& expected = character.frames(method);
    skinlight_record_info info = {};
    info.struct_size = sizeof info;
    ASSERT_EQ(skinlight_record_get_info(rig_, constant, &info), SKINLIGHT_OK);
    EXPECT_EQ(info.slots, 5u);
    ASSERT_EQ(expected.frames, 2);
    // Returns V by `width` numbers.
    const auto got = [&](std::int32_t column, std::size_t width) {
      std::vector<double> numbers(C_VERTICES * width, -7);
      EXPECT_EQ(skinlight_record_get(rig_, constant, column, skinlight_double_output(numbers.data())),
                SKINLIGHT_OK)
          << skinlight_error_text();
      return numbers;
    };
    const auto flat = [](const std::vector<Vec3d>& vectors, double side) {
      std::vector<double> numbers;
      for (const Vec3d& v : vectors)
        for (int c = 0; c < 3; ++c) numbers.push_back(side * v[c]);
      return numbers;
    };
    std::vector<double> beta = expected.frame_beta;
    for (double& b : beta) b = -b;
    EXPECT_EQ(got(SKINLIGHT_SLOT_WEIGHTS, 5), expected.weight);
    EXPECT_EQ(got(SKINLIGHT_FRAME_OFFSET, 10), expected.frame_offset);
    EXPECT_EQ(got(SKINLIGHT_FRAME_T, 6), flat(expected.frame_t, 1));
    EXPECT_EQ(got(SKINLIGHT_FRAME_B, 6), flat(expected.frame_b, -1));
    EXPECT_EQ(got(SKINLIGHT_FRAME_ALPHA, 2), expected.frame_alpha);
    EXPECT_EQ(got(SKINLIGHT_FRAME_BETA, 2), beta);
    std::vector<double> none(6 * C_VERTICES);
    const auto refused = [&](std::int32_t record, std::int32_t column) {
      return skinlight_record_get(rig_, record, column, skinlight_double_output(none.data())) ==
             SKINLIGHT_BAD_CALL;
    };
    if (method == Method::crs)
      EXPECT_EQ(got(SKINLIGHT_FRAME_CENTRE, 6), flat(expected.frame_centre, 1));
    else
      EXPECT_TRUE(refused(constant, SKINLIGHT_FRAME_CENTRE));
    EXPECT_TRUE(refused(constant, SKINLIGHT_ALPHA));
    EXPECT_TRUE(std::any_of(beta.begin(), beta.end(), [](double b) { return b != 0; }));
  }
  std::vector<double> none(10 * C_VERTICES);
  for (const std::int32_t record : {-1, 6, std::numeric_limits<std::int32_t>::min()})
    EXPECT_EQ(
        skinlight_record_get(rig_, record, SKINLIGHT_FRAME_OFFSET, skinlight_double_output(none.data())),
        SKINLIGHT_BAD_CALL);
  EXPECT_NE(skinlight_record_get(rig_, SKINLIGHT_VECTORS, SKINLIGHT_FRAME_OFFSET,
                                 skinlight_double_output(none.data())),
            SKINLIGHT_OK);
}

TEST_F(Rig, BrokenCallsAreToldAndWriteNothing) {
  const std::vector<double> before(normals_.size(), -7);
  normals_ = before;
  out_.normals = skinlight_double_output(normals_.data());
  const auto refused = [&](skinlight_status got, skinlight_status status, const char* what) {
    EXPECT_EQ(got, status) << what;
    EXPECT_THAT(skinlight_error_text(), HasSubstr(what));
    EXPECT_EQ(normals_, before) << what;
  };
  skinlight_rig* rig = rig_;
  refused(skinlight_rig_create(nullptr, nullptr, &rig), SKINLIGHT_BAD_CALL, "arrays is NULL");
  EXPECT_EQ(rig, nullptr);
  refused(skinlight_rig_create(&arrays_, nullptr, nullptr), SKINLIGHT_BAD_CALL, "rig is NULL");
  refused(skinlight_rig_read(nullptr, nullptr, &rig), SKINLIGHT_BAD_CALL, "path is NULL");
  refused(skinlight_skin(nullptr, skinlight_doubles(pose_.data()), nullptr, &out_), SKINLIGHT_BAD_CALL,
          "rig");
  refused(skinlight_skin(rig_, {}, nullptr, &out_), SKINLIGHT_BAD_INPUT, "pose: is NULL");
  EXPECT_STREQ(skinlight_error_element(), "pose");
  const auto options_with = [](std::int32_t method, std::int32_t mode, double clamp = 1) {
    skinlight_skin_options options = {};
    options.method = method;
    options.mode = mode;
    options.guard = SKINLIGHT_CLAMP;
    options.own_guard = 1;
    options.guard_c = clamp;
    return options;
  };
  refused(skin(options_with(9, SKINLIGHT_STANDARD)), SKINLIGHT_BAD_INPUT, "method");
  refused(skin(options_with(SKINLIGHT_SBS, SKINLIGHT_DEFORM)), SKINLIGHT_BAD_INPUT, "mode");
  refused(skin(options_with(SKINLIGHT_LBS, SKINLIGHT_DEFORM, NAN)), SKINLIGHT_BAD_INPUT, "guard");
  refused(skin(options_with(SKINLIGHT_LBS, SKINLIGHT_STANDARD)), SKINLIGHT_BAD_INPUT,
          "guard 'clamp': guards do not act on mode 'standard' of method 'lbs'");
  refused(skin(options_with(SKINLIGHT_DQS, SKINLIGHT_DEFORM_FRAMES)), SKINLIGHT_BAD_INPUT,
          "guards do not act on mode 'deform-frames' of method 'dqs': its normals turn over");
  skinlight_skin_options unguarded = options_with(SKINLIGHT_LBS, SKINLIGHT_DEFORM, NAN);
  unguarded.guard = SKINLIGHT_NO_GUARD;
  refused(skin(unguarded), SKINLIGHT_BAD_INPUT, "guard: is none");
  skinlight_skin_options without_meaning = options_with(SKINLIGHT_LBS, SKINLIGHT_DEFORM, -1);
  without_meaning.struct_size = sizeof without_meaning;
  skinlight_batch_options of_batch = {};
  of_batch.struct_size = sizeof of_batch;
  of_batch.skin = &without_meaning;
  skinlight_batch* batch = nullptr;
  refused(skinlight_batch_create(rig_, &of_batch, &batch), SKINLIGHT_BAD_INPUT, "must not be negative");
  pose_[5] = std::numeric_limits<double>::infinity();
  refused(skin(), SKINLIGHT_BAD_INPUT, "pose, bone 0");
  pose_[5] = 1;
  std::vector<float> single(normals_.size());
  out_.positions = skinlight_float_output(single.data());
  refused(skin(), SKINLIGHT_BAD_CALL, "types differ");
  out_.positions = {single.data(), 0, SKINLIGHT_U8};
  refused(skin(), SKINLIGHT_BAD_CALL, "SKINLIGHT_F32");
  out_.positions = {};
  out_.normals = {};
  refused(skin(), SKINLIGHT_BAD_CALL, "nothing is wanted");
  skinlight_rig_options options = {};
  refused(skinlight_rig_create(&arrays_, &options, &rig), SKINLIGHT_BAD_CALL, "struct_size");
  options.struct_size = sizeof options;
  options.slots = 17;
  refused(skinlight_rig_create(&arrays_, &options, &rig), SKINLIGHT_BAD_INPUT, "slots");
  options.slots = 0;
  options.averaging = 8;
  refused(skinlight_rig_create(&arrays_, &options, &rig), SKINLIGHT_BAD_INPUT, "averaging: 8 is unknown");
  arrays_.weights.type = SKINLIGHT_I32;
  refused(skinlight_rig_create(&arrays_, nullptr, &rig), SKINLIGHT_BAD_CALL, "weights");
  skinlight_finding finding = {};
  finding.struct_size = sizeof finding;
  refused(skinlight_health_get(nullptr, 0, &finding), SKINLIGHT_BAD_CALL, "health is NULL");
  EXPECT_EQ(skinlight_health_count(nullptr), 0u);
  skinlight_health_free(nullptr);
  skinlight_rig_free(nullptr);
  skinlight_bone_info bone = {};
  bone.struct_size = sizeof bone;
  refused(skinlight_rig_get_bone(rig_, 0, &bone), SKINLIGHT_BAD_CALL, "index 0 does not exist");
  refused(skinlight_rig_get_pose(rig_, 0, 0, skinlight_double_output(pose_.data())), SKINLIGHT_BAD_CALL,
          "no skeleton");
}

TEST_F(Rig, NamesTheNumbersThatItWasGiven) {
  const auto told = [&](skinlight_status status, skinlight_status expected, const std::string& text) {
    EXPECT_EQ(status, expected);
    EXPECT_EQ(skinlight_error_text(), text);
  };
  const std::int32_t largest = std::numeric_limits<std::int32_t>::max(), least = -largest - 1;
  for (const std::int32_t number : {-1, 13, largest, least}) {
    skinlight_skin_options options = {};
    options.mode = number;
    told(skin(options), SKINLIGHT_BAD_INPUT, "mode: " + std::to_string(number) + " is unknown");
    EXPECT_EQ(skinlight_name(SKINLIGHT_MODES, number), nullptr);
  }
  for (const std::int32_t number : {-1, 8, least}) {
    skinlight_rig_options options = {};
    options.struct_size = sizeof options;
    options.averaging = number;
    skinlight_rig* rig = nullptr;
    told(skinlight_rig_create(&arrays_, &options, &rig), SKINLIGHT_BAD_INPUT,
         "averaging: " + std::to_string(number) + " is unknown");
    EXPECT_EQ(skinlight_name(SKINLIGHT_AVERAGINGS, number), nullptr);
  }
  std::vector<double> column(100);
  const auto of_column = [&](std::int32_t record, std::int32_t number) {
    return skinlight_record_get(rig_, record, number, skinlight_double_output(column.data()));
  };
  for (const std::int32_t number : {-1, 14, largest, least})
    for (const std::int32_t record : {SKINLIGHT_FACTORS, SKINLIGHT_DQS_FRAMES})
      told(of_column(record, number), SKINLIGHT_BAD_CALL, "column " + std::to_string(number) + " is unknown");
  for (std::int32_t number = SKINLIGHT_FRAME_OFFSET; number <= SKINLIGHT_FRAME_CENTRE; ++number)
    told(of_column(SKINLIGHT_FACTORS, number), SKINLIGHT_BAD_CALL,
         "the record has no column " + std::to_string(number) + ", which is of frames");
  std::vector<std::int64_t> faces;
  for (const auto& face : mesh_.faces) faces.insert(faces.end(), face.begin(), face.end());
  std::vector<std::int64_t> bones(mesh_.bone.begin(), mesh_.bone.end());
  skinlight_rig* rig = nullptr;
  for (const std::int64_t number :
       {std::int64_t{5'000'000'000}, std::int64_t{-7}, std::int64_t{-5'000'000'000}}) {
    faces[4] = bones[5] = number;
    skinlight_rig_arrays arrays = arrays_;
    arrays.faces = {faces.data(), 0, SKINLIGHT_I64};
    told(skinlight_rig_create(&arrays, nullptr, &rig), SKINLIGHT_BAD_INPUT,
         "faces, face 1: vertex " + std::to_string(number) + " does not exist");
    arrays.faces = arrays_.faces;
    arrays.bones = {bones.data(), 0, SKINLIGHT_I64};
    told(skinlight_rig_create(&arrays, nullptr, &rig), SKINLIGHT_BAD_INPUT,
         "bones, vertex 2: bone " + std::to_string(number) + " does not exist");
  }
}

TEST_F(Rig, AnswersThreadsThatCallAtTheSameTime) {
  std::vector<std::thread> threads;
  std::array<std::vector<double>, 4> got;
  for (std::vector<double>& normals : got)
    threads.emplace_back([this, &normals] {
      normals.resize(3 * C_VERTICES);
      skinlight_skin_output out = {};
      out.struct_size = sizeof out;
      out.normals = skinlight_double_output(normals.data());
      skinlight_skin_options options = {};
      options.struct_size = sizeof options;
      options.method = SKINLIGHT_CRS;
      EXPECT_EQ(skinlight_skin(rig_, skinlight_doubles(pose_.data()), &options, &out), SKINLIGHT_OK);
    });
  for (std::thread& t : threads) t.join();
  for (const std::vector<double>& normals : got) EXPECT_EQ(normals, got[0]);
}

}  // namespace
}  // namespace skinlight
