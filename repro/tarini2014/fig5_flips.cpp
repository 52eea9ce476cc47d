// [TPS14 Fig. 5, Sec. 4.4]: flipped normals and guards against them, counted on a capsule bound carelessly enough to need
// one and drawn on a body with a few bad weights.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "repro/measure.h"
#include "repro/runner/csv.h"
#include "repro/runner/judgement.h"
#include "repro/studio.h"
#include "repro/study/insets.h"
#include "repro/study/random_guard_cases.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/random.h"
#include "skinlight/render/flip.h"
#include "skinlight/samples/characters.h"
#include "skinlight/truth/truth.h"

namespace skinlight::repro::tarini2014::fig5_flips {

namespace {

constexpr const char* kJagged = "jagged";
constexpr const char* kSmooth = "smooth";
constexpr const char* kPose = "turn60";
constexpr double kAngles[] = {30, 60, 90};  // degrees that each bone turns
constexpr int kPoses = 6;                   // per angle
constexpr int kCountedPose = 1;             // the pose whose normals the GPU captures
constexpr double kSharing = 0.02;           // weight of a bone that a vertex is said to share in
constexpr double kCareless = 0.03;  // share of the body's vertices between bones that are bound at random

ProceduralRig jagged_rig() { return jagged_capsule(); }
ProceduralRig smooth_rig() { return jagged_capsule({.random_share = 0}); }
Pose turned(double degrees, int seed) {
  return jagged_capsule_pose(degrees / kDegrees, static_cast<std::uint64_t>(seed));
}

// A body on which some vertices between bones share themselves out among these bones at random: what slips by whoever
// paints weights.
ProceduralRig careless_body() {
  ProceduralRig rig = branching_body();
  Random random(3);  // with it the knee is among them
  for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
    double* w = rig.mesh.weight.data() + static_cast<std::ptrdiff_t>(v) * rig.mesh.slots;
    const auto shares = [](double x) { return x > kSharing; };
    if (std::count_if(w, w + rig.mesh.slots, shares) < 2 || random.uniform() >= kCareless) continue;
    for (int s = 0; s < rig.mesh.slots; ++s) w[s] = shares(w[s]) ? random.uniform() : 0;
  }
  std::vector<Warning> warnings;  // weights are normalised by intent
  normalize_weights(rig.mesh, warnings);
  return rig;
}

std::vector<MethodCase> method_cases() {
  const auto guarded = [](const char* name, const char* label, const GuardOptions& guard) {
    return MethodCase{name, label, {.guard = guard}};
  };
  return {
      {"standard", "standard", {.mode = NormalMode::standard}},
      guarded("unguarded", "deform factors, unguarded", {}),
      guarded("clamp-0.9", "clamp, c = 0.9 as printed", {Guard::clamp, kPaperClamp}),
      guarded("clamp-0.707", "clamp, c = 0.707", {Guard::clamp, std::sqrt(0.5)}),
      guarded("clamp-0.5", "clamp, c = 0.5", {Guard::clamp, 0.5}),
      guarded("joint", "joint, c = 0.9", row(Guard::joint).usual),
      guarded("test-then-fix-0.9", "clamp, c = 0.9, then test and fix", {Guard::test_then_fix, kPaperClamp}),
      guarded("test-then-fix", "test and fix, no clamp", kRecommendedGuard),
  };
}

struct GuardCount {
  int vertices = 0;
  int against_normal = 0, against_transported = 0, against_recomputed = 0;  // flipped vertices
  int regular = 0;   // vertices that no random weight touches
  double lost = 0;   // mean degrees from the unguarded normal, over these
  double error = 0;  // mean degrees from the transported truth, over these
};

// Whether random weights reach a surface vertex: its own or those of its one-ring.
std::vector<bool> reached_by_random_weights(const Character& rig) {
  const RiggedMesh plain = smooth_rig().mesh;
  const Surface& surface = rig.surface();
  const auto is_random = [&](int v) {
    const auto a = rig.mesh().weights_of(v), b = plain.weights_of(v);
    return !std::equal(a.begin(), a.end(), b.begin());
  };
  std::vector<bool> reached;
  for (int i = 0; i < surface.vertex_count(); ++i) {
    bool any = false;
    for (const Corner& corner : surface.one_ring(i))
      for (const int v : surface.face(corner.face)) any = any || is_random(v);
    reached.push_back(any);
  }
  return reached;
}

std::vector<GuardCount> count_flips(const Character& rig, double degrees,
                                    const std::vector<MethodCase>& methods, int threads) {
  const Surface& surface = rig.surface();
  const std::vector<bool> reached = reached_by_random_weights(rig);
  const NormalRecord& factors = rig.factors();
  std::vector<GuardCount> counts(methods.size());
  for (int seed = 1; seed <= kPoses; ++seed) {
    const Pose pose = turned(degrees, seed);
    const PosedTruth truth = posed_truth(rig, pose);
    const auto normals = [&](SkinOptions options) {
      options.threads = threads;
      return skin<double>(rig.mesh(), factors, pose, options).n;
    };
    const std::vector<Vec3d> standard = normals({.mode = NormalMode::standard}), unguarded = normals({});
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const std::vector<Vec3d> n = normals(methods[m].options);
      GuardCount& count = counts[m];
      for (int i = 0; i < surface.vertex_count(); ++i) {
        const auto v = static_cast<std::size_t>(surface.representative(i));
        ++count.vertices;
        count.against_normal += dot(n[v], standard[v]) < 0;
        count.against_transported += dot(n[v], truth.transported[v]) < 0;
        count.against_recomputed += dot(n[v], truth.recomputed[v]) < 0;
        if (reached[static_cast<std::size_t>(i)]) continue;
        ++count.regular;
        count.lost += angle_between(n[v], unguarded[v]) * kDegrees;
        count.error += angle_between(n[v], truth.transported[v]) * kDegrees;
      }
    }
  }
  for (GuardCount& count : counts) {
    count.lost /= count.regular;
    count.error /= count.regular;
  }
  return counts;
}

