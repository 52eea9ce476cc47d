// [TPS14 Fig. 2]: the pill. Its lower bone only moves sideways, so the standard method leaves every normal as
// it was.
#include <cmath>
#include <numbers>

#include "repro/runner/judgement.h"

namespace skinlight::repro::tarini2014::fig2_pill {

namespace {

constexpr const char* kStructured96 = "structured_96";
constexpr const char* kPose = "lower_bone_moves";

RigCase pill_case(const std::string& family, int segments) {
  const bool jittered = family == "jittered";
  return {family + "_" + std::to_string(segments), family, segments, [=] {
            return pill({.segments = segments,
                         .jitter = jittered ? 0.3 : 0.0,
                         .random_diagonals = jittered,
                         .seed = 2014});
          }};
}

auto rms_at_96(const std::string& method) {
  return [=](const Results& r) { return r.error(kStructured96, kPose, method, Truth::analytic).rms; };
}

auto order_of(const std::string& family, const std::string& method) {
  return [=](const Results& r) { return r.order(family, kPose, method, Truth::analytic); };
}

// The lower bone goes as far as in the figure and comes back; time from 0 to 1.
Pose there_and_back(double time) {
  std::vector<Mat4x3d> M = pill_pose().M;
  M[1][3] = M[1][3] * (0.5 - 0.5 * std::cos(2 * std::numbers::pi * time));
  return make_pose(std::move(M));
}

std::vector<Finding> findings() {
  return {
      {"standard_rms_96", rms_at_96("standard")},
      {"standard_max_96",
       [](const Results& r) { return r.error(kStructured96, kPose, "standard", Truth::analytic).max; }},
      {"standard_order", order_of("structured", "standard")},
      {"deform_rms_96", rms_at_96("deform")},
      {"deform_order", order_of("structured", "deform")},
      {"deform_order_jittered", order_of("jittered", "deform")},
      {"deform_exact_gradients",
       [](const Results& r) {
         double worst = 0;
         for (const Measurement& m : r.measurements)
           if (m.method == "deform-exact-gradients" && m.truth == "analytic")
             worst = std::max(worst, m.error.max);
         return worst;
       }},
      {"formulas_agree_rad", [](const Results& r) { return r.formulas_agree_rad; }},
      {"recomputed_is_worse",
       [](const Results& r) {
         return r.error(kStructured96, kPose, "recomputed", Truth::analytic).rms / rms_at_96("deform")(r);
       }},
      {"clamp_rms_96", rms_at_96("deform-clamped")},
      gpu_finding(),
  };
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Fig. 2";
  e.title = "A pill whose lower half moves sideways";
  e.says =
      "Two bones hold a pill. "
      "The lower one moves to the right without turning, so both rotations are the identity and the conventional normal stays what it was at rest, although the surface between the bones leans over. "
      "Only a method that accounts for the weights changing along the surface can tilt the normal with it.";
  for (const char* family : {"structured", "jittered"})
    for (int segments : {12, 24, 48, 96}) e.rigs.push_back(pill_case(family, segments));
  e.poses = {{kPose, pill_pose}};
  e.methods = {
      {"standard", "standard", {.mode = NormalMode::standard}},
      {"deform", "deform factors", {.mode = NormalMode::deform}},
      {"deform-naive", "deform factors, naive", {.mode = NormalMode::deform_naive}},
      {"inverse-transpose", "exact Jacobian, inverse transpose", {.mode = NormalMode::inverse_transpose}},
      {"cofactors", "exact Jacobian, cofactors", {.mode = NormalMode::cofactors}},
      {"tangent-pair", "exact Jacobian, tangent pair", {.mode = NormalMode::tangent_pair}},
      {"deform-clamped",
       "deform factors, clamp 0.9",
       {.mode = NormalMode::deform, .guard = {Guard::clamp, kPaperClamp}}},
      {"deform-exact-gradients",
       "deform factors from exact gradients",
       {.mode = NormalMode::deform},
       kExactGradients},
  };
  e.same_normal = {"inverse-transpose", "cofactors", "tangent-pair", "deform-naive", "deform"};
  e.npy_rig = kStructured96;
  e.shot = {
      .view = {.towards_eye = {0, -1, 0}, .up = {0, 0, 1}, .fov_degrees = 0}, .width = 420, .height = 640};
  e.pictures = {
      {"rest.png", "Rest pose", PictureKind::rest, kStructured96, kPose, ""},
      {"posed_standard.png", "Standard normals: the shading has not moved", PictureKind::posed, kStructured96,
       kPose, "standard"},
      {"posed_deform.png", "Deform factors", PictureKind::posed, kStructured96, kPose, "deform"},
      {"posed_truth.png", "Truth: the surface differentiated in closed form", PictureKind::truth,
       kStructured96, kPose, ""},
      {"error_standard.png", "Error of the standard normals", PictureKind::error, kStructured96, kPose,
       "standard"},
      {"error_deform.png", "Error of deform factors, same scale", PictureKind::error, kStructured96, kPose,
       "deform"},
  };
  e.findings = findings();
  e.video = {{.title = e.title, .subject = kStructured96, .pose = there_and_back}};
  return e;
}

}  // namespace skinlight::repro::tarini2014::fig2_pill
