// Line plots as SVG, to be looked at in a browser.
#pragma once

#include <string>
#include <vector>

namespace skinlight::cli {

struct PlotLine {
  std::string name;
  bool dashed = false;
  std::vector<double> x, y;  // as many of one as of the other; a single point is drawn as a dot
};

// Lines over one pair of axes. All panels of a plot have the same lines, in the same order.
struct PlotPanel {
  std::string title;
  std::vector<PlotLine> lines;
};

// Panels on a grid, all with one scale of y, which begins at 0; x runs from 0 to the panel's last one.
struct Plot {
  std::string title, subtitle;
  std::string x_label, y_label;
  std::vector<std::string> columns;  // headings; as many as panels stand side by side
  std::vector<PlotPanel> panels;     // row by row
};

// Every group, line and dot carries its name as a <title>, which browsers show under the pointer.
std::string svg(const Plot& plot);

}  // namespace skinlight::cli