void compare_guards(Workbench& bench, const std::vector<MethodCase>& methods) {
  std::string csv =
      "rig,degrees,normals,vertices,flips_against_Tn0,flips_against_transported,flips_against_recomputed,regular_vertices,regular_lost_deg,regular_error_deg\n";
  for (const char* name : {kJagged, kSmooth}) {
    const Character rig(name == kJagged ? jagged_rig() : smooth_rig(), {}, bench.threads);
    for (const double degrees : kAngles) {
      bench.progress("counting flips, " + std::string(name) + " rig, turned by " + number_text(degrees));
      const std::vector<GuardCount> counts = count_flips(rig, degrees, methods, bench.threads);
      for (std::size_t m = 0; m < methods.size(); ++m) {
        const GuardCount& c = counts[m];
        csv += std::string(name) + "," + number_text(degrees) + "," + methods[m].name;
        for (const int i :
             {c.vertices, c.against_normal, c.against_transported, c.against_recomputed, c.regular})
          csv += std::string(",") + std::to_string(i);
        csv += std::string(",") + number_text(c.lost) + "," + number_text(c.error) + "\n";
        const std::string key = std::string(name) + "/" + number_text(degrees) + "/" + methods[m].name;
        bench.results.values[key + "/flips"] = c.against_normal;
        bench.results.values[key + "/flips_against_truth"] = c.against_transported;
        bench.results.values[key + "/lost"] = c.lost;
        bench.results.values[key + "/error"] = c.error;
      }
    }
  }
  bench.write_table(
      "guards.csv",
      "Six poses per angle: flipped vertices against T n0, against the transported and against the recomputed truth; on vertices that no random weight reaches, the mean angle to the unguarded normal and to the transported truth",
      csv);
}

