// A baked file drawn by a renderer that knows nothing but the file: a vertex shader of its own over
// shaders/kernels, fed with the file's bytes by glVertexAttribPointer as an engine would, against the
// library's normals of the file that was baked.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "repro/bake_error.h"
#include "skinlight/asset/gltf.h"
#include "skinlight/asset/test_baked_file.h"
#include "skinlight/core/angle.h"
#include "skinlight/render/context.h"
#include "skinlight/render/gl_draw.h"
#include "skinlight/skinning/skin.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using test_baked::BakedFile;
using test_baked::Json;

// Float in another order than the CPU's, on weights and frames that were rounded to float in the file.
constexpr double kFloatDegrees = 2e-3;

constexpr char kShader[] = R"(#version 330 core
#include "include/kernel_prelude.glsl"
#include "kernels/affine.glsl"
#include "kernels/vertex.glsl"
#include "kernels/guards.glsl"
#include "kernels/lbs.glsl"

in vec3 POSITION;
in vec3 NORMAL;
in vec4 TANGENT;
in vec4 JOINTS_0, JOINTS_1, WEIGHTS_0, WEIGHTS_1;
in vec4 _DEFORM_ALPHA_0, _DEFORM_ALPHA_1, _DEFORM_BETA_0, _DEFORM_BETA_1;
in vec2 FACTORS_1, FACTORS_2, FACTORS_3, FACTORS_4, FACTORS_5, FACTORS_6, FACTORS_7;
uniform mat4x3 joint[64];
uniform float scale, offset, orientation;
out vec3 posed_n;

float half_value(float bits) {
  float sign = bits >= 32768.0 ? -1.0 : 1.0;
  float rest = mod(bits, 32768.0);
  float exponent = floor(rest / 1024.0);
  float fraction = mod(rest, 1024.0);
  return sign * (exponent > 0.0 ? (1024.0 + fraction) * exp2(exponent - 25.0) : fraction * exp2(-24.0));
}

float factor(float value) {
#ifdef HALF_BITS
  value = half_value(floor(value * HALF_BITS + 0.5));
#endif
  return scale * (value - offset);
}

void main() {
  RestVertex rest;
  rest.p = POSITION;
  rest.n = normalize(NORMAL);
  rest.t = normalize(TANGENT.xyz - rest.n * dot(rest.n, TANGENT.xyz));
  rest.b = cross(rest.n, rest.t) * TANGENT.w;
  vec4 joints[2], weights[2], alpha[2], beta[2];
  joints[0] = JOINTS_0;
  weights[0] = WEIGHTS_0;
#if INFLUENCES > 4
  joints[1] = JOINTS_1;
  weights[1] = WEIGHTS_1;
#endif
#ifdef TEXCOORD
  alpha[0] = vec4(0.0, FACTORS_1.x, FACTORS_2.x, FACTORS_3.x);
  beta[0] = vec4(0.0, FACTORS_1.y, FACTORS_2.y, FACTORS_3.y);
#if INFLUENCES > 4
  alpha[1] = vec4(FACTORS_4.x, FACTORS_5.x, FACTORS_6.x, FACTORS_7.x);
  beta[1] = vec4(FACTORS_4.y, FACTORS_5.y, FACTORS_6.y, FACTORS_7.y);
#endif
#else
  alpha[0] = _DEFORM_ALPHA_0;
  beta[0] = _DEFORM_BETA_0;
#if INFLUENCES > 4
  alpha[1] = _DEFORM_ALPHA_1;
  beta[1] = _DEFORM_BETA_1;
#endif
#endif
  Influences x;
  DeformFactors f;
  for (int s = 0; s < INFLUENCES; ++s) {
    x.M[s] = joint[int(joints[s / 4][s % 4])];
    x.w[s] = weights[s / 4][s % 4];
    f.alpha[s] = factor(alpha[s / 4][s % 4]);
    f.beta[s] = factor(beta[s / 4][s % 4]);
  }
  PosedVertex v = finish(lbs_deform(x, f, rest), rest, TANGENT.w * orientation);
  posed_n = v.n;
  gl_Position = vec4(v.p, 1.0);
}
)";

GlObject program_for(const Json& mark) {
  ShaderFiles library = shader_files();
  library["test/baked.vert"] = kShader;
  ProgramSource source;
  source.vertex = "test/baked.vert";
  source.defines = {{"INFLUENCES", std::to_string(mark["influences"].get<int>())}};
  const bool texcoord = mark["layout"] == "texcoord";
  if (texcoord) source.defines.push_back({"TEXCOORD", "1"});
  if (mark["format"] == "f16") source.defines.push_back({"HALF_BITS", texcoord ? "65535.0" : "1.0"});
  source.captured = {"posed_n"};
  return build_program(source, library);
}

// The name of a file's attribute in the shader.
std::string shader_name(const std::string& name, const Json& mark, std::size_t primitive) {
  constexpr std::string_view kSet = "TEXCOORD_";
  if (mark["layout"] != "texcoord" || name.rfind(kSet, 0) != 0) return name;
  const int slot = std::stoi(name.substr(kSet.size())) - mark["first_texcoord"][primitive].get<int>() + 1;
  return slot < 1 ? name : "FACTORS_" + std::to_string(slot);
}

