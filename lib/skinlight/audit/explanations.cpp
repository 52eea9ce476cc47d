#include "skinlight/audit/explanations.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "skinlight/audit/detail/posed_directions.h"
#include "skinlight/preprocess/bitangent_side.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/truth/truth.h"

namespace skinlight {

namespace {

using namespace explain;
using Kind = ExplanationKind;

constexpr const char* kBetter = "nothing is broken; deform factors remove the error that is left";

Mat3d cofactors(const Mat3d& a) { return {cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])}; }

// A^-T; where A is singular, its cofactors: the same directions, finite.
Mat3d inverse_transpose(const Mat3d& a) {
  const double det = determinant(a);
  return cofactors(a) * (std::abs(det) > 0 ? 1 / det : 1);
}

// sum_s w[s] M[s]^-T.
Mat3d blended_normal_matrices(const PosedRig& rig, int v) {
  return blended(rig, v, kNoMatrix, [&](int bone) { return inverse_transpose(linear_of(rig, bone)); });
}

// Whether a bone that moves something scales along one axis more than along another, beyond rounding.
bool bones_stretch(const PosedRig& rig) {
  const std::vector<BoneReach> reach = bone_reach(rig.mesh());
  for (int bone = 0; bone < rig.mesh().bone_count; ++bone) {
    if (!(reach[static_cast<std::size_t>(bone)].weight > 0)) continue;
    const Mat3d m = linear_of(rig, bone);
    const double size = (dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2])) / 3;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (!(std::abs(dot(m[i], m[j]) / size - (i == j ? 1 : 0)) <= 2 * kRigidTolerance)) return true;
  }
  return false;
}

// Whether all bones turn and scale alike: their normal matrices are then the bones themselves, up to a
// factor.
bool bones_are_similarities(const PosedRig& rig) {
  constexpr double kSame = 1e-6;  // single precision
  const std::vector<BoneReach> reach = bone_reach(rig.mesh());
  double common = 0;  // of the first bone that moves something
  for (int bone = 0; bone < rig.mesh().bone_count; ++bone) {
    if (!(reach[static_cast<std::size_t>(bone)].weight > 0)) continue;
    const Mat3d m = linear_of(rig, bone), n = inverse_transpose(m);
    if (common == 0) common = dot(m[0], m[0]);
    for (int c = 0; c < 3; ++c)
      if (!(length(n[c] * common - m[c]) <= kSame * length(m[c]))) return false;
  }
  return true;
}

Vec3d blended_translation(const PosedRig& rig, int v) {
  return blended(rig, v, rig.pose().pivot,
                 [&](int bone) { return rig.pose().M[static_cast<std::size_t>(bone)][3]; });
}

// By the bones' own translations, blended, or by what the method moves the rest pose's origin by; whichever is nearer.
Vectors translated(const Subject& s) {
  const PosedRig& rig = s.rig;
  Vectors linear = per_vertex(rig, [&](int v) { return s.T(v) * s.rest(v) + blended_translation(rig, v); });
  if (rig.method == Method::lbs) return linear;
  const std::vector<Vec3d> p = rig.frame.skinned({.method = rig.method, .mode = NormalMode::standard}).p;
  Vectors own = per_vertex(rig, [&](int v) {
    const auto i = static_cast<std::size_t>(v);
    return s.T(v) * s.rest(v) + (p[i] - s.T(v) * rig.mesh().p0[i]);
  });
  const auto mean = [&](const Vectors& v) { return mean_degrees(v, s.theirs, s.weights()); };
  return mean(own) < mean(linear) ? own : linear;
}

// sum_s w[s] M[s] d0.
Vectors blended_linearly(const Subject& s) {
  return per_vertex(s.rig, [&](int v) {
    return blended(s.rig, v, kNoMatrix, [&](int bone) { return linear_of(s.rig, bone); }) * s.rest(v);
  });
}

