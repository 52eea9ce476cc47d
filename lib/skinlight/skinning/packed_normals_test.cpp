#include "skinlight/skinning/packed_normals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "skinlight/core/error.h"
#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/skinning/skin.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using testing::HasSubstr;

struct Rig {
  RiggedMesh mesh;
  NormalRecord factors;
  NormalRecord vectors;

  explicit Rig(int slots = 4) {
    Random random(3);
    mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(2, random), 6, std::min(slots, 3), random);
    const Surface surface(mesh.faces, weld(mesh));
    factors = deform_factors(mesh, surface, {.max_slots = slots});
    vectors = deform_vectors(mesh, surface, {.max_slots = slots});
  }
  SkinnedMesh<double> skinned(NormalMode mode, const Pose& pose) const {
    SkinData data = factors;
    data.vectors = &vectors;
    return skin<double>(mesh, data, pose, {.mode = mode});
  }
};

// What storage may change a number by: half a step of the integers, half a unit in the last place of floats.
double allowed(NumberFormat format, double x, double scale) {
  switch (format) {
    case NumberFormat::f32:
      return std::abs(x) * 0x1p-24;
    case NumberFormat::f16:
      return std::max(std::abs(x) * 0x1p-11, scale * 0x1p-25);
    default:
      return .5001 * scale / row(format).largest_code;
  }
}

std::vector<NumberFormat> all_formats() {
  std::vector<NumberFormat> all;
  for (const NumberFormatRow& format : kNumberFormats) all.push_back(format.format);
  return all;
}

class PackedNormalFormats : public testing::TestWithParam<NumberFormat> {};
INSTANTIATE_TEST_SUITE_P(All, PackedNormalFormats, testing::ValuesIn(all_formats()),
                         [](const auto& format) { return std::string(row(format.param).name); });

TEST_P(PackedNormalFormats, TakeTheBytesTheySay) {
  const NumberFormat format = GetParam();
  const int bytes = row(format).bytes;
  for (const int n : {1, 2, 4, 6}) {
    const Rig rig(n);
    const auto per_vertex = [&](const PackedNormals& p) {
      return static_cast<int>(p.data.size()) / rig.mesh.vertex_count();
    };
    EXPECT_EQ(per_vertex(packed_normals(rig.factors, RecordKind::deform_factors, format)),
              2 * (n - 1) * bytes);
    EXPECT_EQ(per_vertex(packed_normals(rig.factors, RecordKind::smoothed, format)), 3 * (n - 1) * bytes);
    EXPECT_EQ(per_vertex(packed_normals(rig.vectors, RecordKind::deform_vectors, format)),
              8 * (n - 1) * bytes);
    EXPECT_EQ(normal_record_bytes(RecordKind::deform_vectors, n, format), 8 * (n - 1) * bytes);
  }
}

TEST_P(PackedNormalFormats, DeformFactorsAndSmoothWeightsComeBackWithinAStep) {
  const NumberFormat format = GetParam();
  const Rig rig;
  const PackedNormals packed = packed_normals(rig.factors, RecordKind::smoothed, format);
  NormalRecord f = rig.factors;
  f.alpha.assign(f.alpha.size(), 99);
  f.beta.assign(f.beta.size(), 99);
  f.smooth_weight.assign(f.beta.size(), 99);
  unpack_normals(packed, rig.mesh, f);
  for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
    double alpha = 0, beta = 0, weight = 0;
    for (int s = 0; s < f.slots; ++s) {
      const std::size_t i = f.at(v, s);
      alpha += f.alpha[i];
      beta += f.beta[i];
      weight += f.smooth_weight[i];
      if (s == 0) continue;
      EXPECT_NEAR(f.alpha[i], rig.factors.alpha[i],
                  allowed(format, rig.factors.alpha[i], packed.scale.per_length));
      EXPECT_NEAR(f.beta[i], rig.factors.beta[i],
                  allowed(format, rig.factors.beta[i], packed.scale.per_length));
      EXPECT_NEAR(f.smooth_weight[i], rig.factors.smooth_weight[i],
                  allowed(format, rig.factors.smooth_weight[i], packed.scale.pure));
    }
    EXPECT_NEAR(alpha, 0, 1e-12);
    EXPECT_NEAR(beta, 0, 1e-12);
    EXPECT_NEAR(weight, 1, 1e-12);
  }
  // Without smooth weights in the record those of the factors stay.
  NormalRecord plain = rig.factors;
  unpack_normals(packed_normals(rig.factors, RecordKind::deform_factors, format), rig.mesh, plain);
  EXPECT_EQ(plain.smooth_weight, rig.factors.smooth_weight);
  EXPECT_EQ(plain.alpha, f.alpha);
}

