// [TPS14 Fig. 8, Sec. 4.5]: dual quaternion skinning. The standard normals, the paper's approximation, the
// exact derivative that the same deform factors give, and the truth, on bends and on the twist.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "repro/runner/judgement.h"
#include "repro/study/frames.h"
#include "repro/study/insets.h"
#include "repro/study/tube_cases.h"

namespace skinlight::repro::tarini2014::fig8_dqs {

namespace {

constexpr int kSegments[] = {12, 24, 48, 96};
constexpr const char* kRig96 = "cylinder_96";
constexpr const char* kPictureRig = kRig96;
constexpr const char* kTableMethods[] = {"standard", "approximation", "exact", "approximation-analytic",
                                         "exact-analytic"};

constexpr TubeMotion kMotions[] = {{MotionKind::bend, 30},
                                   {MotionKind::bend, 60},
                                   {MotionKind::bend, 90},
                                   {MotionKind::twist, 60},
                                   {MotionKind::twist, 120}};

auto mean_of(const std::string& pose, const std::string& method) {
  return [=](const Results& r) { return r.error(kRig96, pose, method, Truth::analytic).mean; };
}

auto rms_order_of(const std::string& method) {
  return [=](const Results& r) { return r.order("cylinder", "bend_60", method, Truth::analytic); };
}

// The worst ratio of the approximation's mean error to the standard one's over the bends.
double approximation_against_standard(const Results& r) {
  double worst = 0;
  for (const char* bend : {"bend_30", "bend_60", "bend_90"})
    worst = std::max(worst, mean_of(bend, "approximation-analytic")(r) / mean_of(bend, "standard")(r));
  return worst;
}

double largest_error(const Results& r, const std::string& method, const std::string& pose_kind) {
  double worst = 0;
  for (const Measurement& m : r.measurements)
    if (m.method == method && m.truth == "analytic" && m.pose.rfind(pose_kind, 0) == 0)
      worst = std::max(worst, m.error.max);
  return worst;
}

// An animation of real characters: a time of a clip each.
const FrameCase kFrames[] = {{"man", "cesium-man", "clip 0", 0.75},
                             {"formal", "quaternius-formal", "Roll", 0.6},
                             {"trex", "trex", "Armature|TRex_Run", 0.2}};

void add_characters(Experiment& e) {
  e.models = {cesium_man(), formal({"Roll"}), {.name = "trex", .clips = {"Armature|TRex_Run"}}};
  e.frames = 12;
  for (const FrameCase& f : kFrames) {
    for (const auto& [method, label] : {std::pair{"standard", "standard normals"},
                                        {"approximation", "the paper's approximation"},
                                        {"exact", "exact derivative"}}) {
      e.pictures.push_back({f.stem + "_" + method + ".png", f.rig + ": " + label, PictureKind::posed, f.rig,
                            f.pose, method, f.time});
      e.pictures.push_back({f.stem + "_error_" + method + ".png", f.rig + ": error of " + label,
                            PictureKind::error, f.rig, f.pose, method, f.time});
    }
    e.pictures.push_back({f.stem + "_truth.png", f.rig + ": truth (transported normals)", PictureKind::truth,
                          f.rig, f.pose, "", f.time});
  }
}

// Over the clips, the approximation's mean error over that of the standard normals.
Finding character_finding(const std::string& model) {
  return {identifier(model) + "_approximation", [model](const Results& r) {
            return mean_error(r, model, "approximation", Truth::transported) /
                   mean_error(r, model, "standard", Truth::transported);
          }};
}

std::vector<Finding> findings() {
  std::vector<Finding> all = {
      {"exact_max_analytic_gradients",
       [](const Results& r) { return largest_error(r, "exact-analytic", ""); }},
      {"exact_order", rms_order_of("exact")},
      {"exact_mean_bend_60", mean_of("bend_60", "exact")},
      {"approximation_helps_bends", approximation_against_standard},
      {"approximation_order", rms_order_of("approximation")},
      {"approximation_mean_bend_60", mean_of("bend_60", "approximation")},
      {"standard_exact_on_twist", [](const Results& r) { return largest_error(r, "standard", "twist"); }},
      {"approximation_hurts_twist_60", mean_of("twist_60", "approximation")},
      {"approximation_hurts_twist_120", mean_of("twist_120", "approximation")},
      character_finding("cesium-man"),
      character_finding("quaternius-formal"),
      character_finding("trex"),
      gpu_finding(),
  };
  for (const FrameCase& frame : kFrames) add_inset_findings(frame, all, "approximation");
  return all;
}

// Mean and largest error by pose and way, as one looks them up.
std::string table_csv(const Results& r) {
  std::string csv = "pose,method,mean_deg,max_deg\n";
  for (const TubeMotion& m : kMotions)
    for (const char* method : kTableMethods) {
      const NormalError& e = r.error(kRig96, m.name(), method, Truth::analytic);
      char line[128];
      std::snprintf(line, sizeof line, "%s,%s,%.4f,%.4f\n", m.name().c_str(), method, e.mean, e.max);
      csv += line;
    }
  return csv;
}

void add_pictures(Experiment& e) {
  for (const TubeMotion& m : kMotions) {
    const std::string pose = m.name(), words = m.words();
    for (const auto& [method, label] : {std::pair{"standard", "standard normals"},
                                        {"approximation", "the paper's approximation"},
                                        {"exact", "exact derivative"}}) {
      e.pictures.push_back({pose + "_" + method + ".png", words + ": " + label, PictureKind::posed,
                            kPictureRig, pose, method});
      e.pictures.push_back({pose + "_error_" + method + ".png", words + ": error of " + label,
                            PictureKind::error, kPictureRig, pose, method});
    }
    e.pictures.push_back(
        {pose + "_truth.png", words + ": analytic truth", PictureKind::truth, kPictureRig, pose, ""});
  }
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Fig. 8, Sec. 4.5";
  e.title = "Dual quaternion skinning: characters, and a tube that bends and twists";
  e.says =
      "The same deform factors serve dual quaternion skinning approximately: the first term of Eq. 13 turns the tangents by the blended dual quaternion, the second uses the rigid motion of each bone. "
      "The figure shows an animation with standard normals, the approximation and the ground truth. "
      "Real characters are shown, and a tube whose truth is known in closed form; beside both the exact derivative of the blend, computed from the same factors.";
  for (const int segments : kSegments) e.rigs.push_back(tube_case(segments));
  for (const TubeMotion& m : kMotions) e.poses.push_back(pose_case(m));
  e.methods = {
      {"standard", "standard", {.method = Method::dqs, .mode = NormalMode::standard}},
      {"approximation", "the paper's approximation", {.method = Method::dqs, .mode = NormalMode::deform}},
      {"exact", "exact derivative", {.method = Method::dqs, .mode = NormalMode::exact}},
      {"approximation-analytic",
       "the paper's approximation, analytic gradients",
       {.method = Method::dqs, .mode = NormalMode::deform},
       true},
      {"exact-analytic",
       "exact derivative, analytic gradients",
       {.method = Method::dqs, .mode = NormalMode::exact},
       true},
  };
  e.npy_rig = "cylinder_24";
  e.shot = tube_shot();
  add_pictures(e);
  add_characters(e);
  const std::vector<std::string> shown = {"standard", "approximation"};
  e.video = {{.title = "bend by up to 90 degrees",
              .subject = kPictureRig,
              .pose = [](double time) { return cylinder_bend(M_PI / 2 * there_and_back(time)); },
              .methods = shown},
             {.title = "twist by up to 120 degrees",
              .subject = kPictureRig,
              .pose = [](double time) { return cylinder_twist(M_PI / 1.5 * there_and_back(time)); },
              .methods = shown}};
  e.extra = [e](Workbench& bench) {
    draw_insets(e, {std::begin(kFrames), std::end(kFrames)}, bench, {"standard", "approximation", "exact"});
    bench.write_table("errors.csv", "Mean and largest error in degrees by pose and way, 96 segments",
                      table_csv(bench.results));
  };
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::tarini2014::fig8_dqs
