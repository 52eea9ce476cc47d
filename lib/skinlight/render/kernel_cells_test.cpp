// The kernels as GLSL compilers make them, on the inputs of the stability cells (stability/regimes.h): every result lies
// within the bounds that the Vulkan and GLSL specifications leave, and no cell has fewer digits than a graphics processor
// at their limit would keep.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "skinlight/core/interval.h"
#include "skinlight/core/wide.h"
#include "skinlight/render/detail/context_cache.h"
#include "skinlight/render/detail/gpu_kernels.h"
#include "skinlight/stability/detail/digits.h"
#include "skinlight/stability/detail/kernel_tape.h"
#include "skinlight/stability/detail/run_case.h"
#include "skinlight/stability/detail/runs.h"
#include "skinlight/stability/record.h"
#include "skinlight/stability/regimes.h"

namespace skinlight {
namespace {

using namespace stability;

// Reads a case as for_each_float() of stability/vertex_case.h puts it, and what goes with a mode and guard.
constexpr const char* kCaseProgram = R"(#version 330 core
#include "include/kernel_prelude.glsl"
#include "kernels/deform_vectors.glsl"
#include "kernels/deform_frames.glsl"
#include "kernels/dib.glsl"

uniform samplerBuffer cases;
uniform samplerBuffer settings;  // per case: side, limit and kept of the guard
uniform int numbers;             // of a case

out vec3 posed_p;
out vec3 posed_t;
out vec3 posed_b;
out vec3 posed_n;

int at;
float number() { return texelFetch(cases, at++).x; }
vec3 three() {
  float a = number();
  float b = number();
  float c = number();
  return vec3(a, b, c);
}
Quaternion quaternion() {
  vec3 v = three();
  return Quaternion(number(), v);
}

void main() {
  at = numbers * gl_VertexID;
  Influences x;
  RigidInfluences y;
  TwistInfluences z;
  DeformFactors f;
  SmoothWeights mean;
  WeightGradients g;
  DeformVectors tau;
  DeformFrames frames;
  Centre centre;
  RestVertex at_rest;
  for (int s = 0; s < INFLUENCES; ++s) {
    x.w[s] = number();
    y.w[s] = x.w[s];
    z.w[s] = x.w[s];
    mean.w[s] = number();
    f.alpha[s] = number();
    tau.alpha[s] = f.alpha[s];
    f.beta[s] = number();
    tau.beta[s] = f.beta[s];
    g.a[s] = three();
    tau.t[s] = three();
    tau.b[s] = three();
    for (int i = 0; i < 4; ++i) x.M[s][i] = three();
    y.q[s].r = quaternion();
    y.q[s].d = quaternion();
    z.xi[s].turn = three();
    z.xi[s].shift = three();
  }
  at_rest.p = three();
  at_rest.n = three();
  at_rest.t = three();
  at_rest.b = three();
  centre.c = three();
  centre.along_t = three();
  centre.along_b = three();
  for (int k = 0; k < FRAMES; ++k) {
    for (int s = 0; s < INFLUENCES; ++s) frames.w[INFLUENCES * k + s] = number();
    frames.alpha[k] = number();
    frames.beta[k] = number();
    frames.t[k] = three();
    frames.b[k] = three();
    frames.centre[k] = three();
  }
  float scale = number();
  centre = centre_scaled(centre, scale);
  frames = frames_scaled(frames, scale);
#if defined(RIGID_BONES) || defined(TWIST_BONES)
  RestVertex rest = rest_scaled(at_rest, scale);
#else
  RestVertex rest = at_rest;
#endif
  float side = texelFetch(settings, 3 * gl_VertexID).x;
  float guard_limit = texelFetch(settings, 3 * gl_VertexID + 1).x;
  float guard_kept = texelFetch(settings, 3 * gl_VertexID + 2).x;
  PosedVertex v = finish(KERNEL, at_rest, side);
  posed_p = v.p;
  posed_t = v.t;
  posed_b = v.b;
  posed_n = v.n;
  gl_Position = vec4(v.p, 1.0);
}
)";

struct Buffer {
  GlObject buffer, texture;
};
Buffer buffer_texture(int unit, const std::vector<float>& values) {
  Buffer b{make_filled_buffer(GL_TEXTURE_BUFFER, std::span<const float>(values)), make_texture()};
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_BUFFER, b.texture.id());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, b.buffer.id());
  return b;
}