TEST_P(PackedNormalFormats, DeformVectorsComeBackWithinAStepAndSumToTheTangents) {
  const NumberFormat format = GetParam();
  const Rig rig;
  const PackedNormals packed = packed_normals(rig.vectors, RecordKind::deform_vectors, format);
  NormalRecord f = rig.vectors;
  f.along_t.assign(f.along_t.size(), Vec3d(99.0));
  f.along_b.assign(f.along_b.size(), Vec3d(99.0));
  f.alpha.assign(f.alpha.size(), 99);
  f.beta.assign(f.beta.size(), 99);
  unpack_normals(packed, rig.mesh, f);
  const auto expect_near = [&](const Vec3d& v, double w, const Vec3d& exact_v, double exact_w) {
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(v[c], exact_v[c], allowed(format, exact_v[c], packed.scale.pure));
    EXPECT_NEAR(w, exact_w, allowed(format, exact_w, packed.scale.per_length));
  };
  for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
    Vec3d t(0.0), b(0.0);
    double alpha = 0;
    for (int s = 0; s < f.slots; ++s) {
      const std::size_t i = f.at(v, s);
      t += f.along_t[i];
      b += f.along_b[i];
      alpha += f.alpha[i];
      if (s == 0) continue;
      expect_near(f.along_t[i], f.alpha[i], rig.vectors.along_t[i], rig.vectors.alpha[i]);
      expect_near(f.along_b[i], f.beta[i], rig.vectors.along_b[i], rig.vectors.beta[i]);
    }
    EXPECT_LT(length(t - rig.mesh.t0[static_cast<std::size_t>(v)]), 1e-12);
    EXPECT_LT(length(b - rig.mesh.b0[static_cast<std::size_t>(v)]), 1e-12);
    EXPECT_NEAR(alpha, 0, 1e-12);
  }
}

// In floats nothing is lost that Eq. 13 needs: skinning from what was packed gives the same normals, in the
// bytes of the paper's Table 1, two floats for each slot but the first.
TEST(PackedNormals, InFloatsHoldAllThatTheStableFormReads_Eq13) {
  Random random(5);
  for (const int slots : {1, 2, 4, 8}) {
    Rig rig(slots);
    const Pose pose = test_rigs::random_rigid_pose(6, random);
    const auto direct = skin<float>(rig.mesh, rig.factors, pose);
    const PackedNormals packed = packed_normals(rig.factors, RecordKind::deform_factors, NumberFormat::f32);
    EXPECT_EQ(packed.data.size(), rig.mesh.p0.size() * static_cast<std::size_t>(8 * (slots - 1)));
    unpack_normals(packed, rig.mesh, rig.factors);
    const auto from_packed = skin<float>(rig.mesh, rig.factors, pose);
    EXPECT_TRUE(from_packed.n == direct.n);
  }
}

TEST_P(PackedNormalFormats, RigidMotionsStayExact) {
  Rig rig;
  unpack_normals(packed_normals(rig.factors, RecordKind::smoothed, GetParam()), rig.mesh, rig.factors);
  unpack_normals(packed_normals(rig.vectors, RecordKind::deform_vectors, GetParam()), rig.mesh, rig.vectors);
  Random random(4);
  const Mat4x3d rigid = test_rigs::random_rigid(random, 3, 5);
  const Pose pose = make_pose(std::vector<Mat4x3d>(6, rigid));
  for (const NormalMode mode : {NormalMode::deform, NormalMode::smoothed, NormalMode::deform_vectors}) {
    const auto posed = rig.skinned(mode, pose);
    for (std::size_t v = 0; v < rig.mesh.p0.size(); ++v)
      EXPECT_LT(length(posed.n[v] - Mat3d(rigid) * rig.mesh.n0[v]), 1e-10);
  }
}

TEST(PackedNormals, WhatDoesNotFitIsAnError) {
  const Rig rig;
  const auto error_of = [](const std::function<void()>& call) -> std::string {
    try {
      call();
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  const auto pack = [](const NormalRecord& f) { packed_normals(f, RecordKind::smoothed, NumberFormat::f16); };
  NormalRecord f = rig.factors;
  EXPECT_EQ(error_of([&] { pack(f); }), "accepted");
  f.alpha[1] = std::nan("");
  EXPECT_THAT(error_of([&] { pack(f); }), HasSubstr("not finite"));
  for (const double beyond : {1e39, -1e39}) {
    f.alpha[1] = beyond;
    EXPECT_THAT(error_of([&] { pack(f); }), HasSubstr("beyond the range of float")) << beyond;
  }
  f = rig.factors;
  f.smooth_weight.pop_back();
  EXPECT_THAT(error_of([&] { pack(f); }), HasSubstr("smooth weights: has"));
  f.slots = 0;
  EXPECT_THAT(error_of([&] { pack(f); }), HasSubstr("0 slots"));
  EXPECT_THAT(error_of([&] { packed_normals(rig.factors, RecordKind::deform_vectors, NumberFormat::f32); }),
              HasSubstr("deform vectors along t: has 0"));
  NormalRecord vectors = rig.vectors;
  vectors.along_b.pop_back();
  EXPECT_THAT(error_of([&] { packed_normals(vectors, RecordKind::deform_vectors, NumberFormat::f32); }),
              HasSubstr("along b: has"));

  PackedNormals packed = packed_normals(rig.vectors, RecordKind::deform_vectors, NumberFormat::snorm8);
  packed.data.pop_back();
  vectors = rig.vectors;
  EXPECT_THAT(error_of([&] { unpack_normals(packed, rig.mesh, vectors); }), HasSubstr("bytes are not"));
  packed.slots = 3;
  EXPECT_THAT(error_of([&] { unpack_normals(packed, rig.mesh, vectors); }), HasSubstr("number of slots"));
}

}  // namespace
}  // namespace skinlight