// Of methods that blend otherwise. `rest`: what the rest pose's are called in formulas.
void add_linear_standard(const Subject& s, const std::string& noun, const std::string& rest,
                         std::vector<Explanation>& list) {
  if (s.rig.method == Method::lbs) return;
  list.push_back(
      {"linear-standard", Kind::approximation,
       "the standard approximation of linear blending, sum w M " + rest +
           ", though positions are not blended linearly",
       "turn " + noun + " by the blend that moves positions: " + std::string(row(s.rig.method).label),
       blended_linearly(s)});
}

Vectors reversed(Vectors v, const std::function<bool(std::size_t)>& where) {
  for (std::size_t i = 0; i < v.size(); ++i)
    if (where(i)) v[i] = -v[i];
  return v;
}

bool everywhere(std::size_t) { return true; }

Vectors standard(const Subject& s) {
  return per_vertex(s.rig, [&](int v) { return s.T(v) * s.rest(v); });
}

Vectors by_normal_matrix(const Subject& s) {
  return per_vertex(s.rig, [&](int v) { return inverse_transpose(s.T(v)) * s.rest(v); });
}

// What can go wrong with normals and tangents alike.
void add_mistakes(const Subject& s, const std::string& noun, std::vector<Explanation>& list) {
  list.push_back({"rest", Kind::mistake, "rest " + noun + " passed through: the pose does not reach them",
                  "transform the " + noun + " by the blended bones, as the positions",
                  Vectors(s.d0.begin(), s.d0.end())});
  list.push_back(
      {"transposed", Kind::mistake, "the inverse transpose was transposed: T^-1 in place of T^-T",
       "transpose the inverse; look for a matrix uploaded with the wrong transpose flag",
       per_vertex(s.rig, [&](int v) { return transpose(inverse_transpose(s.T(v))) * s.rest(v); })});
  list.push_back({"matrix-transposed", Kind::mistake,
                  "rows and columns of the bone matrices were swapped: T^T in place of T",
                  "check row-major against column-major, and the order of vector and matrix in the product",
                  per_vertex(s.rig, [&](int v) { return transpose(s.T(v)) * s.rest(v); })});
  list.push_back(
      {"one-bone", Kind::mistake, "rotated by one bone only: that of the largest weight",
       "blend all bones of the vertex by their weights, as for positions",
       per_vertex(s.rig, [&](int v) { return linear_of(s.rig, s.rig.mesh().bones_of(v)[0]) * s.rest(v); })});
  // The same where the file sorts its weights.
  list.push_back({"first-bone", Kind::mistake, "rotated by one bone only: that of the first slot",
                  "blend all bones of the vertex by their weights, as for positions",
                  per_vertex(s.rig, [&](int v) {
                    return linear_of(s.rig, s.rig.first_bone[static_cast<std::size_t>(v)]) * s.rest(v);
                  })});
  list.push_back({"twice", Kind::mistake, "the blended bones were applied twice: T T",
                  "transform the " + noun + " once: in the skinning pass or in the drawing pass, not in both",
                  per_vertex(s.rig, [&](int v) { return s.T(v) * (s.T(v) * s.rest(v)); })});
  list.push_back({"translated", Kind::mistake, "moved by the bones' translation too, as if they were points",
                  "multiply by the 3x3 part of the bones, or set w to 0", translated(s)});
  list.push_back({"reversed-standard", Kind::mistake, "standard, but pointing the other way everywhere",
                  "the sign is lost: check the winding, mirrored bones and the order in cross products",
                  reversed(standard(s), everywhere)});
}

// Mistakes that are found by fitting, after those that have nothing to fit, which therefore are named where both are as
// near. `bases` are right, or an approximation.
void add_fitted_mistakes(const Subject& s, std::span<const Explanation> bases,
                         std::vector<Explanation>& list) {
  add_neighbouring_bones(s, list);
  add_long_way(s, list);
  add_shifted_order(s, bases, list);
  add_rotations(s, bases, list);
  add_rotation_before(s, list);
}

// The modes of the method's own that differ from one another: those with J itself, and the naive form, equal
// the deform factors but for rounding.
struct ModeResult {
  NormalMode mode;
  SkinnedMesh<double> posed;
};