struct Posed {
  Vec3f p, t, b, n;
};

// The subject's kernel on the cases, all of as many slots.
std::vector<Posed> capture(const ShaderFiles& library, const Subject& subject,
                           std::span<const VertexCase> cases) {
  std::vector<float> numbers, settings;
  for (const VertexCase& c : cases) {
    for_each_float(c, {}, [&](float x) { numbers.push_back(x); });
    const GuardInput guard = subject.guard == Guard::none ? GuardInput{1, 1} : case_guard(c, subject.guard);
    for (const double x : {case_side(c, subject.mode), guard.limit, guard.kept})
      settings.push_back(static_cast<float>(x));
  }
  ProgramSource source{"programs/case.vert", "", {}, {"posed_p", "posed_t", "posed_b", "posed_n"}};
  source.defines =
      kernel_defines({.method = subject.method, .mode = subject.mode, .guard = {.guard = subject.guard}});
  source.defines.push_back({"INFLUENCES", std::to_string(cases[0].slots)});
  const GlObject program = build_program(source, library);
  const Buffer of_cases = buffer_texture(0, numbers), of_settings = buffer_texture(1, settings);
  glUseProgram(program.id());
  glUniform1i(uniform(program, "cases"), 0);
  glUniform1i(glGetUniformLocation(program.id(), "settings"), 1);
  glUniform1i(uniform(program, "numbers"), static_cast<GLint>(numbers.size() / cases.size()));

  const GlObject results = make_buffer(), arrays = make_vertex_array();
  std::vector<Posed> posed(cases.size());
  const auto bytes = static_cast<GLsizeiptr>(posed.size() * sizeof(Posed));
  glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, results.id());
  glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, bytes, nullptr, GL_STREAM_READ);
  OffscreenTarget target(1, 1);
  target.begin();
  glBindVertexArray(arrays.id());
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, results.id());
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(cases.size()));
  glEndTransformFeedback();
  glDisable(GL_RASTERIZER_DISCARD);
  glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, bytes, posed.data());
  glBindVertexArray(0);
  check_gl("capturing cases");
  return posed;
}