double difference(const SkinnedMesh<float>& a, const SkinnedMesh<float>& b) {
  double largest = 0;
  for (std::size_t v = 0; v < a.p.size(); ++v)
    for (const Vec3f& d : {a.p[v] - b.p[v], a.t[v] - b.t[v], a.b[v] - b.b[v], a.n[v] - b.n[v]})
      largest = std::fmax(largest, length(Vec3d(d)));
  return largest;
}

// What a shader would draw: normals captured from the GPU.
void capture_flips(Workbench& bench, const std::vector<MethodCase>& methods) {
  const Character rig(jagged_rig(), {}, bench.threads);
  const RiggedMesh& mesh = rig.mesh();
  const NormalRecord& factors = rig.factors();
  const Pose pose = turned(60, kCountedPose);
  const SkinnedMesh<float> standard = bench.studio.skin(mesh, factors, pose, methods.front().options);
  int flips = 0;
  for (const MethodCase& method : methods) {
    const SkinnedMesh<float> posed = bench.studio.skin(mesh, factors, pose, method.options);
    bench.results.gpu_cpu_difference =
        std::fmax(bench.results.gpu_cpu_difference,
                  difference(posed, skin<float>(mesh, factors, pose, method.options)));
    if (method.options.guard.guard == Guard::joint || method.options.guard.guard == Guard::test_then_fix)
      for (std::size_t v = 0; v < posed.n.size(); ++v) flips += dot(posed.n[v], standard.n[v]) < 0;
    if (method.name == "unguarded" || method.name == "joint" || method.name == "test-then-fix")
      bench.write_normals("normals_" + method.name + ".npy", "Normals captured from the GPU: " + method.label,
                          posed.n);
  }
  bench.results.values["gpu_flips"] = flips;
}

// The paper's picture: a body with a few bad weights, and from near the place where the guard is seen most.
void draw_stain(const Experiment& experiment, Workbench& bench) {
  bench.progress("looking closer at the stain");
  Studio& studio = bench.studio;
  const Subject body{Character(careless_body(), {}, bench.threads)};
  Pose crouch;
  for (const NamedPose& pose : branching_body_poses())
    if (pose.name == "crouch") crouch = pose.pose;
  PosedSubject posed(experiment, body, crouch, studio, bench.threads);
  const Shot large = whole_shot(experiment.shot);
  const std::vector<Vec3f>& points = posed.points("unguarded");
  const Framing whole = framing_of(large, {points});
  const Image8 unguarded = studio.shaded(posed.posed("unguarded"), whole);
  const FlipDifference seen = flip(unguarded, studio.shaded(posed.posed("test-then-fix"), whole));
  const Window window = largest_window(seen.map, seen.width, seen.height, kInsetShare / 2);
  const Framing near = look_closer(whole, window, points, large);
  bench.write_image("body_whole.png", "A body with a few bad weights, unguarded", unguarded);
  const Image8 guarded = studio.shaded(posed.posed("test-then-fix"), near);
  std::string table = "normals,left,top,width,height,flip_to_guarded\n";
  for (const char* name : {"standard", "unguarded", "clamp-0.9", "test-then-fix"}) {
    const Image8 picture = studio.shaded(posed.posed(name), near);
    bench.write_image(std::string("body_") + name + ".png",
                      "The stain from near: " + named(experiment.methods, name).label, picture);
    const double apart = flip(picture, guarded).weighted_median;
    table += csv_row({name}, {window.left, window.top, window.width, window.height, apart});
    bench.results.values[std::string("stain/") + name] = apart;
  }
  bench.write_image("body_truth.png",
                    "The stain from near: truth, rest normals carried by the posed triangles",
                    studio.shaded(posed.truth("unguarded"), near));
  bench.write_table(
      "stain.csv",
      "Where the guard is seen most, in shares of the whole picture, and how visible the difference to test and fix is there (FLIP, weighted median)",
      table);
}

auto sum_of(std::vector<std::string> names) {
  return [names = std::move(names)](const Results& r) {
    double sum = 0;
    for (const std::string& name : names) sum += r.value(name);
    return sum;
  };
}

