// Characters to bake, and how numbers come back from a baked file: for tests.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "skinlight/core/glsl.h"
#include "skinlight/core/half.h"
#include "skinlight/core/number_format.h"
#include "skinlight/core/random.h"
#include "testing/baked_file.h"
#include "testing/gltf_file.h"

namespace skinlight::test_bake {

// A bumpy grid of 7 by 7 vertices under `bones` bones with random weights, so that one-rings carry bones that
// their vertices do not. Accessors: 0 POSITION, 1 JOINTS_0, 2 WEIGHTS_0 (3, 4: the second set of `sets`),
// then indices, NORMAL, which leans to one side, last inverse bind matrices.
inline gltf_test::File grid(int bones, int sets, std::uint64_t seed) {
  constexpr int kSide = 7;
  Random random(seed);
  gltf_test::File file;
  std::vector<double> position, indices, inverse_bind;
  for (int i = 0; i < kSide * kSide; ++i) {
    const int row = i / kSide;
    position.push_back(i % kSide + random.uniform(-.3, .3));
    position.push_back(row + random.uniform(-.3, .3));
    position.push_back(random.uniform(-.3, .3));
  }
  for (int y = 0; y + 1 < kSide; ++y)
    for (int x = 0; x + 1 < kSide; ++x) {
      const double a = y * kSide + x;
      for (const double corner : {a, a + 1, a + kSide, a + kSide, a + 1, a + kSide + 1})
        indices.push_back(corner);
    }
  file.add("VEC3", gltf_test::kFloat, position);
  for (int set = 0; set < sets; ++set) {
    std::vector<double> joints, weights;
    for (int i = 0; i < kSide * kSide; ++i)
      for (int k = 0; k < 4; ++k) {
        // The last slot of each set stays unused.
        joints.push_back((i + 3 * k + 5 * set) % bones);
        weights.push_back(k == 3 ? 0 : random.uniform(.05, 1) / (1 + set));
      }
    file.add("VEC4", gltf_test::kU8, joints);
    file.add("VEC4", gltf_test::kFloat, weights);
  }
  std::string attributes = R"("POSITION": 0)";
  for (int set = 0; set < sets; ++set)
    attributes += ", \"JOINTS_" + std::to_string(set) + "\": " + std::to_string(1 + 2 * set) +
                  ", \"WEIGHTS_" + std::to_string(set) + "\": " + std::to_string(2 + 2 * set);
  const std::string corners = file.add("SCALAR", gltf_test::kU16, indices);
  std::vector<double> normals;
  for (int i = 0; i < kSide * kSide; ++i) normals.insert(normals.end(), {.36, -.48, .8});
  attributes += ", \"NORMAL\": " + file.add("VEC3", gltf_test::kFloat, normals);
  for (int b = 0; b < bones; ++b)
    for (const double x : {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -b % kSide, 0, 0, 1})
      inverse_bind.push_back(x);
  const std::string bind = file.add("MAT4", gltf_test::kFloat, inverse_bind);
  file.nodes = {R"({"mesh": 0, "skin": 0})"};
  std::string joints;
  for (int b = 0; b < bones; ++b) {
    file.nodes.push_back(R"({"translation": [)" + std::to_string(b % kSide) + ", 0, 0]}");
    joints += (b == 0 ? "" : ", ") + std::to_string(b + 1);
  }
  file.primitives = {R"({"attributes": {)" + attributes + R"(}, "indices": )" + corners + "}"};
  file.skins = {R"({"joints": [)" + joints + R"(], "inverseBindMatrices": )" + bind + "}"};
  return file;
}

// The file's text without the empty list of animations, which the format does not allow.
inline std::string text_of(const gltf_test::File& file) {
  return gltf_test::replaced(file.gltf(), "\"animations\": [\n    \n  ],\n", "");
}

inline double half_of(double bits) { return double_from_half(static_cast<std::uint16_t>(std::lround(bits))); }

// One number from what a shader reads, with `scale` of the mark, as extras.skinlight and bake/bake.h say.
inline double decoded(double value, const test_baked::Json& mark, const char* scale = "scale") {
  const auto is = [&](const char* key, const char* text) { return mark[key].get<std::string>() == text; };
  if (is("format", "f16")) value = half_of(value * (is("layout", "texcoord") ? 65535 : 1));
  return mark[scale].get<double>() * (value - mark["offset"].get<double>());
}

// Of a number as large as `largest`, in the format: half the distance of its neighbours.
inline double half_step(NumberFormat format, double largest) {
  const double kRounding = 1 + 1e-6;  // the weights and the frame went through float
  switch (format) {
    case NumberFormat::f32:
      return kRounding * std::ldexp(largest, -23);
    case NumberFormat::f16:
      return kRounding * std::ldexp(largest, -11);
    case NumberFormat::snorm16:
      return kRounding * .5 / 32767 * largest;
    case NumberFormat::snorm8:
      return kRounding * .5 / 127 * largest;
  }
  return 0;
}

// Of the first mesh.
inline const test_baked::Json& mark_of(const test_baked::BakedFile& file) {
  return file.json["meshes"][0]["extras"]["skinlight"];
}

struct Tau {
  Vec3d v{0.0};
  double w = 0;
};

// The vectors of all slots s >= 1 of a file's first primitive: #V by slots - 1.
struct FileVectors {
  std::vector<std::vector<Tau>> t, b;

  explicit FileVectors(const test_baked::BakedFile& file)
      : t(read(file, "_DEFORM_TAU_T_")), b(read(file, "_DEFORM_TAU_B_")) {}

 private:
  static std::vector<std::vector<Tau>> read(const test_baked::BakedFile& file, const std::string& prefix) {
    const test_baked::Json& mark = mark_of(file);
    std::vector<std::vector<Tau>> tau;
    for (int s = 1; s < mark["influences"].get<int>(); ++s) {
      const test_baked::Rows rows = file.attribute(0, 0, prefix + std::to_string(s));
      tau.resize(rows.size());
      for (std::size_t v = 0; v < rows.size(); ++v) {
        Tau one{Vec3d(0.0), decoded(rows[v].at(3), mark)};
        for (int c = 0; c < 3; ++c)
          one.v[c] = decoded(rows[v][static_cast<std::size_t>(c)], mark, "vector_scale");
        tau[v].push_back(one);
      }
    }
    return tau;
  }
};

}  // namespace skinlight::test_bake
