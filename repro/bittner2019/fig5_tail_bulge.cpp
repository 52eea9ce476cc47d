// [BTGM19 Fig. 5]: the bulge of DQS at the joints of a tail, and what CRS leaves of it.
#include <cmath>
#include <string>

#include "repro/runner/csv.h"
#include "repro/runner/judgement.h"
#include "repro/runner/model_catalogue.h"
#include "repro/study/posed_shape.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/error.h"
#include "skinlight/rig/turn.h"
#include "skinlight/samples/tail.h"

namespace skinlight::repro::bittner2019::fig5_tail_bulge {

namespace {

constexpr const char* kRig = "tail";
constexpr const char* kModels[] = {"trex", "velociraptor"};
constexpr TailShape kShape{.base_radius = 1.2, .bones = 3};
constexpr int kBends[] = {30, 60, 90, 120};  // degrees at every joint
constexpr int kShown = 90;
constexpr int kModelBends[] = {20, 35, 50, 70};  // of a tail of five bones: from 35 on it points forward
constexpr int kModelShown = 70;

RigCase tail_case() {
  return {kRig, "tail", 40, [] { return tail(kShape, {.segments = 40}); }};
}

struct Sphere {
  Vec3d centre;
  double radius;
};

// The tail as its bones carry it rigidly: at rest it is the hull of spheres along the axis, closely enough to
// be 1e-4 of a radius away from their union.
std::vector<Sphere> rigid_tail(const Pose& pose) {
  constexpr int kPerBone = 128;
  std::vector<Sphere> spheres;
  for (int s = 0; s < kShape.bones; ++s)
    for (int i = 0; i <= kPerBone; ++i) {
      const double share = (s + static_cast<double>(i) / kPerBone) / kShape.bones;
      spheres.push_back({transform_point(pose.M[static_cast<std::size_t>(s)], {0, 0, share * kShape.length}),
                         kShape.base_radius + share * (kShape.tip_radius - kShape.base_radius)});
    }
  return spheres;
}

// How far the skin gets outside of it. The distance from the skeleton would count thickness that slides along
// the tapering tail, too.
double tail_bulge(const std::vector<Vec3d>& p, const Pose& pose) {
  const std::vector<Sphere> spheres = rigid_tail(pose);
  double largest = -INFINITY;
  for (const Vec3d& x : p) {
    double outside = INFINITY;
    for (const Sphere& sphere : spheres)
      outside = std::fmin(outside, length(x - sphere.centre) - sphere.radius);
    largest = std::fmax(largest, outside);
  }
  return largest;
}

// model: its name, empty for a rig.
void draw(const Stage& stage, const Pose& pose, const Framing& framing, const std::string& stem,
          const std::string& caption, const std::string& model, Workbench& bench) {
  for (std::size_t i = 0; i < kPaperSkinnings; ++i)
    bench.write_model_image(stem + "_" + kSkinnings[i].name + ".png",
                            std::string(kSkinnings[i].label) + ", " + caption, model,
                            stage.picture(pose, kSkinnings[i], framing));
}

void made_up_tail(Workbench& bench) {
  const Stage stage(tail_case().make(), bench);
  std::string table = "method,bend_deg,bulge\n";
  for (const int degrees : kBends) {
    const Pose pose = tail_pose(kShape, degrees);
    for (const Skinning& s : kSkinnings) {
      const double out = tail_bulge(stage.points(pose, s.method), pose) / kShape.base_radius;
      table += csv_row({s.name}, {static_cast<double>(degrees), out});
      bench.results.values[std::string("bulge_") + s.name + "_" + std::to_string(degrees)] = out;
    }
  }
  bench.write_table(
      "bulge.csv",
      "How far the skin of the tail gets outside of the tail as its bones carry it rigidly, in radii of its base",
      table);
  const Shot shot{.view = {.towards_eye = {1, 0.1, 0.2}, .up = {0, 1, 0}}, .width = 420, .height = 360};
  const Pose pose = tail_pose(kShape, kShown);
  draw(stage, pose, stage.framing(shot, std::span(&pose, 1)), kRig,
       "every joint of the tail bent by " + std::to_string(kShown) + " degrees", "", bench);
}

int bone_named(const Skeleton& skeleton, const std::string& model, const std::string& name) {
  for (int b = 0; b < skeleton.bone_count(); ++b) {
    const int node = skeleton.bone_node[static_cast<std::size_t>(b)];
    if (skeleton.nodes[static_cast<std::size_t>(node)].name == name) return b;
  }
  throw InputError(model, "bone '" + name + "'", "is not in the file");
}

// The model at rest but for its tail, which curls up: every bone of it about the model's x axis through its
// joint.
Pose curled_tail(const Skeleton& skeleton, const std::string& model, int degrees) {
  std::vector<Mat4x3d> M(static_cast<std::size_t>(skeleton.bone_count()), identity_transform<double>());
  Mat4x3d parent = identity_transform<double>();
  for (int k = 1; k <= 5; ++k) {
    const int bone = bone_named(skeleton, model, "Tail" + std::to_string(k));
    const Mat4x3d turn = turn_about(joint_at_rest(skeleton, bone), Vec3d(1, 0, 0), degrees / kDegrees);
    parent = M[static_cast<std::size_t>(bone)] = compose(parent, turn);
  }
  return make_pose(std::move(M));
}

// The tail: what moves, and its thickness, the unit of its bulge.
class RealTail {
 public:
  RealTail(const Character& character, const Stage& stage)
      : stage_(stage), bones_(bones_of(character.model().skeleton)) {
    const RiggedMesh& mesh = stage.mesh();
    const std::vector<Vec3d> posed = stage.points(
        curled_tail(character.model().skeleton, character.model().name, kModelBends[0]), Method::lbs);
    for (std::size_t v = 0; v < posed.size(); ++v)
      if (length(posed[v] - mesh.p0[v]) > 0) moving_.push_back(v);
    rest_ = part(mesh.p0);
    for (const Vec3d& p : rest_) thickness_ = std::fmax(thickness_, distance_to_bones(p, bones_));
  }

