#include "repro/study/insets.h"

#include <algorithm>
#include <cmath>

#include "repro/runner/csv.h"
#include "repro/runner/judgement.h"
#include "repro/runner/model_catalogue.h"
#include "repro/runner/pictures.h"
#include "repro/subject.h"
#include "skinlight/render/flip.h"

namespace skinlight::repro {

namespace {

constexpr double kShare = 0.24;  // of the picture's height: an inset
constexpr int kWholeWidth = 400, kWholeHeight = 560;

const ModelCase* model_of(const Experiment& experiment, const std::string& name) {
  for (const ModelCase& m : experiment.models)
    if (m.name == name) return &m;
  return nullptr;
}

// As the runner prepares it.
Character character_of(const ModelCase& of, int threads) {
  Model loaded = load_model(model(of.name));
  if (of.max_influences == 0) return Character(std::move(loaded), {}, threads);
  limit_influences(loaded.mesh, of.max_influences);
  return Character(std::move(loaded), {.max_slots = of.max_influences}, threads);
}

// The camera that sees what the other one sees in the window.
Framing look_closer(const Framing& whole, const Window& window, const std::vector<Vec3f>& points, Shot shot) {
  const Mat4x3d to_eye = view_matrix(whole.camera);
  std::vector<Vec3f> inside;
  for (Window w = window; inside.size() < 3;
       w = {w.left - w.width / 4, w.top - w.height / 4, 1.5 * w.width, 1.5 * w.height}) {
    inside.clear();
    for (const Vec3f& p : points) {
      const Vec3d e = transform_point(to_eye, Vec3d(p));
      const double depth = whole.camera.perspective ? -e.z : 1;
      const double x = 0.5 + 0.5 * e.x / (depth * whole.camera.half_width),
                   y = 0.5 - 0.5 * e.y / (depth * whole.camera.half_height);
      if (x >= w.left && x <= w.left + w.width && y >= w.top && y <= w.top + w.height) inside.push_back(p);
    }
  }
  shot.width = shot.height = kInsetPixels;
  shot.view.margin = 0;
  return framing_of(shot, {inside});
}

struct Inset {
  Window window;
  double lines[2] = {}, shaded[2] = {};  // standard, deform: weighted medians of FLIP from the truth
};

Inset draw_inset(const Experiment& experiment, const FrameCase& frame, PosedSubject& posed, Shot shot,
                 const std::string& of_model, Workbench& bench) {
  constexpr const char* kWays[] = {"standard", "deform"};
  Studio& studio = bench.studio;
  shot.width = kWholeWidth;
  shot.height = kWholeHeight;
  const auto put = [&](const std::string& what, const std::string& words, const Image8& image) {
    bench.write_model_image(frame.stem + "_" + what + ".png", frame.stem + ": " + words, of_model, image);
  };
  const Framing whole = framing_of(shot, {posed.points()});
  const Sight truth = posed.truth("standard");
  const FlipDifference seen =
      flip(studio.reflection(posed.posed("standard"), whole), studio.reflection(truth, whole));
  Inset inset{largest_window(seen.map, seen.width, seen.height, kShare)};
  put("whole", "standard normals", studio.shaded(posed.posed("standard"), whole));
  const Framing near = look_closer(whole, inset.window, posed.points(), shot);
  const Image8 true_lines = studio.reflection(truth, near), true_shading = studio.shaded(truth, near);
  put("lines_truth", "truth, lines of reflection", true_lines);
  put("shaded_truth", "truth", true_shading);
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string way = kWays[k], label = named(experiment.methods, way).label;
    const Image8 lines = studio.reflection(posed.posed(way), near),
                 shaded = studio.shaded(posed.posed(way), near);
    put("lines_" + way, label + ", lines of reflection", lines);
    put("shaded_" + way, label, shaded);
    put("off_" + way, label + ", off the truth",
        studio.error_map(posed.posed(way), truth, near, kInsetErrorDegrees));
    inset.lines[k] = flip(lines, true_lines).weighted_median;
    inset.shaded[k] = flip(shaded, true_shading).weighted_median;
  }
  return inset;
}

}  // namespace

Window largest_window(const std::vector<float>& map, int width, int height, double share) {
  const int side = std::max(1, std::min(width, static_cast<int>(std::lround(share * height))));
  // Sums over the rectangles from the top left corner.
  const auto at = [&](int x, int y) {
    return static_cast<std::size_t>(y) * (static_cast<std::size_t>(width) + 1) + static_cast<std::size_t>(x);
  };
  std::vector<double> sum(at(0, height + 1));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      sum[at(x + 1, y + 1)] =
          sum[at(x, y + 1)] + sum[at(x + 1, y)] - sum[at(x, y)] +
          static_cast<double>(map[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                  static_cast<std::size_t>(x)]);
  double most = -1;
  Window best;
  for (int y = 0; y + side <= height; ++y)
    for (int x = 0; x + side <= width; ++x) {
      const double here =
          sum[at(x + side, y + side)] - sum[at(x, y + side)] - sum[at(x + side, y)] + sum[at(x, y)];
      if (here <= most * (1 + 1e-9)) continue;  // rounding must not decide between equals
      most = here;
      best = {static_cast<double>(x) / width, static_cast<double>(y) / height,
              static_cast<double>(side) / width, static_cast<double>(side) / height};
    }
  return best;
}

void draw_insets(const Experiment& experiment, const std::vector<FrameCase>& frames, Workbench& bench) {
  std::string table =
      "stem,left,top,width,height,lines_standard,lines_deform,shaded_standard,shaded_deform\n";
  for (const FrameCase& frame : frames) {
    const ModelCase* of = model_of(experiment, frame.rig);
    if (of != nullptr && !why_missing(model(of->name)).empty()) continue;
    bench.progress("looking closer at " + frame.stem);
    const Subject subject = of != nullptr ? Subject{character_of(*of, bench.threads)}
                                          : subject_of(named(experiment.rigs, frame.rig), bench.threads);
    const Pose pose = of != nullptr ? pose_at(subject.character.model().skeleton,
                                              clip_named(subject.character.model(), frame.pose), frame.time)
                                    : named(experiment.poses, frame.pose).make();
    PosedSubject posed(experiment, subject, pose, bench.studio, bench.threads);
    const Inset inset =
        draw_inset(experiment, frame, posed, shot_of(experiment, of), of != nullptr ? of->name : "", bench);
    table +=
        csv_row({frame.stem}, {inset.window.left, inset.window.top, inset.window.width, inset.window.height,
                               inset.lines[0], inset.lines[1], inset.shaded[0], inset.shaded[1]});
    constexpr const char* kWays[] = {"standard", "deform"};
    for (std::size_t k = 0; k < 2; ++k) {
      bench.results.values[frame.stem + "_lines_" + kWays[k]] = inset.lines[k];
      bench.results.values[frame.stem + "_shaded_" + kWays[k]] = inset.shaded[k];
    }
  }
  bench.write_table(
      "insets.csv",
      "Where the standard normals are most visibly off, in shares of the whole picture, and by how much both are there (FLIP, weighted median)",
      table);
}

void add_inset_findings(const FrameCase& frame, std::vector<Finding>& findings) {
  findings.push_back({frame.stem + "_visible", value_of(frame.stem + "_lines_standard")});
  findings.push_back({frame.stem + "_seen_ratio", [stem = frame.stem](const Results& r) {
                        return r.value(stem + "_shaded_deform") / r.value(stem + "_shaded_standard");
                      }});
}

}  // namespace skinlight::repro