bool contains(const Vec3<VulkanInterval>& box, const Vec3f& v) {
  for (int i = 0; i < 3; ++i)
    if (!(box[i].low() <= v[i] && v[i] <= box[i].high())) return false;
  return true;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Result result_of(const Posed& v) {
  const bool finite = [&] {
    for (const Vec3f* x : {&v.p, &v.t, &v.b, &v.n})
      for (int i = 0; i < 3; ++i)
        if (!std::isfinite((*x)[i])) return false;
    return true;
  }();
  return {Vec3d(v.p), Vec3d(v.t), Vec3d(v.b), Vec3d(v.n), !finite};
}

// Cases per regime at first sight. A cell's median then scatters by some hundredths of a digit, and by tenths where digits
// are anything between one and seven, near blends of opposite rotations.
constexpr int kOfRegime = 40;
// And where a cell has fewer digits than it may at first sight: enough to tell scatter from loss.
constexpr int kOfDoubtful = 1000;
// Slots that vertex attributes hold: regimes of 16 are for other ways to feed a kernel.
constexpr int kMostSlots = 8;

// Results that have finite bounds: others come from comparisons that no float can decide, or from divisors that may be 0.
constexpr double kBounded = .97;

// A cell with fewer digits than at the limit.
struct Short {
  Subject subject;
  std::string regime;
  double found, limit;
};

struct Judged {
  int results = 0, bounded = 0;  // bounded: by something finite
  std::vector<std::string> outside;
  std::vector<Short> fewer;
};

class Cells {
 public:
  // Of one regime when it is named.
  explicit Cells(std::span<const Subject> chosen, int of_regime = kOfRegime, std::string_view only = {})
      : chosen_(chosen.begin(), chosen.end()) {
    const KernelTapes tapes(chosen_);
    for (const Regime& regime : regimes()) {
      if (regime.slots > kMostSlots || (!only.empty() && regime.name != only)) continue;
      Group& group = groups_[regime.slots];
      for (int i = 0; i < of_regime; ++i) {
        const VertexCase c = draw(regime, i);
        group.cases.push_back(c);
        group.regime_of.push_back(std::string(regime.name));
        group.truth.push_back(truths<DoubleDouble>(c, chosen_));
        group.at_limit.emplace_back(chosen_.size());
        replay_vulkan(tapes.of(c), std::span(&c, 1), group.at_limit.back());
        group.box.emplace_back(chosen_.size());
        with_case_kernels<VulkanInterval>(c, [&](auto kernels) {
          using K = decltype(kernels);
          run_subjects<K>(
              c, chosen_, [](Stage) {},
              [&](std::size_t k, const typename K::PosedVertex& posed, const typename K::RestVertex& rest) {
                const typename K::PosedVertex v =
                    K().finish(posed, rest, VulkanInterval(case_side(c, chosen_[k].mode)));
                group.box.back()[k] = {v.p, v.t, v.b, v.n};
              });
        });
      }
    }
  }

  Judged judge(const ShaderFiles& shaders) const {
    ShaderFiles library = shaders;
    library["programs/case.vert"] = kCaseProgram;
    Judged judged;
    for (const auto& [slots, group] : groups_)
      for (std::size_t k = 0; k < chosen_.size(); ++k) {
        const std::vector<Posed> posed = capture(library, chosen_[k], group.cases);
        std::map<std::string, std::pair<std::vector<double>, std::vector<double>>>
            digits_of;  // found, at the limit
        for (std::size_t i = 0; i < posed.size(); ++i) {
          const std::string where = chosen_[k].name + " " + group.regime_of[i] + " " + std::to_string(i);
          judge_bounds(group.box[i][k], posed[i], where, judged);
          const auto digits = [&](const Result& r) {
            return stability::digits(stability::Quantity::normal, group.cases[i], chosen_[k], r,
                                     group.truth[i][k]);
          };
          auto& [found, limit] = digits_of[group.regime_of[i]];
          found.push_back(digits(result_of(posed[i])));
          limit.push_back(digits(group.at_limit[i][k]));
        }
        for (const auto& [regime, pair] : digits_of)
          if (median(pair.first) < median(pair.second) - kLossP50)
            judged.fewer.push_back({chosen_[k], regime, median(pair.first), median(pair.second)});
      }
    return judged;
  }

 private:
  struct Box {
    Vec3<VulkanInterval> p, t, b, n;
  };
  struct Group {
    std::vector<VertexCase> cases;
    std::vector<std::string> regime_of;
    std::vector<std::vector<Truth<DoubleDouble>>> truth;  // [case][subject], as all that follow
    std::vector<std::vector<Result>> at_limit;            // of a processor that rounds as badly as it may
    std::vector<std::vector<Box>> box;
  };

  static void judge_bounds(const Box& box, const Posed& v, const std::string& where, Judged& judged) {
    const auto one = [&](const char* what, const Vec3<VulkanInterval>& bounds, const Vec3f& found) {
      ++judged.results;
      judged.bounded += bounds.x.finite() && bounds.y.finite() && bounds.z.finite() ? 1 : 0;
      if (!contains(bounds, found)) judged.outside.push_back(where + " " + what);
    };
    one("p", box.p, v.p);
    one("t", box.t, v.t);
    one("b", box.b, v.b);
    one("n", box.n, v.n);
  }

  std::vector<Subject> chosen_;
  std::map<int, Group> groups_;  // by slots
};

std::vector<Subject> kernels() {
  std::vector<Subject> all;
  for (const Subject& s : subjects())
    if (!s.rival) all.push_back(s);
  return all;
}

const Cells& all_cells() {
  static const Cells cells(kernels());
  return cells;
}

std::string some(const std::vector<std::string>& lines) {
  std::string text = std::to_string(lines.size()) + ":";
  for (std::size_t i = 0; i < std::min<std::size_t>(lines.size(), 8); ++i)
    text.append("\n  ").append(lines[i]);
  return text;
}

// Those that have fewer digits in many cases, too.
std::vector<std::string> confirmed(const std::vector<Short>& fewer, const ShaderFiles& shaders) {
  std::vector<std::string> lines;
  for (const Short& doubtful : fewer)
    for (const Short& s : Cells({&doubtful.subject, 1}, kOfDoubtful, doubtful.regime).judge(shaders).fewer)
      lines.push_back(s.subject.name + " " + s.regime + ": " + std::to_string(s.found) + " digits, " +
                      std::to_string(s.limit) + " at the limit");
  return lines;
}

class KernelCells : public testing::TestWithParam<Renderer> {
 protected:
  std::unique_ptr<Context> context_ = create_context(GetParam());
};

TEST_P(KernelCells, GlslStaysWithinWhatTheSpecificationsAllow) {
  if (GetParam() == Renderer::automatic && context_->info().software)
    GTEST_SKIP() << "no graphics processor here: software is the other contexts";
  const Judged judged = all_cells().judge(shader_files());
  EXPECT_TRUE(judged.outside.empty()) << some(judged.outside);
  const std::vector<std::string> fewer = confirmed(judged.fewer, shader_files());
  EXPECT_TRUE(fewer.empty()) << some(fewer);
  EXPECT_GT(judged.bounded, kBounded * judged.results) << judged.bounded << " of " << judged.results;
}

// Faults of a shader that the processor's own kernels do not have.
TEST_P(KernelCells, AFaultOfAShaderIsFound) {
  const std::vector<Subject> deform = {subject_from_name("lbs-deform")};
  const Cells cells(deform);
  ShaderFiles shaders;
  const auto with = [&](const std::string& file, const std::string& text, const std::string& fault) {
    shaders = shader_files();
    std::string& of = shaders.at(file);
    const std::size_t at = of.find(text);
    EXPECT_NE(at, std::string::npos) << text;
    if (at != std::string::npos) of.replace(at, text.size(), fault);
    return cells.judge(shaders);
  };
  // Digits: what is added as large as a translation takes them far from the origin.
  const Judged far = with("kernels/lbs.glsl", "vec3 r = moved_apart(x.M[s], x.M[0], rest.p, turned0);",
                          "vec3 r = affine_point(x.M[s], rest.p) - v.p;");
  EXPECT_FALSE(confirmed(far.fewer, shaders).empty());
  // Bounds: one coordinate of the normal off by 1e-5, hardly more than a few roundings.
  EXPECT_FALSE(with("kernels/vertex.glsl", "v.n = unit_or(v.n * side, rest.n);",
                    "v.n = unit_or(v.n * side, rest.n); v.n.x += 0.00001;")
                   .outside.empty());
}

INSTANTIATE_TEST_SUITE_P(Kinds, KernelCells,
                         testing::Values(Renderer::automatic, Renderer::egl_surfaceless, Renderer::osmesa),
                         [](const auto& kind) {
                           std::string text(name(kind.param));
                           std::replace(text.begin(), text.end(), '-', '_');
                           return text;
                         });

}  // namespace
}  // namespace skinlight
