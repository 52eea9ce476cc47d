// Frames seen from near, where the standard normals are most visibly wrong: the program finds the place.
#pragma once

#include <vector>

#include "repro/experiment.h"
#include "repro/study/frames.h"
#include "repro/subject.h"

namespace skinlight::repro {

inline constexpr int kInsetPixels = 320;
inline constexpr double kInsetShare = 0.24;       // of the whole picture's height
inline constexpr double kInsetErrorDegrees = 45;  // top of the scale of its error maps

// A part of a picture, in shares of its width and height from the top left corner.
struct Window {
  double left = 0, top = 0, width = 1, height = 1;
};

// The square window, `share` of the picture's height wide, over which `map` (height by width, row by row) sums up to most;
// the first of equals. share in (0, 1].
Window largest_window(const std::vector<float>& map, int width, int height, double share);

// The camera that sees what `whole` sees of the points in the window, kInsetPixels wide and high; shot: how that camera looks.
Framing look_closer(const Framing& whole, const Window& window, const std::vector<Vec3f>& points, Shot shot);

// A shot as large as the whole frame beside an inset.
Shot whole_shot(Shot shot);

// Names of the experiment's methods that an inset compares with the truth: it is where the first is most visibly off. Those
// of standard_and_deform() by default.
using Ways = std::vector<std::string>;

// Of a frame <stem>_whole.png, shaded in the first way, and of the place where lines of reflection in that way differ most
// from those with true normals [FLIP]: <stem>_{shaded,lines}_{<way>,truth}.png and <stem>_off_<way>.png. Returns its row of
// insets.csv: the place, then how visibly lines, then shading are off in each way there, weighted medians of FLIP; likewise
// values <stem>_{lines,shaded}_<way>. of_model: the model's name, or empty.
std::string draw_inset(const Experiment& experiment, const std::string& stem, const Subject& subject,
                       const Pose& pose, const Shot& shot, const std::string& of_model, const Ways& ways,
                       Workbench& bench);
void write_insets(const std::string& rows, const Ways& ways, Workbench& bench);

// All of them, and the table. Frames of models that are missing are left out.
void draw_insets(const Experiment& experiment, const std::vector<FrameCase>& frames, Workbench& bench,
                 const Ways& ways = {"standard", "deform"});

// How visible the standard normals are off in lines of reflection, <stem>_visible, and how much less visible the other way
// is off in shading, <stem>_seen_ratio.
void add_inset_findings(const FrameCase& frame, std::vector<Finding>& findings,
                        const std::string& way = "deform");

}  // namespace skinlight::repro
