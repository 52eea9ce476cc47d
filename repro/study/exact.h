// What the experiments on the exact normals of each skinning method share: the table of a tube and a cuboid
// whose truth is known in closed form, convergence on meshes of the tube, and real characters.
#pragma once

#include <string>
#include <vector>

#include "repro/experiment.h"
#include "repro/study/frames.h"
#include "repro/study/tube_cases.h"

namespace skinlight::repro {

inline constexpr TubeMotion kMotions[] = {{MotionKind::twist, 60},  {MotionKind::twist, 120},
                                          {MotionKind::twist, 170}, {MotionKind::bend, 30},
                                          {MotionKind::bend, 60},   {MotionKind::bend, 90}};

// The two bodies of the table. On the tube weights change along its axis over two thirds of it; the cuboid
// [BTGM19 Fig. 6] twists at its first joint or bends at its second.
inline constexpr const char* kTube = "tube";
inline constexpr const char* kCuboid = "cuboid";

struct ExactStudy {
  // On meshes and models, gradients from the mesh.
  std::vector<MethodCase> methods;
  // Columns of the table: with the bodies' exact gradients.
  std::vector<MethodCase> table;
  // Names of those of `methods` that pictures of tube and cuboid show, and pictures of models.
  std::vector<std::string> shown, shown_on_models;
  std::vector<TubeMotion> drawn;
  std::vector<ModelCase> models;
  std::vector<FrameCase> frames;  // of the models: one at least for each
};

// Everything but names, words and claims. The table is errors.csv; what claims look up in it is in table().
// Pictures are <motion, "cuboid" or stem>_<method>.png, _error_<method>.png, _truth_<skinning>.png.
Experiment exact_experiment(const ExactStudy& study);

// Degrees against the analytic normal with exact gradients. mean: by deformed area, as everywhere; rest_mean:
// by the area at rest.
enum class TableFigure { mean, rest_mean, max };
double table(const Results& results, const std::string& body, const TubeMotion& motion,
             const std::string& method, TableFigure figure);

// The largest `figure` of a method in the table over the bodies and the motions of one kind.
double largest(const Results& results, const std::string& body, MotionKind kind, const std::string& method,
               TableFigure figure);

// A mean of the tube's table by rest areas: tube_<method>_<motion>.
Finding tube_finding(const TubeMotion& motion, const std::string& method);

// The largest errors of the tube's table, as they were when they were last looked at: how far the worst of
// them has moved, in units of its last digit. tube_maxima.
struct KeptMax {
  TubeMotion motion;
  const char* method;
  double degrees, unit;
};
Finding maxima_finding(std::vector<KeptMax> kept);

// A method's mean error on a model, over its clips and against the transported truth, over another one's:
// <model>_<method>.
Finding model_finding(const std::string& model, const std::string& method, const std::string& over);

// Order of convergence of the RMS error at a bend of 60 degrees, 12 to 96 segments.
double order(const Results& results, const std::string& method);

// The animals and the hand beside the characters of study/frames.h.
ModelCase wolf();
ModelCase trex();
ModelCase velociraptor();
ModelCase hand();

}  // namespace skinlight::repro
