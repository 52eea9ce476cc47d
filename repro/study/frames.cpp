#include "repro/study/frames.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "skinlight/rig/partway.h"

namespace skinlight::repro {

namespace {

std::string words_of(const FrameCase& frame) {
  std::string words = frame.rig + ", " + frame.pose;
  if (frame.time > 0) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, " at %.2f s", frame.time);
    words += seconds;
  }
  return words;
}

std::vector<Picture> both_methods(const FrameCase& f) {
  return {{f.stem + "_standard.png", words_of(f) + ": standard normals", PictureKind::posed, f.rig, f.pose,
           "standard", f.time},
          {f.stem + "_deform.png", words_of(f) + ": deform factors", PictureKind::posed, f.rig, f.pose,
           "deform", f.time}};
}

}  // namespace

std::vector<MethodCase> standard_and_deform(int max_slots) {
  return {{"standard", "standard", {.mode = NormalMode::standard}, {.max_slots = max_slots}},
          {"deform", "deform factors", {.mode = NormalMode::deform}, {.max_slots = max_slots}}};
}

std::vector<Picture> with_truth(const std::vector<FrameCase>& frames) {
  std::vector<Picture> pictures;
  for (const FrameCase& f : frames) {
    for (Picture& p : both_methods(f)) pictures.push_back(std::move(p));
    pictures.push_back({f.stem + "_truth.png", words_of(f) + ": truth (transported normals)",
                        PictureKind::truth, f.rig, f.pose, "", f.time});
  }
  return pictures;
}

std::string identifier(std::string name) {
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
}

ModelCase formal(std::vector<std::string> clips) {
  return {.name = "quaternius-formal",
          .clips = std::move(clips),
          .view = View{.towards_eye = {0.5, 0.25, 1}, .up = {0, 1, 0}}};
}

ModelCase cesium_man() {
  return {.name = "cesium-man", .view = View{.towards_eye = {0.5, 0.25, 1}, .up = {0, 1, 0}}};
}

ModelCase fox() { return {.name = "fox", .view = View{.towards_eye = {1, 0.3, 0.7}, .up = {0, 1, 0}}}; }

ModelCase quaternius_cactus() {
  return {.name = "quaternius-cactus", .view = View{.towards_eye = {0.5, 0.25, 1}, .up = {0, 1, 0}}};
}

double mean_error(const Results& results, const std::string& rig, const std::string& method, Truth truth) {
  double sum = 0;
  int count = 0;
  for (const Measurement& m : results.measurements)
    if (m.rig == rig && m.resolution == 0 && m.method == method && m.truth == name(truth)) {
      sum += m.error.mean;
      ++count;
    }
  if (count == 0) throw std::logic_error("no measurements of " + rig + " with " + method);
  return sum / count;
}

namespace {

auto ratio_of(const std::string& rig, Truth truth) {
  return [=](const Results& r) {
    return mean_error(r, rig, "deform", truth) / mean_error(r, rig, "standard", truth);
  };
}

}  // namespace

Finding ratio_finding(const std::string& rig, Truth truth) {
  return {identifier(rig) + "_ratio_" + std::string(name(truth)), ratio_of(rig, truth)};
}

Finding alike_finding(const std::string& model) {
  return {identifier(model) + "_ratio_alike", ratio_of(model + "_alike", Truth::recomputed)};
}

Finding not_better_finding(const std::string& rig) {
  return {identifier(rig) + "_not_better", [rig](const Results& r) {
            double standard = 0;
            int worse = 0;
            for (const Measurement& m : r.measurements) {
              if (m.rig != rig || m.truth != name(Truth::transported)) continue;
              if (m.method == "standard") standard = m.error.mean;
              if (m.method == "deform" && !(m.error.mean < standard)) ++worse;
            }
            return static_cast<double>(worse);
          }};
}

Take through_poses(const std::string& title, const std::string& rig, std::vector<NamedPose> poses) {
  constexpr int kFramesPerPose = 24;  // a second
  Take take;
  take.title = title;
  take.subject = rig;
  take.frames = kFramesPerPose * static_cast<int>(poses.size());
  take.pose = [poses = std::move(poses)](double time) {
    const double position = time * static_cast<double>(poses.size());
    const auto current = std::min(static_cast<std::size_t>(position), poses.size() - 1);
    const double within = position - static_cast<double>(current);
    return partway(poses[current].pose, 0.5 - 0.5 * std::cos(2 * M_PI * within));
  };
  return take;
}

}  // namespace skinlight::repro
