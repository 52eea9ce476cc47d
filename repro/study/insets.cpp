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

constexpr int kWholeWidth = 400, kWholeHeight = 560;

const ModelCase* model_of(const Experiment& experiment, const std::string& name) {
  for (const ModelCase& m : experiment.models)
    if (m.name == name) return &m;
  return nullptr;
}

}  // namespace

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

Shot whole_shot(Shot shot) {
  shot.width = kWholeWidth;
  shot.height = kWholeHeight;
  return shot;
}

Window largest_window(const std::vector<float>& map, int width, int height, double share) {
  const int side = std::max(1, std::min(width, static_cast<int>(std::lround(share * height))));
  // Sums over the rectangles from the top left corner. What lies outside of the map throws.
  std::vector<double> sums((static_cast<std::size_t>(width) + 1) * (static_cast<std::size_t>(height) + 1));
  const auto sum = [&](int x, int y) -> double& {
    return sums.at(static_cast<std::size_t>(y) * (static_cast<std::size_t>(width) + 1) +
                   static_cast<std::size_t>(x));
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      sum(x + 1, y + 1) =
          sum(x, y + 1) + sum(x + 1, y) - sum(x, y) +
          static_cast<double>(map.at(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                     static_cast<std::size_t>(x)));
  double most = -1;
  Window best;
  for (int y = 0; y + side <= height; ++y)
    for (int x = 0; x + side <= width; ++x) {
      const double here = sum(x + side, y + side) - sum(x, y + side) - sum(x + side, y) + sum(x, y);
      if (here <= most * (1 + 1e-9)) continue;  // rounding must not decide between equals
      most = here;
      best = {static_cast<double>(x) / width, static_cast<double>(y) / height,
              static_cast<double>(side) / width, static_cast<double>(side) / height};
    }
  return best;
}

std::string draw_inset(const Experiment& experiment, const std::string& stem, const Subject& subject,
                       const Pose& pose, const Shot& shot, const std::string& of_model, const Ways& ways,
                       Workbench& bench) {
  bench.progress("looking closer at " + stem);
  Studio& studio = bench.studio;
  PosedSubject posed(experiment, subject, pose, studio, bench.threads);
  const std::string& first = ways.front();
  const Shot large = whole_shot(shot);
  const auto put = [&](const std::string& what, const std::string& words, const Image8& image) {
    bench.write_model_image(stem + "_" + what + ".png", stem + ": " + words, of_model, image);
  };
  const std::vector<Vec3f>& points = posed.points(first);
  const Framing whole = framing_of(large, {points});
  const Sight truth = posed.truth(first);
  const FlipDifference seen =
      flip(studio.reflection(posed.posed(first), whole), studio.reflection(truth, whole));
  const Window window = largest_window(seen.map, seen.width, seen.height, kInsetShare);
  // From near clay shows the light alone; the whole is as its maker painted it.
  Subject dressed{subject.character, subject.normal_map,
                  of_model.empty() ? Dress() : dress_of(model(of_model))};
  PosedSubject as_made(experiment, dressed, pose, studio, bench.threads);
  put("whole", named(experiment.methods, first).label, studio.shaded(as_made.posed(first), whole));
  const Framing near = look_closer(whole, window, points, large);
  const Image8 true_lines = studio.reflection(truth, near), true_shading = studio.shaded(truth, near);
  put("lines_truth", "truth, lines of reflection", true_lines);
  put("shaded_truth", "truth", true_shading);
  std::string row = csv_row({stem}, {window.left, window.top, window.width, window.height});
  row.pop_back();
  for (const std::string& way : ways) {
    const std::string label = named(experiment.methods, way).label;
    const Image8 lines = studio.reflection(posed.posed(way), near),
                 shaded = studio.shaded(posed.posed(way), near);
    put("lines_" + way, label + ", lines of reflection", lines);
    put("shaded_" + way, label, shaded);
    put("off_" + way, label + ", off the truth",
        studio.error_map(posed.posed(way), truth, near, kInsetErrorDegrees));
    const double of_lines = flip(lines, true_lines).weighted_median,
                 of_shading = flip(shaded, true_shading).weighted_median;
    bench.results.values[stem + "_lines_" + way] = of_lines;
    bench.results.values[stem + "_shaded_" + way] = of_shading;
    row += "," + csv_row({}, {of_lines, of_shading});
    row.pop_back();
  }
  return row + "\n";
}

void write_insets(const std::string& rows, const Ways& ways, Workbench& bench) {
  std::string table = "stem,left,top,width,height";
  for (const std::string& way : ways) table.append(",lines_").append(way).append(",shaded_").append(way);
  bench.write_table(
      "insets.csv",
      "Where the first way is most visibly off, in shares of the whole picture, and by how much each is there (FLIP, weighted median)",
      table + "\n" + rows);
}

void draw_insets(const Experiment& experiment, const std::vector<FrameCase>& frames, Workbench& bench,
                 const Ways& ways) {
  std::string rows;
  for (const FrameCase& frame : frames) {
    const ModelCase* of = model_of(experiment, frame.rig);
    if (of != nullptr && !why_missing(model(of->name)).empty()) continue;
    const Subject subject = of != nullptr ? Subject{character_of(*of, bench.threads)}
                                          : subject_of(named(experiment.rigs, frame.rig), bench.threads);
    const Pose pose = of != nullptr ? pose_at(subject.character.model().skeleton,
                                              clip_named(subject.character.model(), frame.pose), frame.time)
                                    : named(experiment.poses, frame.pose).make();
    rows += draw_inset(experiment, frame.stem, subject, pose, shot_of(experiment, of),
                       of != nullptr ? of->name : "", ways, bench);
  }
  write_insets(rows, ways, bench);
}

void add_inset_findings(const FrameCase& frame, std::vector<Finding>& findings, const std::string& way) {
  findings.push_back({frame.stem + "_visible", value_of(frame.stem + "_lines_standard")});
  findings.push_back({frame.stem + "_seen_ratio", [stem = frame.stem, way](const Results& r) {
                        return r.value(stem + "_shaded_" + way) / r.value(stem + "_shaded_standard");
                      }});
}

}  // namespace skinlight::repro
