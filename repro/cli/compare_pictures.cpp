// What a person looks at: the plot over time and the worst frames.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <set>

#include "repro/cli/compare.h"
#include "repro/cli/svg_plot.h"
#include "repro/studio.h"
#include "skinlight/render/text.h"

namespace skinlight::cli {

namespace {

constexpr int kTitleHeight = 40;           // pixels
constexpr float kTitleSize = 22;           // of the font, pixels
constexpr int kManyWays = 3;               // above this many, panels are smaller
constexpr int kWidth = 480, kSmall = 360;  // of a panel, pixels

// A clip's name as part of a file name.
std::string file_part(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c) && c != '-' && c != '_'; },
      '_');
  return name;
}

// Clips whose names differ in other characters only get numbers.
std::filesystem::path picture_path(const Comparison& c, const std::string& clip,
                                   std::set<std::string>& taken) {
  const std::string stem = c.model().name + "_" + file_part(clip);
  std::string file = stem;
  for (int number = 2; !taken.insert(file).second; ++number) file = stem + "_" + std::to_string(number);
  return std::filesystem::path(c.options.render) / (file + ".png");
}

Image8 title_strip(const std::string& title, int width) {
  Image8 strip(width, kTitleHeight, Rgb8{255, 255, 255});
  draw_text(strip, title, 12, 12, TextAlign::left, kTitleSize, Rgb8{40, 40, 40});
  return strip;
}

std::string degrees_text(const NormalError& error) {
  char text[80];
  std::snprintf(text, sizeof text, "off by %.2f\u00b0 on average, %.1f\u00b0 at most", error.mean, error.max);
  return text;
}

// All ways above the heat maps of their errors, the truth at the end.
Image8 frame_sheet(const Comparison& c, std::size_t clip, int frame, repro::Studio& studio) {
  const Model& model = c.model();
  const ClipError& errors = c.errors[clip];
  const double seconds = errors.times[static_cast<std::size_t>(frame)];
  ClipFrame posed(c.character, c.clips[clip], seconds);
  const PosedTruth& truth = posed.truth(c.method);
  const std::vector<Vec3f> p = repro::to_float(truth.p), right = repro::to_float(truth.transported);
  repro::Shot shot;
  shot.width = c.ways.size() > kManyWays ? kSmall : kWidth;
  shot.height = shot.width * 4 / 3;
  const repro::Framing framing = repro::framing_of(shot, {p});
  std::vector<Panel> shaded, maps;
  for (std::size_t way = 0; way < c.ways.size(); ++way) {
    const std::vector<Vec3f> n = repro::to_float(posed.normals(c.ways[way].options));
    const NormalError& error = errors.of(way, Truth::transported).frames[static_cast<std::size_t>(frame)];
    shaded.push_back({studio.shaded(model.mesh.faces, p, n, framing), c.ways[way].label});
    maps.push_back({studio.error_map(model.mesh.faces, p, n, right, framing, shot.error_max_degrees),
                    degrees_text(error)});
  }
  shaded.push_back({studio.shaded(model.mesh.faces, p, right, framing), "truth (transported)"});
  const Image8 above = compose_row(shaded), below = compose_row(maps);
  char time[40];
  std::snprintf(time, sizeof time, "%.2f s", seconds);
  const std::string title =
      model.name + ", clip \"" + errors.clip + "\" at " + time + ": " + std::string(row(c.method).label);
  const Image8 parts[] = {title_strip(title, above.width), above, below};
  return compose_column(parts);
}

}  // namespace

std::string comparison_plot(const Comparison& c) {
  Plot plot;
  plot.title = "Error of skinned normals over time: " + c.model().name;
  plot.subtitle = std::string(row(c.method).label) +
                  "; mean over the surface in each frame, weighted by area. Lower is better.";
  plot.x_label = "seconds";
  plot.y_label = "degrees";
  plot.columns = {"against the transported truth", "against the recomputed truth"};
  for (const ClipError& clip : c.errors)
    for (const Truth truth : kTruths) {
      PlotPanel panel{clip.clip, {}};
      for (std::size_t way = 0; way < c.ways.size(); ++way) {
        PlotLine line{c.ways[way].name, c.ways[way].options.guard.guard != Guard::none, {}, {}};
        const std::vector<NormalError>& frames = clip.of(way, truth).frames;
        for (std::size_t f = 0; f < frames.size(); ++f) {
          if (frames[f].worst_vertex < 0) continue;  // without area
          line.x.push_back(clip.times[f]);
          line.y.push_back(frames[f].mean);
        }
        panel.lines.push_back(std::move(line));
      }
      plot.panels.push_back(std::move(panel));
    }
  return svg(plot);
}

void draw_worst_frames(const Comparison& c, ProgressLine& line) {
  repro::Studio studio(renderer_from_name(c.options.renderer));
  std::set<std::string> taken;
  for (std::size_t clip = 0; clip < c.errors.size(); ++clip) {
    const ClipError& errors = c.errors[clip];
    line.show("drawing " + errors.clip);
    const int frame = errors.of(0, Truth::transported).worst_frame;
    const std::filesystem::path path = picture_path(c, errors.clip, taken);
    write_png(path, frame_sheet(c, clip, frame, studio));
    line.clear();
    std::printf("wrote %s (%.2f s)\n", path.string().c_str(), errors.times[static_cast<std::size_t>(frame)]);
  }
}

}  // namespace skinlight::cli