std::vector<ModeResult> own_modes(const PosedRig& rig) {
  std::vector<ModeResult> results;
  for (const NormalMode mode : row(rig.method).modes) {
    if (mode == NormalMode::standard || mode == NormalMode::deform_naive || mode == NormalMode::deform_eq13 ||
        kernel_row(rig.method, mode).traits.reads.gradients)
      continue;
    results.push_back({mode, rig.frame.skinned({.method = rig.method, .mode = mode})});
  }
  return results;
}

std::string described(NormalMode mode) {
  return std::string(row(mode).label) + " [" + std::string(row(mode).equation) + "]";
}

// What the mode makes of factors, or frames, along t and along b in each other's place.
SkinnedMesh<double> swapped(const PosedRig& rig, NormalMode mode) {
  SkinData data = rig.character().data(rig.method, mode);
  NormalRecord factors;
  FrameRecord frames;
  if (data.factors) {
    factors = *data.factors;
    std::swap(factors.alpha, factors.beta);
    data.factors = &factors;
  }
  if (data.frames) {
    frames = *data.frames;
    std::swap(frames.frame_t, frames.frame_b);
    std::swap(frames.frame_alpha, frames.frame_beta);
    data.frames = &frames;
  }
  return skin<double>(rig.frame.rest(mode), data, rig.pose(), {.method = rig.method, .mode = mode});
}

// Of the modes that read them the one nearest to theirs. `part` is what is explained: p, t, b or n.
void add_swapped_factors(const Subject& s, Vectors SkinnedMesh<double>::*part,
                         std::vector<Explanation>& list) {
  Explanation best{"alpha-beta-swapped",
                   Kind::mistake,
                   "",
                   "alpha belongs to the tangent, beta to the bitangent: check the order of the attributes",
                   {}};
  double nearest = 0;
  for (const NormalMode mode : row(s.rig.method).modes) {
    const KernelReads& reads = kernel_row(s.rig.method, mode).traits.reads;
    if (!(reads.factors || reads.frames) || reads.gradients || reads.vectors ||
        mode == NormalMode::deform_naive || mode == NormalMode::deform_eq13)
      continue;
    Vectors v = swapped(s.rig, mode).*part;
    const double mean = mean_degrees(v, s.theirs, s.weights());
    if (!best.v.empty() && mean >= nearest) continue;
    nearest = mean;
    best.what = "alpha and beta in each other's place: " + described(mode);
    best.v = std::move(v);
  }
  if (!best.v.empty()) list.push_back(std::move(best));
}

// Of an engine that keeps four bones per vertex of a rig that has more: what is right, or standard, of such a rig. `known` are
// the same things of the whole rig.
void add_four_strongest(const Subject& s, std::span<const Explanation> known,
                        std::vector<Explanation>& list) {
  constexpr int kKept = 4;
  const PosedRig& rig = s.rig;
  const RiggedMesh& whole = rig.character().mesh();
  bool has_more = false;
  for (int v = 0; v < whole.vertex_count() && !has_more; ++v)
    has_more = whole.slots > kKept && whole.weights_of(v)[kKept] > 0;
  if (!has_more) return;
  const auto cut = [](RiggedMesh mesh) {
    limit_influences(mesh, kKept);
    return mesh;
  };
  const Character kept(cut(whole), {.max_slots = kKept}, rig.character().threads());
  const RiggedMesh as_authored = cut(rig.mesh()), carried = cut(rig.frame.rest(NormalMode::deform));
  Explanation best{"four-strongest", Kind::mistake, "", "", {}};
  double nearest = std::numeric_limits<double>::infinity();
  const auto consider = [&](std::string_view id, Vectors v) {
    const double mean = mean_degrees(v, s.theirs, s.weights());
    const auto same =
        std::find_if(known.begin(), known.end(), [&](const Explanation& e) { return e.id == id; });
    if (mean >= nearest || same == known.end()) return;
    nearest = mean;
    char cost[32];
    std::snprintf(cost, sizeof cost, "%.2f", mean_degrees(v, same->v, s.weights()));
    best.what = std::string("the four strongest influences alone, renormalised, which costs ") + cost +
                " degrees on average: '" + std::string(id) + "' of them";
    best.advice = "import with more influences per vertex; to judge the rest of it, use --influences 4";
    best.v = std::move(v);
  };
  const std::vector<Mat3d> T = extension_of(as_authored, rig.pose(), rig.method);
  const auto turned = [&](const std::function<Mat3d(const Mat3d&)>& matrix) {
    return per_vertex(rig, [&](int v) { return matrix(T[static_cast<std::size_t>(v)]) * s.rest(v); });
  };
  const Vectors plain = turned([](const Mat3d& t) { return t; });
  consider(kStandard, plain);
  consider(kInverseTransposeMissing, plain);
  consider("standard-normal-matrix", turned(inverse_transpose));
  for (const NormalMode mode : row(rig.method).modes) {
    if (kernel_row(rig.method, mode).traits.reads.gradients) continue;
    SkinnedMesh<double> posed =
        skin<double>(mode == NormalMode::standard ? as_authored : carried, kept.data(rig.method, mode),
                     rig.pose(), {.method = rig.method, .mode = mode});
    if (mode != NormalMode::standard) {
      consider(row(mode).name, std::move(posed.n));
      continue;
    }
    const PosedTruth truth = truth_of_positions(kept.mesh(), kept.surface(), rig.pose(), std::move(posed.p),
                                                rig.method, carried.p0);
    consider("transported", truth.transported);
    consider("recomputed", truth.recomputed);
  }
  list.push_back(std::move(best));
}

}  // namespace