  double bulge(const Pose& pose, Method method) const {
    return repro::bulge(rest_, part(stage_.points(pose, method)), bones_, pose) / thickness_;
  }
  // The camera that sees the tail: what the pose moves by more than half of its thickness.
  Framing framing(const Shot& shot, const Pose& pose) const {
    const std::vector<Vec3d> posed = part(stage_.points(pose, Method::dqs));
    std::vector<Vec3d> far;
    for (std::size_t i = 0; i < posed.size(); ++i)
      if (length(posed[i] - rest_[i]) > thickness_ / 2) far.push_back(posed[i]);
    return framing_of(shot, {to_float(far)});
  }

 private:
  std::vector<Vec3d> part(const std::vector<Vec3d>& p) const {
    std::vector<Vec3d> of_tail;
    for (const std::size_t v : moving_) of_tail.push_back(p[v]);
    return of_tail;
  }

  const Stage& stage_;
  std::vector<BoneLine> bones_;
  std::vector<std::size_t> moving_;
  std::vector<Vec3d> rest_;
  double thickness_ = 0;
};

void real_tail(const std::string& name, Workbench& bench) {
  const ModelEntry& entry = model(name);
  if (!why_missing(entry).empty()) return;  // the runner says so
  bench.progress("bending the tail of " + entry.name);
  const Character character(load_model(entry), {}, bench.threads);
  const Skeleton& skeleton = character.model().skeleton;
  const Stage stage(character, bench);
  const RealTail tail(character, stage);
  std::string table = "method,bend_deg,bulge\n";
  for (const int degrees : kModelBends) {
    const Pose pose = curled_tail(skeleton, name, degrees);
    for (const Skinning& s : kSkinnings) {
      const double out = tail.bulge(pose, s.method);
      table += csv_row({s.name}, {static_cast<double>(degrees), out});
      bench.results.values[name + "_bulge_" + s.name + "_" + std::to_string(degrees)] = out;
    }
  }
  bench.write_table("bulge_" + name + ".csv",
                    "The same for the " + name +
                        ", in units of the largest distance of its tail's skin from the skeleton at rest",
                    table);
  const Shot shot{.view = {.towards_eye = {1, 0.2, 0.25}, .up = {0, 0, 1}}, .width = 420, .height = 360};
  const Pose pose = curled_tail(skeleton, name, kModelShown);
  draw(stage, pose, tail.framing(shot, pose), name,
       "the tail of the " + name + " bent by " + std::to_string(kModelShown) +
           " degrees at each of five joints",
       name, bench);
}

void compute(Workbench& bench) {
  made_up_tail(bench);
  for (const char* name : kModels) real_tail(name, bench);
}

auto mean_of(const std::string& method) {
  return [=](const Results& r) { return r.error(kRig, "bent", method, Truth::analytic).mean; };
}

std::vector<Finding> findings() {
  std::vector<Finding> all = {
      {"dqs_bulge", value_of("bulge_dqs_90")},
      {"dqs_grows", [](const Results& r) { return r.value("bulge_dqs_90") / r.value("bulge_dqs_30"); }},
      {"crs_is_less",
       [](const Results& r) {
         double largest = 0;
         for (const int degrees : kBends) {
           const std::string bend = std::to_string(degrees);
           largest = std::fmax(largest, r.value("bulge_crs_" + bend) / r.value("bulge_dqs_" + bend));
         }
         return largest;
       }},
      {"crs_fixes", [](const Results& r) { return r.value("bulge_crs_90") / r.value("bulge_dqs_90"); }},
      {"model_dqs_bulge", value_of("trex_bulge_dqs_35")},
      {"dqs_normals", [](const Results& r) { return mean_of("dqs")(r) / mean_of("dqs-standard")(r); }},
      {"crs_normals", [](const Results& r) { return mean_of("crs")(r) / mean_of("crs-standard")(r); }},
      gpu_finding(),
  };
  for (const std::string name : kModels)
    for (const int degrees : kModelBends) {
      const std::string bend = "_" + std::to_string(degrees);
      all.push_back({name + "_crs_over_dqs" + bend, [=](const Results& r) {
                       return r.value(name + "_bulge_crs" + bend) / r.value(name + "_bulge_dqs" + bend);
                     }});
    }
  return all;
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Fig. 5";
  e.title = "The bulge at a tail";
  e.says =
      "Bending the tail of a raptor, DQS turns vertices about the joints without regard to their distance from them, and the outer side bulges. "
      "CRS turns each vertex about a centre of its own and fixes it. "
      "The paper's raptor is not public: a tail made from formulas stands in, and that of a T-Rex.";
  e.rigs = {tail_case()};
  e.poses = {{"bent", [] { return tail_pose(kShape, kShown); }}};
  e.methods = {
      {"dqs-standard", "DQS, standard normals", {.method = Method::dqs, .mode = NormalMode::standard}},
      {"dqs", "DQS, exact normals", {.method = Method::dqs, .mode = NormalMode::exact}},
      {"crs-standard", "CRS, standard normals", {.method = Method::crs, .mode = NormalMode::standard}},
      {"crs", "CRS, exact normals", {.method = Method::crs, .mode = NormalMode::exact}},
  };
  e.npy_rig = kRig;
  for (const char* name : kModels) e.models.push_back({name});
  e.frames = 0;
  e.extra = compute;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::bittner2019::fig5_tail_bulge
