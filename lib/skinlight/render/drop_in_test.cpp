// The page shaders/README.md: its vertex shader, taken from the page, runs with plain buffers and gives what
// the library computes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "skinlight/core/random.h"
#include "skinlight/preprocess/bitangent_side.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/render/context.h"
#include "skinlight/render/detail/gl_draw.h"
#include "skinlight/skinning/skin.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

// Both sides run one text in float on numbers of size 1; compilers may order sums and approximate roots
// differently.
constexpr float kParity = 1e-6f;

// The n-th block of the page in a language.
std::string block_of_page(int n, const std::string& language = "glsl") {
  const std::string& page = shader_files().at("README.md");
  const std::string fence = "```" + language + "\n";
  std::size_t begin = page.find(fence);
  for (; n > 0 && begin != std::string::npos; --n) begin = page.find(fence, begin + 1);
  if (begin == std::string::npos) return "";
  begin += fence.size();
  return page.substr(begin, page.find("```", begin) - begin);
}

// `text` after the page's changes. "" when a line to take out or to keep is not where the page says.
std::string changed(std::string text, const std::string& diff) {
  std::istringstream lines(diff);
  std::size_t from = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line == "@@") continue;  // lines are left out
    const std::string content = line.empty() ? "\n" : line.substr(1) + "\n";
    if (line[0] == '+') {
      text.insert(from, content);
      from += content.size();
      continue;
    }
    const std::size_t found = text.find("\n" + content, from == 0 ? 0 : from - 1);
    if (found == std::string::npos) return "";
    from = found + 1;
    if (line[0] == '-')
      text.erase(from, content.size());
    else
      from += content.size();
  }
  return text;
}

GlObject program_of(const std::string& text) {
  ShaderFiles library = shader_files();
  library["programs/page.vert"] = text;
  return build_program({"programs/page.vert", "", {}, {"gl_Position", "world_normal", "world_tangent"}},
                       library);
}

struct Vec4f {
  float x, y, z, w;
};
struct Posed {
  Vec4f position;
  Vec3f normal;
  Vec4f tangent;
};

struct Rig {
  RiggedMesh mesh;
  NormalRecord factors;
  Pose pose;
  NormalRecord vectors = {};  // instead of the factors, where there are some
  // How far the file's tangents lean on its normals, and how long both are.
  float tilt = 0, length = 1;
};

// Four slots, half of the texture mirrored.
Rig random_rig(std::uint64_t seed) {
  Random random(seed);
  Rig rig;
  rig.mesh = test_rigs::bind(test_meshes::bumpy_sphere(2, random), 5, 4, random);
  for (std::size_t v = 0; v < rig.mesh.p0.size(); ++v)
    if (rig.mesh.p0[v].x < 0) {
      rig.mesh.handedness[v] = -rig.mesh.handedness[v];
      rig.mesh.b0[v] = -rig.mesh.b0[v];
    }
  rig.factors = deform_factors(rig.mesh, Surface(rig.mesh.faces, weld(rig.mesh)), {.max_slots = 4});
  rig.pose = test_rigs::random_affine_pose(5, random, .6);
  return rig;
}

// The rig as a file has it: b = w n x t against rising v, and so are the numbers along it.
Rig in_file(Rig rig) {
  for (double& h : rig.mesh.handedness) h = gltf_w(h);
  for (NormalRecord* record : {&rig.factors, &rig.vectors}) {
    for (double& beta : record->beta) beta = -beta;
    for (Vec3d& tau : record->along_b) tau = -tau;
  }
  return rig;
}

// An attribute as a game would upload it; the buffer lives as long as the result.
template <class T>
GlObject attribute(GLuint location, GLint components, GLenum type, const std::vector<T>& values) {
  GlObject buffer = make_filled_buffer(GL_ARRAY_BUFFER, std::span<const T>(values));
  glEnableVertexAttribArray(location);
  if (type == GL_UNSIGNED_INT)
    glVertexAttribIPointer(location, components, type, 0, nullptr);
  else
    glVertexAttribPointer(location, components, type, GL_FALSE, 0, nullptr);
  return buffer;
}

template <class T, class U>
std::vector<T> cast(const std::vector<U>& values) {
  return std::vector<T>(values.begin(), values.end());
}

