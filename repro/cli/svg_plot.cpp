#include "repro/cli/svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>

#include "repro/cli/commands.h"

namespace skinlight::cli {

namespace {

// Pixels.
constexpr double kPanelWidth = 460, kTallPanel = 320, kLowPanel = 130;
constexpr double kLeft = 76, kGap = 64, kRight = 28;          // beside panels
constexpr double kTop = 64, kLegendRow = 22, kHeadings = 30;  // above them
constexpr double kPanelTitle = 24, kPanelFoot = 52;           // above and below each
constexpr int kLegendColumns = 3;
constexpr std::size_t kLongestTitle = 60;  // characters that fit above a panel

// Colours that colour-blind people tell apart [Okabe and Ito 2008].
constexpr std::array kColours = {"#d55e00", "#0072b2", "#56b4e9", "#009e73", "#cc79a7", "#e69f00", "#000000"};

std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char* pattern, ...) {
  std::array<char, 400> text;
  std::va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text.data(), text.size(), pattern, arguments);
  va_end(arguments);
  return text.data();
}

// Names come from files: bytes that are no UTF-8 and characters that XML has not are replaced.
std::string xml(const std::string& text) {
  std::string safe;
  for (const char ch : as_utf8(text)) {
    if (ch == '&')
      safe += "&amp;";
    else if (ch == '<')
      safe += "&lt;";
    else if (ch == '>')
      safe += "&gt;";
    else if (ch == '"')
      safe += "&quot;";
    else
      safe += static_cast<unsigned char>(ch) < 0x20 ? ' ' : ch;
  }
  return safe;
}

// Cut between characters of UTF-8.
std::string shortened(const std::string& text) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) continue;
    if (++characters > kLongestTitle) return text.substr(0, i) + "...";
  }
  return text;
}

struct Scale {
  double step = 1, top = 1;
};

// Ticks at 1, 2 or 5 times a power of ten, about `wanted` of them up to `largest`.
Scale ticks(double largest, double wanted) {
  if (!(largest > 0) || !std::isfinite(largest)) return {};
  const double power = std::pow(10, std::floor(std::log10(largest / wanted)));
  double step = 10 * power;
  for (const double nice : {5.0, 2.0, 1.0})
    if (largest / (nice * power) <= wanted * 1.5) step = nice * power;
  return {step, step * std::ceil(largest / step * (1 - 1e-9))};
}

double last_x(const PlotPanel& panel) {
  double last = 0;
  for (const PlotLine& line : panel.lines)
    for (const double x : line.x) last = std::max(last, x);
  return last;
}

double largest_y(const Plot& plot) {
  double largest = 0;
  for (const PlotPanel& panel : plot.panels)
    for (const PlotLine& line : panel.lines)
      for (const double y : line.y) largest = std::max(largest, y);
  return largest;
}

std::string text(double x, double y, const char* kind, const std::string& words) {
  return format("<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, kind) + xml(words) + "</text>\n";
}

std::string stroke(std::size_t line, bool dashed) {
  return format("stroke=\"%s\" stroke-width=\"2\" fill=\"none\"%s", kColours[line % kColours.size()],
                dashed ? " stroke-dasharray=\"7 4\"" : "");
}

// One panel's place, and where its values lie.
struct Axes {
  double left, top, width, height;
  Scale x, y;
  double last;  // of x

  double at_x(double value) const { return left + width * value / last; }
  double at_y(double value) const { return top + height * (1 - value / y.top); }
};

std::string axes(const Axes& a, const Plot& plot) {
  std::string out;
  for (int i = 0; i * a.y.step <= a.y.top * (1 + 1e-9); ++i) {
    const double value = i * a.y.step, y = a.at_y(value);
    out += format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>\n", a.left, y,
                  a.left + a.width, y);
    out += text(a.left - 8, y + 4, "y tick", format("%g", value));
  }
  for (int i = 0; i * a.x.step <= a.last * (1 + 1e-9); ++i) {
    const double value = i * a.x.step, x = a.at_x(value), bottom = a.top + a.height;
    out += format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"axis\"/>\n", x, bottom, x,
                  bottom + 5);
    out += text(x, bottom + 19, "x tick", format("%g", value));
  }
  out += format("<path d=\"M%.1f %.1fv%.1fh%.1f\" class=\"axis\"/>\n", a.left, a.top, a.height, a.width);
  out += text(a.left + a.width / 2, a.top + a.height + 38, "x", plot.x_label);
  const double x = a.left - 50, y = a.top + a.height / 2;
  out += format("<text transform=\"translate(%.1f %.1f) rotate(-90)\" class=\"x\">", x, y) +
         xml(plot.y_label) + "</text>\n";
  return out;
}

