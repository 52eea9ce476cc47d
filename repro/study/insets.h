// Frames seen from near, where the standard normals are most visibly wrong: the program finds the place.
#pragma once

#include <vector>

#include "repro/experiment.h"
#include "repro/study/frames.h"

namespace skinlight::repro {

inline constexpr int kInsetPixels = 320;
inline constexpr double kInsetErrorDegrees = 45;  // top of the scale of its error maps

// A part of a picture, in shares of its width and height from the top left corner.
struct Window {
  double left = 0, top = 0, width = 1, height = 1;
};

// The square window, `share` of the picture's height wide, over which `map` (height by width, row by row) sums up to most;
// the first of equals. share in (0, 1].
Window largest_window(const std::vector<float>& map, int width, int height, double share);

// Per frame <stem>_whole.png, shaded with standard normals, and of the place where lines of reflection with standard
// normals differ most from those with true ones [FLIP]: <stem>_{shaded,lines}_{standard,deform,truth}.png and
// <stem>_off_{standard,deform}.png. insets.csv has the places, and how visible the differences from the truth are there:
// weighted medians of FLIP. Values <stem>_{lines,shaded}_{standard,deform}. Frames of models that are missing are left out.
// Methods of the experiment are standard_and_deform().
void draw_insets(const Experiment& experiment, const std::vector<FrameCase>& frames, Workbench& bench);

// How visible the standard normals are off in lines of reflection, <stem>_visible, and how much less visible deform factors
// are off in shading, <stem>_seen_ratio.
void add_inset_findings(const FrameCase& frame, std::vector<Finding>& findings);

}  // namespace skinlight::repro