std::string_view name(ExplanationKind kind) {
  switch (kind) {
    case ExplanationKind::correct:
      return "correct";
    case ExplanationKind::approximation:
      return "approximation";
    case ExplanationKind::mistake:
      return "mistake";
  }
  return "";
}

std::vector<Explanation> normal_explanations(const PosedRig& rig, std::span<const Vec3d> theirs) {
  const Subject subject{rig, rig.mesh().n0, theirs};
  const std::vector<double>& handedness = rig.mesh().handedness;
  const auto mirrored_frame = [&](std::size_t v) { return gltf_w(handedness[v]) < 0; };
  const bool mirrored =
      std::any_of(handedness.begin(), handedness.end(), [](double h) { return gltf_w(h) < 0; });
  std::vector<Explanation> list, lost, reverse;

  list.push_back({"transported", Kind::correct, "true: the rest normals carried by the posed triangles", "",
                  rig.truth.transported});
  list.push_back({"recomputed", Kind::correct, "true: computed anew from the posed triangles", "",
                  rig.truth.recomputed});
  const std::string keep = "where t x b gives the normal, multiply it by the stored handedness (tangent.w)";
  for (ModeResult& own : own_modes(rig)) {
    const std::string id(row(own.mode).name);
    if (mirrored)
      lost.push_back(
          {"handedness-lost-" + id, Kind::mistake,
           "handedness lost: " + described(own.mode) + " turned inside out where the uv are mirrored", keep,
           reversed(own.posed.n, mirrored_frame)});
    reverse.push_back({"reversed-" + id, Kind::mistake,
                       described(own.mode) + ", but pointing the other way everywhere",
                       "the sign is lost: check the winding, mirrored bones and the order in cross products",
                       reversed(own.posed.n, everywhere)});
    list.push_back({id, Kind::correct, described(own.mode), "", std::move(own.posed.n)});
  }
  if (rig.method == Method::lbs)
    list.push_back({"deform-clamped", Kind::correct,
                    "deform factors, second terms clamped to 0.9 [TPS14 Sec. 4.4]", "",
                    rig.frame.normals({.guard = row(Guard::clamp).usual})});

  // Methods of rigid bones leave the stretch out: their T only turns and scales evenly.
  const bool stretch = row(rig.method).mover == Mover::matrices && bones_stretch(rig);
  if (!stretch)
    list.push_back({std::string(kStandard), Kind::approximation,
                    "the standard approximation: T n0 [TPS14 Eq. 3]", kBetter, standard(subject)});
  list.push_back({"standard-normal-matrix", Kind::approximation,
                  "the standard approximation with the blend's normal matrix: T^-T n0", kBetter,
                  by_normal_matrix(subject)});
  add_linear_standard(subject, "normals", "n0", list);
  if (!bones_are_similarities(rig))
    list.push_back(
        {"blended-normal-matrices", Kind::approximation,
         "the standard approximation with the bones' normal matrices blended: sum w M^-T n0", kBetter,
         per_vertex(rig, [&](int v) { return blended_normal_matrices(rig, v) * subject.rest(v); })});

  if (stretch)
    list.push_back({std::string(kInverseTransposeMissing), Kind::mistake,
                    "T n0, though bones scale along one axis: the inverse transpose is missing",
                    "transform normals by the inverse transpose, or the cofactors, of the blended bones",
                    standard(subject)});
  const std::vector<Explanation> bases = list;
  add_four_strongest(subject, bases, list);
  add_mistakes(subject, "normals", list);
  if (rig.mesh().n0 != rig.character().mesh().n0) {
    const Subject unmorphed{rig, rig.character().mesh().n0, theirs};
    list.push_back({"morphs-missing", Kind::mistake,
                    "the morph targets do not reach the normals: T n0 of the mesh without them",
                    "add what the morph targets change of the normals before the bones turn them",
                    standard(unmorphed)});
  }
  list.push_back({"winding-reversed", Kind::mistake,
                  "computed anew from the posed triangles, with their winding reversed",
                  "turn the order of the corners around, or the cross product's operands",
                  reversed(rig.truth.recomputed, everywhere)});
  list.push_back({"normal-matrix-twice", Kind::mistake, "the normal matrix was applied twice: T^-T T^-T n0",
                  "transform the normals once: in the skinning pass or in the drawing pass, not in both",
                  per_vertex(rig, [&](int v) {
                    const Mat3d N = inverse_transpose(subject.T(v));
                    return N * (N * subject.rest(v));
                  })});
  add_swapped_factors(subject, &SkinnedMesh<double>::n, list);
  if (mirrored) {
    list.push_back({"handedness-lost-standard", Kind::mistake,
                    "handedness lost: standard normals turned inside out where the uv are mirrored", keep,
                    reversed(standard(subject), mirrored_frame)});
    list.push_back({"handedness-lost-pair", Kind::mistake,
                    "handedness lost: T t0 x T b0 without the sign where the uv are mirrored", keep,
                    reversed(by_normal_matrix(subject), mirrored_frame)});
  }
  for (auto* more : {&lost, &reverse})
    for (Explanation& e : *more) list.push_back(std::move(e));
  add_fitted_mistakes(subject, bases, list);
  return list;
}

