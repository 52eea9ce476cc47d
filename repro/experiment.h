// What an experiment is. It lists rigs, poses, methods, models and pictures: the runner poses, measures and
// draws them all. What a figure needs beyond that it computes itself, in `extra`, with the tools of
// repro/study. For each claim it says how the number is found; the words stand in <stem>.claims.json beside
// it. One file per figure or table of a paper.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "repro/runner/claim.h"
#include "skinlight/character/clip_error.h"
#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/render/camera.h"
#include "skinlight/render/image.h"
#include "skinlight/render/offscreen.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/skin.h"

namespace skinlight::repro {

// A procedural rig. `family` and `resolution` name its place in a convergence study. A rig without exact
// gradients is measured against the transported and the recomputed truth only.
struct RigCase {
  std::string name;    // "structured_96"
  std::string family;  // "structured"
  int resolution = 0;  // segments
  std::function<ProceduralRig()> make;
  std::function<Image8()> normal_map = {};  // tangent-space; the rig's pictures are lit through it
};

struct PoseCase {
  std::string name;
  std::function<Pose()> make;
};

// A way to get normals: a mode, and how what it reads is computed.
struct MethodCase {
  std::string name;   // in metrics.csv and file names
  std::string label;  // for people
  SkinOptions options;
  Preparation preparation = {};
};

inline constexpr Preparation kExactGradients = {.exact_gradients = true};

// A real character of repro/models.json; its clips are measured with `methods`. Drawn where the
// standard normals are worst, unless the experiment's pictures show it.
struct ModelCase {
  std::string name;                     // "quaternius-formal"
  int max_influences = 0;               // N_max of the rig; 0: as in the file
  std::vector<std::string> clips = {};  // those measured; empty: all
  std::optional<View> view = {};        // instead of the shot's
  bool optional = false;                // the experiment runs without it too
};

enum class PictureKind {
  rest,        // shaded, rest pose
  posed,       // shaded with the method's normals
  truth,       // shaded with the true normals of the method's skinning; no method: of the first one's
  error,       // heat map of the method's normals against the truth, or against another method
  reflection,  // lines of reflection with the method's normals; no method: with the truth of the first one's
};

struct Picture {
  std::string file;  // "posed_standard.png"
  std::string caption;
  PictureKind kind = PictureKind::posed;
  std::string rig, pose, method;  // names; method is unused for rest. Or a model and its clip
  double time = 0;                // of a clip, seconds
  std::string against = {};       // error: the method that takes the truth's place
};

// How pictures are taken.
struct Shot {
  View view;
  int width = 480, height = 640;
  double error_max_degrees = 45;  // top of the error maps' scale
  Reflection stripes = {};        // of lines of reflection
  bool one_camera =
      false;  // for all pictures of a rig; else each pose fills its pictures, with the rest pose
};

// One row of metrics.csv.
struct Measurement {
  std::string rig, family;
  int resolution = 0;
  int vertices = 0;
  std::string pose, method, truth;
  NormalError error;
};

// What the runner found: what claims look at.
struct Results {
  std::vector<Measurement> measurements;
  // What an experiment's own code found, by name.
  std::map<std::string, double> values;
  // Largest angle in radians between any two methods that compute the same normal, over all rigs and poses.
  double formulas_agree_rad = std::numeric_limits<double>::quiet_NaN();
  // Largest difference between the GPU's captured vertices and the CPU's in float, over positions and unit
  // vectors.
  double gpu_cpu_difference = std::numeric_limits<double>::quiet_NaN();

  // These throw std::logic_error when there is no such entry: a mistake of the experiment.
  double value(const std::string& name) const;
  const NormalError& error(const std::string& rig, const std::string& pose, const std::string& method,
                           Truth truth) const;
  // Minus the least-squares slope of log(RMS) over log(resolution) in a family: the order of convergence.
  double order(const std::string& family, const std::string& pose, const std::string& method,
               Truth truth) const;
};

// metrics.csv: one row per measurement.
std::string metrics_csv(const std::vector<Measurement>& measurements);

// The number that a claim is judged by. What it means stands under the claim's name in the experiment's
// <stem>.claims.json.
struct Finding {
  std::string claim;
  std::function<double(const Results&)> value;
};

// A take of an experiment's video: a rig or a model in motion. Takes follow one another in one file, so all
// of them show the same number of methods.
struct Take {
  std::string title;                      // in the picture
  std::string subject;                    // name of a rig or of a model
  std::function<Pose(double)> pose = {};  // of a rig; the time runs from 0 to 1 over the take
  std::string clip = {};                  // of a model: played in its own time, again and again
  std::vector<std::string> methods = {"standard", "deform"};  // names
  int frames = 48;                                            // 24 in a second
};

class Studio;

// What an experiment that is more than rigs, poses and methods works with: `extra` runs after the
// measurements and puts values, tables and pictures of its own beside them.
struct Workbench {
  Studio& studio;
  int threads;
  const std::function<void(const std::string& step)>& progress;
  Results& results;
  std::function<void(const std::string& file, const std::string& caption, const std::string& csv)>
      write_table;
  std::function<void(const std::string& file, const std::string& caption, const Image8& image)> write_image;
  // The same of a model, by its name: no golden reference, since models stay out of the repository. Empty: of
  // none.
  std::function<void(const std::string& file, const std::string& caption, const std::string& model,
                     const Image8& image)>
      write_model_image;
  std::function<void(const std::string& file, const std::string& caption, std::span<const Vec3f> normals)>
      write_normals;
};

struct Experiment {
  std::string id;     // "tarini2014/fig2_pill": the .cpp file's place; set by the registry
  std::string paper;  // "Tarini, Panozzo, Sorkine-Hornung 2014, Fig. 2": likewise, from the two below
  std::string place;  // in the paper: "Fig. 2"; may be empty
  std::vector<std::string>
      builds_on;  // ids of papers that it goes beyond; empty: it is of the folder's paper
  std::string title;
  std::string says;  // what the paper says, and what stands here for what it shows, in our words
  std::vector<RigCase> rigs;
  std::vector<PoseCase> poses;
  std::vector<MethodCase> methods;
  std::vector<std::string> same_normal;  // names of methods for formulas_agree_rad
  std::string npy_rig;                   // whose posed normals are written as .npy, for every pose and method
  Shot shot;
  std::vector<Picture> pictures;
  std::vector<ModelCase> models;  // without rigs, the experiment cannot run without them
  int frames = 24;                // per clip of a model; 0: only `extra` works with the models
  bool bisect_models = false;     // measure models with every edge bisected too: resolution 1, all slots
  bool recompute_rest_normals = false;    // measure models with_recomputed_normals() too: "<model>_alike"
  std::function<void(Workbench&)> extra;  // may be empty
  std::vector<std::string> times;         // columns of its tables that no run repeats
  std::vector<Finding> findings;
  std::vector<Claim> claims;  // the findings with their words; set by the registry
  std::vector<Take> video;    // of `skinlight reproduce --video`; may be empty
};

}  // namespace skinlight::repro