auto ratio_of(const std::string& a, const std::string& b) {
  return [=](const Results& r) { return r.value(a) / r.value(b); };
}

std::vector<Finding> findings() {
  return {
      {"tangents_not_inverted", value_of("one rotation/clamp 0.9/smallest tangent")},
      {"printed_limit_by_hand", value_of("by_hand")},
      {"printed_limit_flips_percent", value_of("one rotation/clamp 0.9/percent")},
      {"rigid_safe_limit", value_of("one rotation/clamp 0.707107/smallest")},
      {"blend_flips_percent_09", value_of("4 rotations up to 180/clamp 0.9/percent")},
      {"blend_flips_percent_07", value_of("4 rotations up to 180/clamp 0.707107/percent")},
      {"no_limit_is_safe", value_of("4 rotations up to 180/clamp 0.1/percent")},
      {"joint_flips", sum_of({"one rotation/joint 0.9/percent", "4 rotations up to 60/joint 0.9/percent",
                              "4 rotations up to 180/joint 0.9/percent"})},
      {"joint_smallest_share", value_of("4 rotations up to 180/joint 0.9/smallest")},
      {"jagged_flips_unguarded", value_of("jagged/60/unguarded/flips")},
      {"jagged_flips_clamp_09", value_of("jagged/60/clamp-0.9/flips")},
      {"jagged_flips_guarded",
       sum_of({"jagged/30/joint/flips", "jagged/60/joint/flips", "jagged/30/test-then-fix-0.9/flips",
               "jagged/60/test-then-fix-0.9/flips", "jagged/30/test-then-fix/flips",
               "jagged/60/test-then-fix/flips", "smooth/60/joint/flips", "smooth/60/test-then-fix/flips"})},
      {"gpu_flips", value_of("gpu_flips")},
      {"lost_clamp_09", value_of("jagged/60/clamp-0.9/lost")},
      {"lost_clamp_05", value_of("jagged/60/clamp-0.5/lost")},
      {"lost_joint", value_of("jagged/60/joint/lost")},
      {"lost_test_then_fix_09", value_of("jagged/60/test-then-fix-0.9/lost")},
      {"lost_test_then_fix", value_of("jagged/60/test-then-fix/lost")},
      {"fix_needs_no_clamp", ratio_of("jagged/60/test-then-fix/lost", "jagged/60/joint/lost")},
      {"flips_are_real",
       ratio_of("jagged/60/clamp-0.9/flips_against_truth", "jagged/60/unguarded/flips_against_truth")},
      {"smooth_inversions", value_of("smooth/60/unguarded/flips")},
      {"smooth_inversions_against_truth", value_of("smooth/60/unguarded/flips_against_truth")},
      {"stain_unguarded", value_of("stain/unguarded")},
      {"stain_clamped", ratio_of("stain/clamp-0.9", "stain/unguarded")},
      gpu_finding(),
  };
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Fig. 5";
  e.title = "Flipped normals and guards against them";
  e.says =
      "Where weights jump between neighbouring vertices, faces collapse or turn over in a pose, and the normals that follow them flip and stain their surroundings. "
      "Clamping the second terms of Eq. 13 to a length of c = 0.9 corrects the tangents almost completely and prevents their inversion.";
  e.rigs = {{kJagged, "capsule", 64, jagged_rig}, {kSmooth, "capsule", 64, smooth_rig}};
  e.poses = {{kPose, [] { return turned(60, kCountedPose); }}};
  e.methods = method_cases();
  e.shot = {.view = {.towards_eye = {0.35, -1, 0.15}, .up = {0, 0, 1}}};
  e.extra = [e](Workbench& bench) {
    try_random_guard_cases(bench);
    compare_guards(bench, e.methods);
    capture_flips(bench, e.methods);
    draw_stain(e, bench);
  };
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::tarini2014::fig5_flips