std::vector<Explanation> tangent_explanations(const PosedRig& rig, std::span<const Vec3d> theirs) {
  const Subject subject{rig, rig.mesh().t0, theirs};
  std::vector<Explanation> list;
  list.push_back(
      {"transported", Kind::correct, "true: the rest tangents carried by the posed triangles", "",
       transported_tangents(rig.character().mesh(), rig.character().surface(), rig.truth.p,
                            rig.truth.extension, Averaging::area, rig.frame.rest(NormalMode::deform).p0)});
  for (ModeResult& own : own_modes(rig))
    list.push_back(
        {std::string(row(own.mode).name), Kind::correct, described(own.mode), "", std::move(own.posed.t)});
  list.push_back({std::string(kStandard), Kind::approximation, "the standard approximation: T t0", kBetter,
                  standard(subject)});
  add_linear_standard(subject, "tangents", "t0", list);
  const std::vector<Explanation> bases = list;
  add_mistakes(subject, "tangents", list);
  list.push_back({"like-a-normal", Kind::mistake, "transformed like a normal: T^-T t0",
                  "tangents lie in the surface: use T itself, the normal matrix is for normals only",
                  by_normal_matrix(subject)});
  if (!bones_are_similarities(rig))
    list.push_back(
        {"like-a-normal-per-bone", Kind::mistake, "transformed like a normal: sum w M^-T t0",
         "tangents lie in the surface: use the bones themselves, normal matrices are for normals only",
         per_vertex(rig, [&](int v) { return blended_normal_matrices(rig, v) * subject.rest(v); })});
  add_swapped_factors(subject, &SkinnedMesh<double>::t, list);
  add_fitted_mistakes(subject, bases, list);
  return list;
}

}  // namespace skinlight