std::string drawn(const PlotLine& line, std::size_t number, const Axes& a) {
  const std::string title = "<title>" + xml(line.name) + "</title>";
  if (line.x.size() == 1)
    return format("<circle cx=\"%.2f\" cy=\"%.2f\" r=\"4\" fill=\"%s\">", a.at_x(line.x[0]),
                  a.at_y(line.y[0]), kColours[number % kColours.size()]) +
           title + "</circle>\n";
  std::string out = "<polyline " + stroke(number, line.dashed) + " points=\"";
  for (std::size_t i = 0; i < line.x.size(); ++i)
    out += format("%s%.2f,%.2f", i == 0 ? "" : " ", a.at_x(line.x[i]), a.at_y(line.y[i]));
  return out + "\">" + title + "</polyline>\n";
}

std::string legend(const Plot& plot, double width) {
  std::string out;
  const std::vector<PlotLine>& lines = plot.panels.front().lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double x = kLeft + static_cast<double>(i % kLegendColumns) * (width - kLeft) / kLegendColumns;
    const double y = kTop + kLegendRow * (static_cast<double>(i / kLegendColumns) + .5);
    out += format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" ", x, y, x + 34, y) +
           stroke(i, lines[i].dashed) + "/>\n" + text(x + 42, y + 4, "legend", lines[i].name);
  }
  return out;
}

constexpr const char* kStyle =
    "<style>\n"
    "text { font-family: 'DejaVu Sans', Verdana, Arial, sans-serif; font-size: 12px; fill: #282828 }\n"
    ".title { font-size: 18px; font-weight: bold } .head { font-size: 14px; font-weight: bold }\n"
    ".x { text-anchor: middle } .y { text-anchor: end } .panel { font-size: 13px }\n"
    ".grid { stroke: #dddddd } .axis { stroke: #282828; fill: none }\n"
    "</style>\n";

}  // namespace

std::string svg(const Plot& plot) {
  const std::size_t columns = plot.columns.size(), rows = (plot.panels.size() + columns - 1) / columns;
  const double panel_height = rows == 1 ? kTallPanel : kLowPanel;
  const double row_height = kPanelTitle + panel_height + kPanelFoot;
  const double legend_rows =
      std::ceil(static_cast<double>(plot.panels.front().lines.size()) / kLegendColumns);
  const double first_row = kTop + kLegendRow * legend_rows + kHeadings;
  const double width = kLeft + static_cast<double>(columns) * kPanelWidth +
                       static_cast<double>(columns - 1) * (kGap + kRight) + kRight;
  const double height = first_row + static_cast<double>(rows) * row_height;

  std::string out = format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n",
      width, height, width, height);
  out += kStyle;
  out += "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  out += text(kLeft, 30, "title", plot.title) + text(kLeft, 50, "subtitle", plot.subtitle);
  out += legend(plot, width);
  const auto column_left = [&](std::size_t column) {
    return kLeft + static_cast<double>(column) * (kPanelWidth + kGap + kRight);
  };
  for (std::size_t c = 0; c < columns; ++c)
    out += text(column_left(c), first_row - 6, "head", plot.columns[c]);

  const Scale y = ticks(largest_y(plot), rows == 1 ? 6 : 3);
  for (std::size_t i = 0; i < plot.panels.size(); ++i) {
    const PlotPanel& panel = plot.panels[i];
    const double last = last_x(panel);
    const Axes a{column_left(i % columns),
                 first_row + static_cast<double>(i / columns) * row_height + kPanelTitle,
                 kPanelWidth,
                 panel_height,
                 ticks(last, 6),
                 y,
                 last > 0 ? last : 1};
    out += "<g><title>" + xml(panel.title + ", " + plot.columns[i % columns]) + "</title>\n";
    out += text(a.left, a.top - 8, "panel", shortened(panel.title)) + axes(a, plot);
    for (std::size_t line = 0; line < panel.lines.size(); ++line) out += drawn(panel.lines[line], line, a);
    out += "</g>\n";
  }
  return out + "</svg>\n";
}

}  // namespace skinlight::cli