std::vector<Vec3f> capture(const BakedFile& file, std::size_t mesh, std::size_t primitive, const Pose& pose) {
  const Json& mark = file.json["meshes"][mesh]["extras"]["skinlight"];
  const GlObject program = program_for(mark);
  std::vector<GlObject> buffers;
  const GlObject arrays = make_vertex_array();
  glBindVertexArray(arrays.id());
  int bound = 0;
  for (const auto& [name, accessor] : file.attributes(mesh, primitive).items()) {
    const GLint location = glGetAttribLocation(program.id(), shader_name(name, mark, primitive).c_str());
    if (location < 0) continue;
    const Json& a = file.json["accessors"][accessor.get<std::size_t>()];
    const Json& view = file.json["bufferViews"][a["bufferView"].get<std::size_t>()];
    const std::string& data = file.buffers[view["buffer"].get<std::size_t>()];
    const std::size_t offset =
        view.value("byteOffset", std::size_t{0}) + a.value("byteOffset", std::size_t{0});
    buffers.push_back(make_filled_buffer(GL_ARRAY_BUFFER, std::span<const char>(data)));
    const auto index = static_cast<GLuint>(location);
    glEnableVertexAttribArray(index);
    // glTF's component types are GL's. NOLINTNEXTLINE(performance-no-int-to-ptr)
    glVertexAttribPointer(index, a["type"].get<std::string>().back() - '0', a["componentType"].get<GLenum>(),
                          a.value("normalized", false) ? GL_TRUE : GL_FALSE, view.value("byteStride", 0),
                          reinterpret_cast<const void*>(offset));
    ++bound;
  }
  EXPECT_GE(bound, mark["layout"] == "texcoord" ? 5 + mark["influences"].get<int>() - 1 : 7);
  const std::size_t count = file.attribute(mesh, primitive, "POSITION").size();

  glUseProgram(program.id());
  std::vector<float> joints;
  for (const Mat4x3d& m : pose.M)
    for (int c = 0; c < 4; ++c)
      for (int r = 0; r < 3; ++r) joints.push_back(static_cast<float>(m[c][r]));
  glUniformMatrix4x3fv(uniform(program, "joint"), static_cast<GLsizei>(pose.M.size()), GL_FALSE,
                       joints.data());
  glUniform1f(uniform(program, "scale"), mark["scale"].get<float>());
  glUniform1f(uniform(program, "offset"), mark["offset"].get<float>());
  glUniform1f(uniform(program, "orientation"), static_cast<float>(pose.orientation));

  std::vector<Vec3f> normals(count);
  const GlObject results = make_buffer();
  glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, results.id());
  const auto size = static_cast<GLsizeiptr>(count * sizeof(Vec3f));
  glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, size, nullptr, GL_STREAM_READ);
  OffscreenTarget target(1, 1);
  target.begin();
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, results.id());
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(count));
  glEndTransformFeedback();
  glDisable(GL_RASTERIZER_DISCARD);
  glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, size, normals.data());
  check_gl("capturing a baked file");
  return normals;
}

fs::path models_folder() {
  const char* named = std::getenv("SKINLIGHT_MODELS");
  return named == nullptr ? "" : named;
}

class BakedFiles : public testing::TestWithParam<std::string> {};

TEST_P(BakedFiles, GiveTheLibrarysNormalsInAnyRenderer) {
  const fs::path in = models_folder() / GetParam();
  if (!fs::exists(in)) GTEST_SKIP() << "SKINLIGHT_MODELS names no folder with " << GetParam();
  const fs::path folder = fs::temp_directory_path() / ("skinlight_baked_" + std::to_string(::getpid()));
  const auto context = create_context(Renderer::llvmpipe);
  for (const int influences : {4, 8}) {
    const Model model = read_gltf(in, {.max_influences = influences});
    ASSERT_LE(model.mesh.bone_count, 64);
    const Surface surface(model.mesh.faces, weld(model.mesh));
    const DeformFactors factors = deform_factors(model.mesh, surface, {.max_slots = influences});
    // In the middle of its clip, where most is bent.
    const Pose pose = model.clips.empty()
                          ? repro::sample_poses(model).poses[0]
                          : pose_at(model.skeleton, model.clips[0], .4 * model.clips[0].duration);
    const std::vector<Vec3f> expected = skin<float>(model.mesh, factors, pose).n;
    for (const FactorLayout layout : {FactorLayout::attributes, FactorLayout::texcoord})
      for (const NumberFormatRow& format : kNumberFormats) {
        const fs::path out = folder / "baked.glb";
        const BakeReport report =
            bake_gltf(in, out, {.layout = layout, .format = format.format, .influences = influences});
        const auto errors = repro::format_errors(report, {pose}, 0);
        const double stated = errors[static_cast<std::size_t>(format.format)].max;
        const BakedFile file(out);
        std::size_t range = 0, compared = 0;
        double worst = 0;
        for (std::size_t m = 0; m < file.json["meshes"].size(); ++m) {
          if (!file.json["meshes"][m].contains("extras")) continue;
          for (std::size_t p = 0; p < file.json["meshes"][m]["primitives"].size(); ++p) {
            const std::vector<Vec3f> n = capture(file, m, p, pose);
            const auto first = static_cast<std::size_t>(report.ranges.at(range++).first);
            for (std::size_t v = 0; v < n.size(); ++v, ++compared)
              worst = std::max(worst, kDegrees * angle_between(Vec3d(n[v]), Vec3d(expected[first + v])));
          }
        }
        EXPECT_EQ(compared, expected.size());
        EXPECT_LE(worst, stated + kFloatDegrees)
            << GetParam() << " " << format.name << " " << name(layout) << " " << influences;
        if (format.format == NumberFormat::snorm8) {
          EXPECT_GT(worst, 1e-3) << "too easy a test";
        }
      }
  }
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(All, BakedFiles,
                         testing::Values("edge/01_base.gltf", "edge/05_six_influences_JOINTS_1.gltf",
                                         "edge/10_negative_scale_root.gltf",
                                         "edge/22_non_indexed_no_normals.gltf", "cesium-man/cesium_man.gltf",
                                         "quaternius-dinos/Trex.glb", "xr-hands/hand_l.gltf"));

}  // namespace
}  // namespace skinlight
