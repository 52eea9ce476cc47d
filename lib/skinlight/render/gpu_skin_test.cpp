#include "skinlight/render/gpu_skin.h"

#include <glad/gl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "skinlight/core/angle.h"
#include "skinlight/core/error.h"
#include "skinlight/core/random.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/render/context.h"
#include "skinlight/render/image_compare.h"
#include "skinlight/render/normal_map.h"
#include "skinlight/rig/bone_reach.h"
#include "skinlight/samples/procedural.h"
#include "testing/methods.h"
#include "testing/replaced.h"
#include "testing/skin_data.h"

namespace skinlight {
namespace {

using testing::HasSubstr;

// Both sides run one text in float on numbers of size 1; compilers may order sums and approximate roots
// differently.
constexpr float kParity = 1e-6f;
// An interpolated normal against the same drawn from vertices skinned on the CPU (numerics, section 8).
constexpr double kBufferParity = 1e-4;

struct RandomRig {
  RiggedMesh mesh;
  NormalRecord factors;
  NormalRecord vectors;
  FrameRecord frames;
  RotationCentres centres;
  Pose pose;

  SkinData data() const {
    SkinData all(factors);
    all.vectors = &vectors;
    all.frames = &frames;
    all.centres = &centres;
    return all;
  }
};

// Deform vectors near the paper's factors, with `extra` slots of weight 0 for tangents alone.
NormalRecord random_vectors(const RiggedMesh& mesh, const NormalRecord& factors, int extra, Random& random) {
  NormalRecord vectors;
  vectors.slots = factors.slots + extra;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (int s = 0; s < vectors.slots; ++s) {
      const bool own = s < factors.slots;
      const std::size_t i = factors.at(v, own ? s : 0);
      const double w = own ? factors.weight[i] : 0;
      vectors.bone.push_back(own ? factors.bone[i] : random.below(mesh.bone_count));
      vectors.weight.push_back(w);
      const auto vertex = static_cast<std::size_t>(v);
      vectors.along_t.push_back(mesh.t0[vertex] * w + random.in_cube(.05));
      vectors.alpha.push_back(random.uniform(-.1, .1));
      vectors.along_b.push_back(mesh.b0[vertex] * w + random.in_cube(.05));
      vectors.beta.push_back(random.uniform(-.1, .1));
    }
  return vectors;
}

Vec3d rotated(Vec3d v, Vec3d axis, double angle) {
  return v * std::cos(angle) + cross(axis, v) * std::sin(angle) +
         axis * (dot(axis, v) * (1 - std::cos(angle)));
}

Mat4x3d random_motion(Random& random, double mirror) {
  const Vec3d axis = random.direction();
  const double angle = random.uniform(-1, 1), scale = random.uniform(0.9, 1.1);
  return {rotated({mirror * scale, 0, 0}, axis, angle), rotated({0, scale, 0}, axis, angle),
          rotated({0, 0, scale}, axis, angle), random.in_cube(0.3)};
}

// Vertices of no surface: parity needs none. Gradients sum to 0 over the slots and keep the Jacobian away
// from singular, where rounding would be magnified.
RandomRig random_rig(int slots, std::uint64_t seed, double mirror = 1) {
  constexpr int kVertices = 500, kBones = 300;
  Random random(seed);
  RandomRig rig;
  RiggedMesh& m = rig.mesh;
  m.bone_count = kBones;
  m.slots = slots;
  std::vector<Vec3d> gradient;
  for (int v = 0; v < kVertices; ++v) {
    m.p0.push_back(random.in_cube(0.8));
    m.n0.push_back(random.direction());
    m.t0.push_back(any_tangent(m.n0.back()));
    m.handedness.push_back(random.below(2) == 0 ? 1 : -1);
    m.b0.push_back(cross(m.n0.back(), m.t0.back()) * m.handedness.back());
    m.frame_source.push_back(FrameSource::arbitrary);
    std::vector<double> weights;
    for (int s = 0; s < slots; ++s) weights.push_back(random.uniform(0.1, 1));
    std::sort(weights.rbegin(), weights.rend());
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    Vec3d rest(0.0);
    for (int s = 0; s < slots; ++s) {
      m.bone.push_back(random.below(kBones));
      m.weight.push_back(weights[static_cast<std::size_t>(s)] / sum);
      gradient.push_back(s + 1 < slots ? random.in_cube(0.2) : -rest);
      rest += gradient.back();
    }
  }
  rig.factors = deform_factors_from_gradients(m, gradient);
  for (int v = 0; v < kVertices; ++v) {
    double rest = 1;
    for (int s = slots - 1; s > 0; --s)
      rest -= rig.factors.smooth_weight[rig.factors.at(v, s)] *= random.uniform(0.6, 1);
    rig.factors.smooth_weight[rig.factors.at(v, 0)] = rest;
    rig.centres.centre.push_back(random.in_cube(0.8));
    rig.centres.along_t.push_back(random.in_cube(0.5));
    rig.centres.along_b.push_back(random.in_cube(0.5));
    rig.centres.has_centre.push_back(random.below(4) > 0);
  }
  std::vector<Mat4x3d> M;
  for (int b = 0; b < kBones; ++b) M.push_back(random_motion(random, mirror));
  rig.pose = make_pose(M);
  rig.vectors = random_vectors(m, rig.factors, slots > 3 ? 3 : 0, random);
  rig.frames = test_skin_data::frames_of(m, rig.factors, random.in_cube(.3));
  return rig;
}

float largest_difference(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
  if (a.size() != b.size()) return std::numeric_limits<float>::infinity();
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vec3f d = a[i] - b[i];
    const float here = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    largest = here <= largest ? largest : here;  // NaN stays
  }
  return largest;
}

void expect_parity(GpuSkin& gpu, const RandomRig& rig, const SkinOptions& options) {
  const SkinnedMesh<float> actual = gpu.capture(rig.pose, options);
  const SkinnedMesh<float> expected = skin<float>(rig.mesh, rig.data(), rig.pose, options);
  const auto label = std::string(row(options.method).name) + " " + std::string(row(options.mode).name);
  EXPECT_LT(largest_difference(actual.p, expected.p), kParity) << label;
  EXPECT_LT(largest_difference(actual.t, expected.t), kParity) << label;
  EXPECT_LT(largest_difference(actual.b, expected.b), kParity) << label;
  EXPECT_LT(largest_difference(actual.n, expected.n), kParity) << label;
}

class GpuSkinning : public testing::TestWithParam<Renderer> {
 protected:
  std::unique_ptr<Context> context_ = create_context(GetParam());
};

TEST_P(GpuSkinning, CaptureEqualsTheCpuForEveryModeAndSlotCount) {
  for (const int slots : {1, 2, 3, 4, 5, 8}) {
    const RandomRig rig = random_rig(slots, 100 + static_cast<std::uint64_t>(slots));
    GpuSkin gpu(*context_, rig.mesh, rig.data());
    for (const MethodRow& method : methods())
      for (const NormalMode mode : method.modes) {
        SCOPED_TRACE(slots);
        expect_parity(gpu, rig, {.method = method.method, .mode = mode});
      }
  }
}

TEST_P(GpuSkinning, CaptureEqualsTheCpuWithEveryGuard_TPS14_4_4) {
  for (const double mirror : {1.0, -1.0}) {
    const RandomRig rig = random_rig(4, 7, mirror);
    GpuSkin gpu(*context_, rig.mesh, rig.data());
    for (const NormalMode mode : {NormalMode::deform, NormalMode::smoothed, NormalMode::deform_vectors}) {
      const auto free = gpu.capture(rig.pose, {.mode = mode});
      for (const GuardOptions& guard :
           {GuardOptions{Guard::clamp, .1}, GuardOptions{Guard::joint, .1},
            GuardOptions{Guard::test_then_fix, .3, .95}, GuardOptions{Guard::test_then_fix, 1e30, .95}}) {
        const SkinOptions guarded{.mode = mode, .guard = guard};
        expect_parity(gpu, rig, guarded);
        // And the guard acts on this rig.
        EXPECT_GT(largest_difference(gpu.capture(rig.pose, guarded).n, free.n), 0.05f)
            << row(guard.guard).name;
      }
      for (const GuardRow& guard : guards()) expect_parity(gpu, rig, {.mode = mode, .guard = guard.usual});
    }
    for (const GuardRow& guard : guards())
      for (const Method method : test_methods::that_blend_rotations())
        expect_parity(gpu, rig,
                      {.method = method, .mode = NormalMode::exact, .guard = {guard.guard, .1, .3}});
  }
}

TEST_P(GpuSkinning, DeformVectorsMayHaveMoreSlotsThanAttributesHold) {
  RandomRig rig = random_rig(4, 11);
  Random random(12);
  for (const int extra : {0, 5, 12}) {
    rig.vectors = random_vectors(rig.mesh, rig.factors, extra, random);
    GpuSkin gpu(*context_, rig.mesh, rig.data());
    expect_parity(gpu, rig, {.mode = NormalMode::deform_vectors});
  }
}

TEST_P(GpuSkinning, CaptureEqualsTheCpuForMirroringBones) {
  const RandomRig rig = random_rig(3, 8, -1);
  ASSERT_EQ(rig.pose.orientation, -1);
  GpuSkin gpu(*context_, rig.mesh, rig.data());
  for (const MethodRow& method : methods())
    for (const NormalMode mode : method.modes)
      expect_parity(gpu, rig, {.method = method.method, .mode = mode});
}

// Every other vertex on bones of another island, which are twice as large, and a quarter of all bones mirrors.
TEST_P(GpuSkinning, CaptureEqualsTheCpuWhereSomeBonesMirrorOrScale) {
  for (const bool mirrors : {true, false}) {
    RandomRig rig = random_rig(3, 15);
    const int half = rig.mesh.bone_count / 2;
    for (std::vector<int>* bones : {&rig.mesh.bone, &rig.factors.bone, &rig.vectors.bone, &rig.frames.bone}) {
      const std::size_t slots = bones->size() / rig.mesh.p0.size();
      for (std::size_t i = 0; i < bones->size(); ++i)
        (*bones)[i] = (*bones)[i] % half + (i / slots % 2 == 0 ? 0 : half);
    }
    for (std::size_t s = 0; s < rig.pose.M.size(); ++s)
      for (int c = 0; c < 3; ++c) {
        Vec3d& column = rig.pose.M[s][c];
        if (mirrors && s % 4 == 0) column.x = -column.x;
        if (!mirrors && s >= static_cast<std::size_t>(half)) column = column * 2.0;
      }
    ASSERT_GT(pose_groups(binding_of(rig.mesh), rig.pose).groups.size(), 1u);
    GpuSkin gpu(*context_, rig.mesh, rig.data());
    for (const MethodRow& method : methods())
      for (const NormalMode mode : method.modes)
        expect_parity(gpu, rig, {.method = method.method, .mode = mode});
  }
}

TEST_P(GpuSkinning, CaptureEqualsTheCpuWithAPivot) {
  RandomRig rig = random_rig(4, 9);
  rig.pose = with_pivot(rig.pose, {0.25, -0.5, 0.75});
  GpuSkin gpu(*context_, rig.mesh, rig.data());
  for (const MethodRow& method : methods())
    for (const NormalMode mode : method.modes)
      expect_parity(gpu, rig, {.method = method.method, .mode = mode});
}

// By hand: a matrix is three texels of four floats, a dual quaternion two, a centre three with its derivatives.
TEST_P(GpuSkinning, BytesAreThoseOfTheTexelsThatShadersRead) {
  constexpr std::size_t kTexel = 16;
  const RandomRig rig = random_rig(4, 9);
  const std::size_t bones = static_cast<std::size_t>(rig.mesh.bone_count), vertices = rig.mesh.p0.size();
  const GpuSkin gpu(*context_, rig.mesh, rig.data());
  const auto bytes = [&](Method method) {
    return gpu.bytes(rig.pose, {.method = method, .mode = NormalMode::standard});
  };
  const GpuBytes lbs = bytes(Method::lbs), dqs = bytes(Method::dqs), crs = bytes(Method::crs);
  EXPECT_EQ(lbs.bones, 3 * kTexel * bones);
  EXPECT_EQ(lbs.centres, 0u);
  EXPECT_EQ(lbs.normals, kTexel * vertices);
  EXPECT_EQ(dqs.bones, 2 * kTexel * bones);
  EXPECT_EQ(dqs.centres, 0u);
  EXPECT_EQ(crs.bones, 2 * kTexel * bones);
  EXPECT_EQ(crs.centres, 3 * kTexel * vertices);
}

TEST_P(GpuSkinning, DrawingEqualsDrawingWhatTheCpuSkinned) {
  const ProceduralRig rig = pill({48, 0.2, true, 3});
  const NormalRecord factors = deform_factors_from_gradients(rig.mesh, rig.gradient);
  const Pose pose = pill_pose();
  GpuSkin gpu(*context_, rig.mesh, factors);
  OffscreenRenderer renderer(*context_);
  for (const NormalMode mode : {NormalMode::standard, NormalMode::deform}) {
    const SkinOptions options{.mode = mode};
    const SkinnedMesh<float> posed = skin<float>(rig.mesh, factors, pose, options);
    const PosedMesh mesh{rig.mesh.faces, posed.p, posed.n};
    const Camera camera =
        frame(std::span<const Vec3f>(posed.p), View{{0.2, -1, 0.3}, {0, 0, 1}, 30, 0.05}, 1);
    const ImageF actual = gpu.normals(pose, options, camera, 120, 120),
                 expected = renderer.normals(mesh, camera, 120, 120);
    long covered = 0, edges = 0;
    for (int y = 0; y < 120; ++y) {
      for (int x = 0; x < 120; ++x) {
        const float *a = actual.at(x, y), *e = expected.at(x, y);
        edges += a[3] != e[3];
        if (a[3] == 0 || e[3] == 0) continue;
        ++covered;
        EXPECT_LT(angle_between(Vec3d(a[0], a[1], a[2]), Vec3d(e[0], e[1], e[2])), kBufferParity)
            << x << " " << y;
      }
    }
    EXPECT_GT(covered, 3000);
    EXPECT_LE(edges, 2);
    const ImageDifference d = compare_images(gpu.shaded(pose, options, camera, {80, 80, 2}),
                                             renderer.shaded(mesh, camera, {80, 80, 2}));
    EXPECT_TRUE(d.pass) << d.reason;
  }
}

// The map shows whether tangents and uv arrive in the fragment program as they do for a mesh posed by the CPU.
TEST_P(GpuSkinning, DrawingThroughANormalMapEqualsDrawingWhatTheCpuSkinned) {
  const ProceduralRig rig = cylinder({}, {.segments = 48});
  const NormalRecord factors = deform_factors_from_gradients(rig.mesh, rig.gradient);
  const Pose pose = cylinder_bend(0.7);
  const Image8 map = make_normal_map(64, 64, [](Vec2d uv) {
    return normalize(Vec3d(0.5 * std::sin(40 * uv.x), 0.4 * std::cos(30 * uv.y), 1));
  });
  const GpuSkin gpu(*context_, rig.mesh, factors, &map);
  OffscreenRenderer renderer(*context_);
  const SkinOptions options{.mode = NormalMode::deform};
  const SkinnedMesh<float> posed = skin<float>(rig.mesh, factors, pose, options);
  const PosedMesh mesh{rig.mesh.faces, posed.p, posed.n, {posed.t, posed.b, rig.mesh.uv, &map}};
  const Camera camera = frame(std::span<const Vec3f>(posed.p), View{{1, -0.4, 0.3}, {0, 0, 1}, 30, 0.05}, 1);
  const Image8 plain = GpuSkin(*context_, rig.mesh, factors).shaded(pose, options, camera, {80, 80, 2}),
               mapped = gpu.shaded(pose, options, camera, {80, 80, 2});
  const ImageDifference d = compare_images(mapped, renderer.shaded(mesh, camera, {80, 80, 2}));
  EXPECT_TRUE(d.pass) << d.reason;
  EXPECT_GT(compare_images(mapped, plain).share, 0.2);
}

// Which face a pixel is of, and its uv, arrive as they do for a mesh posed by the CPU.
TEST_P(GpuSkinning, DrawingInPaintEqualsDrawingWhatTheCpuSkinned) {
  const ProceduralRig rig = cylinder({}, {.segments = 24});
  const NormalRecord factors = deform_factors_from_gradients(rig.mesh, rig.gradient);
  const Pose pose = cylinder_bend(0.7);
  Random random(5);
  std::vector<Vec3f> colours;
  std::vector<std::uint8_t> textured;
  for (std::size_t f = 0; f < rig.mesh.faces.size(); ++f) {
    const double r = random.uniform(0, 1), g = random.uniform(0, 1), b = random.uniform(0, 1);
    colours.emplace_back(Vec3d(r, g, b));
    textured.push_back(f % 3 == 0);
  }
  Image8 picture(16, 16, {0, 0, 0});
  for (std::uint8_t& value : picture.rgb) value = static_cast<std::uint8_t>(random.below(256));
  const Paint paint{colours, textured, rig.mesh.uv, &picture};
  const SkinOptions options{.mode = NormalMode::deform};
  const SkinnedMesh<float> posed = skin<float>(rig.mesh, factors, pose, options);
  PosedMesh mesh{rig.mesh.faces, posed.p, posed.n};
  const Camera camera = frame(std::span<const Vec3f>(posed.p), View{{1, -0.4, 0.3}, {0, 0, 1}, 30, 0.05}, 1);
  OffscreenRenderer renderer(*context_);
  const Image8 clay = renderer.shaded(mesh, camera, {80, 80, 2});
  mesh.paint = paint;
  const GpuSkin gpu(*context_, rig.mesh, factors, nullptr, paint);
  const Image8 painted = gpu.shaded(pose, options, camera, {80, 80, 2});
  const ImageDifference d = compare_images(painted, renderer.shaded(mesh, camera, {80, 80, 2}));
  EXPECT_TRUE(d.pass) << d.reason;
  EXPECT_GT(compare_images(painted, clay).share, 0.2);
  const Reflection stripes;
  const ImageDifference mirrored = compare_images(gpu.reflection(pose, options, camera, {60, 40, 3}, stripes),
                                                  renderer.reflection(mesh, camera, {60, 40, 3}, stripes));
  EXPECT_TRUE(mirrored.pass) << mirrored.reason;
  const ImageDifference wide = compare_images(gpu.shaded(pose, options, camera, {70, 50, 3}),
                                              renderer.shaded(mesh, camera, {70, 50, 3}));
  EXPECT_TRUE(wide.pass) << wide.reason;
  EXPECT_EQ(gpu.reflection(pose, options, camera, {40, 40, 1}, stripes).rgb,
            GpuSkin(*context_, rig.mesh, factors).reflection(pose, options, camera, {40, 40, 1}, stripes).rgb)
      << "a mirror has no paint";
}

TEST_P(GpuSkinning, WhatDoesNotBelongTogetherIsAnError) {
  RandomRig rig = random_rig(4, 9);
  GpuSkin gpu(*context_, rig.mesh, rig.data());
  Pose few = rig.pose;
  few.M.resize(299);
  const auto error_of = [](auto&& action) -> std::string {
    try {
      action();
    } catch (const InputError& error) {
      return error.what();
    }
    return "done";
  };
  EXPECT_EQ(error_of([&] { gpu.capture(few, {}); }), "pose: has 299 entries, the mesh needs 300");
  EXPECT_EQ(error_of([&] { gpu.capture(few, {.method = Method::dqs}); }),
            "pose: has 299 entries, the mesh needs 300");
  EXPECT_EQ(error_of([&] { gpu.capture(rig.pose, {.method = Method::dqs, .mode = NormalMode::cofactors}); }),
            "skinning method 'dqs': has no normal mode 'cofactors'; choose one of standard, deform, exact, "
            "smoothed, deform-frames");
  EXPECT_EQ(error_of([&] {
              GpuSkin(*context_, rig.mesh, rig.factors)
                  .capture(rig.pose, {.method = Method::crs, .mode = NormalMode::exact});
            }),
            "skinning method 'crs': needs rotation centres; compute them with rotation_centres()");
  EXPECT_EQ(
      error_of([&] {
        GpuSkin(*context_, rig.mesh, rig.factors).capture(rig.pose, {.mode = NormalMode::deform_vectors});
      }),
      "deform vectors: are missing; the normal mode needs them");
  RandomRig few_vectors = rig;
  few_vectors.vectors.bone.pop_back();
  EXPECT_THAT(error_of([&] { GpuSkin(*context_, few_vectors.mesh, few_vectors.data()); }),
              HasSubstr("bones of the deform vectors: has 3499 entries"));
  RandomRig light = rig;
  light.factors.gradient.clear();
  light.factors.smooth_weight.clear();
  const GpuSkin of_light(*context_, light.mesh, light.factors);
  EXPECT_EQ(of_light.capture(rig.pose, {}).n, gpu.capture(rig.pose, {}).n);
  EXPECT_EQ(error_of([&] { of_light.capture(rig.pose, {.mode = NormalMode::cofactors}); }),
            "gradients of the deform factors: are missing; the normal mode needs them");
  EXPECT_EQ(error_of([&] { of_light.capture(rig.pose, {.mode = NormalMode::smoothed}); }),
            "smooth weights of the deform factors: are missing; the normal mode needs them");
  EXPECT_EQ(error_of([&] { GpuSkin(*context_, rig.mesh, SkinData()).capture(rig.pose, {}); }),
            "deform factors: are missing; the normal mode needs them");
  const Image8 map(1, 1, {128, 128, 255});
  light = rig;
  light.mesh.uv.resize(7);
  EXPECT_EQ(error_of([&] { GpuSkin(*context_, light.mesh, light.factors, &map); }),
            "uv: has 7 entries, the mesh needs 500");
  light.mesh.uv.resize(500);
  const Image8 no_map;
  EXPECT_EQ(error_of([&] { GpuSkin(*context_, light.mesh, light.factors, &no_map); }),
            "normal map: is empty");
  const RandomRig many = random_rig(9, 10);
  EXPECT_EQ(error_of([&] { GpuSkin(*context_, many.mesh, many.factors); }),
            "slots: 9 per vertex; the GPU takes at most 8");
  EXPECT_EQ(error_of([&] {
              gpu.capture(rig.pose, {.guard = {Guard::joint, 2}});
            }),
            "c = 2.000000 of the guard: must be below 1");
  rig.mesh.p0.pop_back();
  EXPECT_THAT(error_of([&] { GpuSkin(*context_, rig.mesh, rig.factors); }),
              HasSubstr("bones of the deform factors: has 2000 entries"));
}

GLint said_texels = 0;
PFNGLGETINTEGERVPROC real_limit = nullptr;
void GLAD_API_PTR say_texel_limit(GLenum which, GLint* value) {
  if (which == GL_MAX_TEXTURE_BUFFER_SIZE)
    *value = said_texels;
  else
    real_limit(which, value);
}

// A renderer whose buffer textures end where the buffers do has room for them, one with a texel less has not.
TEST_P(GpuSkinning, WhatIsMoreThanABufferTextureHoldsIsAnError) {
  const RandomRig rig = random_rig(4, 16);
  const GpuSkin gpu(*context_, rig.mesh, rig.data());
  real_limit = glad_glGetIntegerv;
  const test_replaced::Replaced limits(glad_glGetIntegerv, &say_texel_limit);
  const auto error_with = [&](GLint limit, auto&& action) -> std::string {
    said_texels = limit;
    try {
      action();
    } catch (const InputError& error) {
      return error.what();
    }
    return "done";
  };
  const auto expect_needs = [&](GLint texels, const std::string& what, auto&& action) {
    EXPECT_EQ(error_with(texels, action), "done") << what;
    EXPECT_EQ(error_with(texels - 1, action), what + ": take " + std::to_string(texels) +
                                                  " texels, the renderer has " + std::to_string(texels - 1));
  };
  // Three texels of a matrix for each of 300 bones, two of a dual quaternion, and one of the group.
  expect_needs(901, "bones", [&] { gpu.capture(rig.pose, {}); });
  expect_needs(601, "bones", [&] { gpu.capture(rig.pose, {.method = Method::dqs}); });
  // Three of each of 500 vertices.
  expect_needs(1500, "centres",
               [&] { gpu.capture(rig.pose, {.method = Method::crs, .mode = NormalMode::exact}); });
  // Three of each slot of a vertex.
  const GLint slots = kernel_slots(rig.vectors.slots);
  SkinData vectors(rig.factors), frames(rig.factors);
  vectors.vectors = &rig.vectors;
  frames.frames = &rig.frames;
  expect_needs(500 * 3 * slots, "deform vectors", [&] { GpuSkin(*context_, rig.mesh, vectors); });
  // One of each slot, three of each of two frames.
  expect_needs(500 * (kernel_slots(rig.frames.slots) + 6), "deform frames",
               [&] { GpuSkin(*context_, rig.mesh, frames); });
}

INSTANTIATE_TEST_SUITE_P(Kinds, GpuSkinning,
                         testing::Values(Renderer::automatic, Renderer::egl_device, Renderer::egl_surfaceless,
                                         Renderer::osmesa),
                         [](const auto& kind) {
                           std::string text(name(kind.param));
                           std::replace(text.begin(), text.end(), '-', '_');
                           return text;
                         });

}  // namespace
}  // namespace skinlight