std::vector<GlObject> upload(const Rig& rig) {
  std::vector<Vec4f> tangents;
  std::vector<Vec3f> normals;
  for (std::size_t v = 0; v < rig.mesh.p0.size(); ++v) {
    const Vec3f n(rig.mesh.n0[v]), t = (Vec3f(rig.mesh.t0[v]) + n * rig.tilt) * rig.length;
    normals.push_back(n * rig.length);
    tangents.push_back({t.x, t.y, t.z, static_cast<float>(rig.mesh.handedness[v])});
  }
  std::vector<GlObject> buffers;
  buffers.push_back(attribute(0, 3, GL_FLOAT, cast<Vec3f>(rig.mesh.p0)));
  buffers.push_back(attribute(1, 3, GL_FLOAT, normals));
  buffers.push_back(attribute(2, 4, GL_FLOAT, tangents));
  const bool vectors = rig.vectors.slots > 0;
  const std::vector<int>& bones = vectors ? rig.vectors.bone : rig.factors.bone;
  const std::vector<double>& weights = vectors ? rig.vectors.weight : rig.factors.weight;
  buffers.push_back(attribute(3, 4, GL_UNSIGNED_INT, cast<GLuint>(bones)));
  buffers.push_back(attribute(4, 4, GL_FLOAT, cast<float>(weights)));
  if (vectors) {
    for (int s = 1; s < 4; ++s)
      for (const bool along_t : {true, false}) {
        std::vector<Vec4f> tau;
        for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
          const std::size_t i = rig.vectors.at(v, s);
          const Vec3f vector((along_t ? rig.vectors.along_t : rig.vectors.along_b)[i]);
          const double fourth = (along_t ? rig.vectors.alpha : rig.vectors.beta)[i];
          tau.push_back({vector.x, vector.y, vector.z, static_cast<float>(fourth)});
        }
        buffers.push_back(attribute(static_cast<GLuint>((along_t ? 4 : 7) + s), 4, GL_FLOAT, tau));
      }
    return buffers;
  }
  buffers.push_back(attribute(5, 4, GL_FLOAT, cast<float>(rig.factors.alpha)));
  buffers.push_back(attribute(6, 4, GL_FLOAT, cast<float>(rig.factors.beta)));
  return buffers;
}

void set_uniforms(const GlObject& program, const Pose& pose) {
  const std::vector<Mat4x3f> bones = cast<Mat4x3f>(pose.M);
  glUniformMatrix4x3fv(uniform(program, "bones"), static_cast<GLsizei>(bones.size()), GL_FALSE,
                       &bones[0][0].x);
  const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  glUniformMatrix4fv(uniform(program, "view_projection"), 1, GL_FALSE, identity);
  glUniform1f(uniform(program, "mirror"), static_cast<float>(pose.orientation));
}

std::vector<Posed> run(const std::string& shader, const Rig& rig) {
  const GlObject program = program_of(shader);
  glUseProgram(program.id());
  const GlObject arrays = make_vertex_array(), results = make_buffer();
  glBindVertexArray(arrays.id());
  const std::vector<GlObject> buffers = upload(in_file(rig));
  set_uniforms(program, rig.pose);
  std::vector<Posed> posed(rig.mesh.p0.size());
  const auto bytes = static_cast<GLsizeiptr>(posed.size() * sizeof(Posed));
  glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, results.id());
  glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, bytes, nullptr, GL_STREAM_READ);
  OffscreenTarget target(1, 1);  // transform feedback wants a framebuffer
  target.begin();
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, results.id());
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(posed.size()));
  glEndTransformFeedback();
  glDisable(GL_RASTERIZER_DISCARD);
  glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, bytes, posed.data());
  check_gl("running the page's shader");
  glBindVertexArray(0);
  return posed;
}

float largest(Vec3f v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

// `size`: of the positions, which rounding is relative to.
void expect_like_the_library(const std::vector<Posed>& posed, const Rig& rig, const GuardOptions& guard,
                             float size) {
  SkinData data(rig.factors);
  if (rig.vectors.slots > 0) data.vectors = &rig.vectors;
  const NormalMode mode = rig.vectors.slots > 0 ? NormalMode::deform_vectors : NormalMode::deform;
  const SkinnedMesh<float> expected = skin<float>(rig.mesh, data, rig.pose, {.mode = mode, .guard = guard});
  const SkinnedMesh<float> unguarded = skin<float>(rig.mesh, data, rig.pose, {.mode = mode});
  for (std::size_t v = 0; v < posed.size(); ++v) {
    const Posed& p = posed[v];
    EXPECT_LT(largest(Vec3f(p.position.x, p.position.y, p.position.z) - expected.p[v]), kParity * size) << v;
    // A guard that acts may leave tangents nearly parallel. Both sides have them within 2e-7 of the truth, and the normal
    // is their product over its length, the sine of their angle: 1e-6 apart where that is .11.
    const bool acts = largest(expected.n[v] - unguarded.n[v]) > 0;
    const float sine = acts ? length(cross(expected.t[v], expected.b[v])) : 1;
    EXPECT_LT(largest(p.normal - expected.n[v]) * sine, kParity) << v;
    EXPECT_LT(largest(Vec3f(p.tangent.x, p.tangent.y, p.tangent.z) - expected.t[v]), kParity) << v;
    EXPECT_EQ(p.tangent.w, static_cast<float>(gltf_w(rig.mesh.handedness[v]) * rig.pose.orientation)) << v;
  }
}

class DropIn : public testing::Test {
 protected:
  std::unique_ptr<Context> context_ = create_context(Renderer::llvmpipe);
};

TEST_F(DropIn, ThePageShowsTheProgramItNames) {
  EXPECT_EQ(block_of_page(0), shader_files().at("programs/minimal.vert"));
}

TEST_F(DropIn, ThePagesShaderGivesTheLibrarysNormals_Eq13) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Rig rig = random_rig(seed);
    expect_like_the_library(run(block_of_page(0), rig), rig, {}, 4);
  }
}

TEST_F(DropIn, MirroringBonesNeedOnlyTheUniform) {
  Rig rig = random_rig(4);
  rig.pose = test_rigs::mirrored(rig.pose);
  ASSERT_EQ(rig.pose.orientation, -1);
  expect_like_the_library(run(block_of_page(0), rig), rig, {}, 4);
}

TEST_F(DropIn, ScaledBonesNeedNothing) {
  Rig rig = random_rig(5);
  std::vector<Mat4x3d> M = rig.pose.M;
  for (Mat4x3d& m : M) m = m * 100.0;
  rig.pose = make_pose(std::move(M));
  expect_like_the_library(run(block_of_page(0), rig), rig, {}, 400);
}

// Other tools write such files. What bake computes belongs to the frame made of them.
TEST_F(DropIn, TangentsThatLeanAndLengthsOtherThanOneChangeNothing) {
  Rig rig = random_rig(10);
  rig.tilt = .4f;
  rig.length = 1.5f;
  expect_like_the_library(run(block_of_page(0), rig), rig, {}, 4);
  rig.vectors = deform_vectors(rig.mesh, Surface(rig.mesh.faces, weld(rig.mesh)), {.max_slots = 4});
  expect_like_the_library(run(changed(block_of_page(0), block_of_page(0, "diff")), rig), rig, {}, 4);
}

TEST_F(DropIn, ThePagesChangesGiveTheProgramForDeformVectors) {
  EXPECT_EQ(changed(block_of_page(0), block_of_page(0, "diff")),
            shader_files().at("programs/minimal_vectors.vert"));
}

TEST_F(DropIn, ThePagesShaderForDeformVectorsGivesTheLibrarysNormals) {
  for (std::uint64_t seed = 7; seed <= 9; ++seed) {
    Rig rig = random_rig(seed);
    rig.vectors = deform_vectors(rig.mesh, Surface(rig.mesh.faces, weld(rig.mesh)), {.max_slots = 4});
    if (seed == 9) rig.pose = test_rigs::mirrored(rig.pose);
    expect_like_the_library(run(changed(block_of_page(0), block_of_page(0, "diff")), rig), rig, {}, 4);
  }
}

// Weights that jump, bones far apart: normals turn over.
Rig jagged_rig(std::uint64_t seed) {
  Random random(seed);
  Rig rig = random_rig(seed);
  rig.mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(3, random), 5, 4, random);
  rig.factors = deform_factors(rig.mesh, Surface(rig.mesh.faces, weld(rig.mesh)), {.max_slots = 4});
  rig.pose = test_rigs::random_rigid_pose(5, random, 1.2, .5);
  return rig;
}

// `call` in `shader` replaced by the page's n-th block is the recommended guard, and changes something.
void expect_guarded(std::string shader, const std::string& call, int n, const Rig& rig) {
  std::string guarded = block_of_page(n);
  ASSERT_FALSE(guarded.empty());
  guarded.pop_back();  // the line's end
  const std::size_t from = shader.find(call);
  ASSERT_NE(from, std::string::npos);
  const std::vector<Posed> unguarded = run(shader, rig);
  const std::vector<Posed> posed = run(shader.replace(from, call.size(), guarded), rig);
  expect_like_the_library(posed, rig, kRecommendedGuard, 4);
  int changes = 0;
  for (std::size_t v = 0; v < posed.size(); ++v)
    if (largest(posed[v].normal - unguarded[v].normal) > .1f) ++changes;
  EXPECT_GT(changes, 0);  // or the guard was never asked for
}

TEST_F(DropIn, ThePagesGuardsAreTestThenFixWithoutClamp) {
  Rig rig = jagged_rig(6);
  expect_guarded(block_of_page(0), "lbs_deform(x, f, rest)", 1, rig);
  rig.vectors = deform_vectors(rig.mesh, Surface(rig.mesh.faces, weld(rig.mesh)), {.max_slots = 4});
  expect_guarded(changed(block_of_page(0), block_of_page(0, "diff")), "lbs_deform_vectors(x, f, rest)", 2,
                 rig);
}

}  // namespace
}  // namespace skinlight
