#include "skinlight/audit/explanations.h"

#include <algorithm>
#include <functional>

#include "skinlight/preprocess/bitangent_side.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/truth/truth.h"

namespace skinlight {

namespace {

using Kind = ExplanationKind;

constexpr const char* kBetter = "nothing is broken; deform factors remove the error that is left";

Mat3d cofactors(const Mat3d& a) { return {cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])}; }

// A^-T; where A is singular, its cofactors: the same directions, finite.
Mat3d inverse_transpose(const Mat3d& a) {
  const double det = determinant(a);
  return cofactors(a) * (std::abs(det) > 0 ? 1 / det : 1);
}

Mat3d linear_of(const PosedRig& rig, int bone) { return Mat3d(rig.pose.M[static_cast<std::size_t>(bone)]); }

// sum_s w[s] M[s]^-T.
Mat3d blended_normal_matrices(const PosedRig& rig, int v) {
  Mat3d sum(Vec3d(0.0), Vec3d(0.0), Vec3d(0.0));
  for (std::size_t k = 0; k < static_cast<std::size_t>(rig.mesh().slots); ++k)
    sum = sum + inverse_transpose(linear_of(rig, rig.mesh().bones_of(v)[k])) * rig.mesh().weights_of(v)[k];
  return sum;
}

// Whether all bones turn and scale alike: their normal matrices are then the bones themselves, up to a
// factor.
bool bones_are_similarities(const PosedRig& rig) {
  constexpr double kSame = 1e-6;  // single precision
  const Mat3d first = linear_of(rig, 0);
  const double common = dot(first[0], first[0]);
  for (int bone = 0; bone < rig.mesh().bone_count; ++bone) {
    const Mat3d m = linear_of(rig, bone), n = inverse_transpose(m);
    for (int c = 0; c < 3; ++c)
      if (!(length(n[c] * common - m[c]) <= kSame * length(m[c]))) return false;
  }
  return true;
}

Vec3d blended_translation(const PosedRig& rig, int v) {
  Vec3d sum(0.0);
  for (std::size_t k = 0; k < static_cast<std::size_t>(rig.mesh().slots); ++k)
    sum += rig.pose.M[static_cast<std::size_t>(rig.mesh().bones_of(v)[k])][3] * rig.mesh().weights_of(v)[k];
  return sum + rig.pose.pivot;
}

std::vector<Vec3d> per_vertex(const PosedRig& rig, const std::function<Vec3d(int)>& f) {
  std::vector<Vec3d> v;
  v.reserve(rig.mesh().p0.size());
  for (int i = 0; i < rig.mesh().vertex_count(); ++i) v.push_back(f(i));
  return v;
}

std::vector<Vec3d> reversed(std::vector<Vec3d> v, const std::function<bool(std::size_t)>& where) {
  for (std::size_t i = 0; i < v.size(); ++i)
    if (where(i)) v[i] = -v[i];
  return v;
}

bool everywhere(std::size_t) { return true; }

// What normals and tangents have in common: d0 is n0 or t0.
class Common {
 public:
  Common(const PosedRig& rig, std::span<const Vec3d> d0) : rig_(rig), d0_(d0) {}

  Vec3d rest(int v) const { return d0_[static_cast<std::size_t>(v)]; }
  const Mat3d& T(int v) const { return rig_.truth.extension[static_cast<std::size_t>(v)]; }

  std::vector<Vec3d> standard() const {
    return per_vertex(rig_, [this](int v) { return T(v) * rest(v); });
  }
  std::vector<Vec3d> normal_matrix() const {
    return per_vertex(rig_, [this](int v) { return inverse_transpose(T(v)) * rest(v); });
  }

  void add_mistakes(std::vector<Explanation>& list, const std::string& noun) const {
    list.push_back({"rest", Kind::mistake, "rest " + noun + " passed through: the pose does not reach them",
                    "transform the " + noun + " by the blended bones, as the positions",
                    std::vector<Vec3d>(d0_.begin(), d0_.end())});
    list.push_back(
        {"transposed", Kind::mistake, "the inverse transpose was transposed: T^-1 in place of T^-T",
         "transpose the inverse; look for a matrix uploaded with the wrong transpose flag",
         per_vertex(rig_, [this](int v) { return transpose(inverse_transpose(T(v))) * rest(v); })});
    list.push_back({"matrix-transposed", Kind::mistake,
                    "rows and columns of the bone matrices were swapped: T^T in place of T",
                    "check row-major against column-major, and the order of vector and matrix in the product",
                    per_vertex(rig_, [this](int v) { return transpose(T(v)) * rest(v); })});
    list.push_back(
        {"one-bone", Kind::mistake, "rotated by one bone only: that of the largest weight",
         "blend all bones of the vertex by their weights, as for positions",
         per_vertex(rig_, [this](int v) { return linear_of(rig_, rig_.mesh().bones_of(v)[0]) * rest(v); })});
    add_first_slot(list);
    list.push_back(
        {"twice", Kind::mistake, "the blended bones were applied twice: T T",
         "transform the " + noun + " once: in the skinning pass or in the drawing pass, not in both",
         per_vertex(rig_, [this](int v) { return T(v) * (T(v) * rest(v)); })});
    list.push_back(
        {"translated", Kind::mistake, "moved by the bones' translation too, as if they were points",
         "multiply by the 3x3 part of the bones, or set w to 0",
         per_vertex(rig_, [this](int v) { return T(v) * rest(v) + blended_translation(rig_, v); })});
    list.push_back({"reversed-standard", Kind::mistake, "standard, but pointing the other way everywhere",
                    "the sign is lost: check the winding, mirrored bones and the order in cross products",
                    reversed(standard(), everywhere)});
  }

 private:
  // Where weights are sorted already it is the same as `one-bone`.
  void add_first_slot(std::vector<Explanation>& list) const {
    const auto strongest = [this](int v) { return rig_.mesh().bones_of(v)[0]; };
    bool differs = false;
    for (int v = 0; v < rig_.mesh().vertex_count(); ++v)
      differs = differs || rig_.first_bone[static_cast<std::size_t>(v)] != strongest(v);
    if (!differs) return;
    list.push_back({"first-bone", Kind::mistake, "rotated by one bone only: that of the first slot",
                    "blend all bones of the vertex by their weights, as for positions",
                    per_vertex(rig_, [this](int v) {
                      return linear_of(rig_, rig_.first_bone[static_cast<std::size_t>(v)]) * rest(v);
                    })});
  }

  const PosedRig& rig_;
  std::span<const Vec3d> d0_;
};

// The modes of the method's own that differ from one another: those with J itself, and the naive form, equal
// the deform factors but for rounding.
struct ModeResult {
  NormalMode mode;
  SkinnedMesh<double> posed;
};

std::vector<ModeResult> own_modes(const PosedRig& rig) {
  std::vector<ModeResult> results;
  for (const NormalMode mode : row(rig.method).modes) {
    if (mode == NormalMode::standard || mode == NormalMode::deform_naive ||
        kernel_row(rig.method, mode).traits.reads.gradients)
      continue;
    results.push_back({mode, skin<double>(rig.mesh(), rig.character.data(rig.method, mode), rig.pose,
                                          {.method = rig.method, .mode = mode})});
  }
  return results;
}

std::string described(NormalMode mode) {
  return std::string(row(mode).label) + " [" + std::string(row(mode).equation) + "]";
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

std::vector<Explanation> normal_explanations(const PosedRig& rig) {
  const Common common(rig, rig.mesh().n0);
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
                    skin<double>(rig.mesh(), rig.character.data(Method::lbs, NormalMode::deform), rig.pose,
                                 {.guard = row(Guard::clamp).usual})
                        .n});

  list.push_back({"standard", Kind::approximation, "the standard approximation: T n0 [TPS14 Eq. 3]", kBetter,
                  common.standard()});
  list.push_back({"standard-normal-matrix", Kind::approximation,
                  "the standard approximation with the blend's normal matrix: T^-T n0", kBetter,
                  common.normal_matrix()});
  if (!bones_are_similarities(rig))
    list.push_back(
        {"blended-normal-matrices", Kind::approximation,
         "the standard approximation with the bones' normal matrices blended: sum w M^-T n0", kBetter,
         per_vertex(rig, [&](int v) { return blended_normal_matrices(rig, v) * common.rest(v); })});

  common.add_mistakes(list, "normals");
  list.push_back({"normal-matrix-twice", Kind::mistake, "the normal matrix was applied twice: T^-T T^-T n0",
                  "transform the normals once: in the skinning pass or in the drawing pass, not in both",
                  per_vertex(rig, [&](int v) {
                    const Mat3d N = inverse_transpose(common.T(v));
                    return N * (N * common.rest(v));
                  })});
  if (mirrored) {
    list.push_back({"handedness-lost-standard", Kind::mistake,
                    "handedness lost: standard normals turned inside out where the uv are mirrored", keep,
                    reversed(common.standard(), mirrored_frame)});
    list.push_back({"handedness-lost-pair", Kind::mistake,
                    "handedness lost: T t0 x T b0 without the sign where the uv are mirrored", keep,
                    reversed(common.normal_matrix(), mirrored_frame)});
  }
  for (auto* more : {&lost, &reverse})
    for (Explanation& e : *more) list.push_back(std::move(e));
  return list;
}

std::vector<Explanation> tangent_explanations(const PosedRig& rig) {
  const Common common(rig, rig.mesh().t0);
  std::vector<Explanation> list;
  list.push_back(
      {"transported", Kind::correct, "true: the rest tangents carried by the posed triangles", "",
       transported_tangents(rig.mesh(), rig.character.surface(), rig.truth.p, rig.truth.extension)});
  for (ModeResult& own : own_modes(rig))
    list.push_back(
        {std::string(row(own.mode).name), Kind::correct, described(own.mode), "", std::move(own.posed.t)});
  list.push_back(
      {"standard", Kind::approximation, "the standard approximation: T t0", kBetter, common.standard()});
  list.push_back({"like-a-normal", Kind::mistake, "transformed like a normal: T^-T t0",
                  "tangents lie in the surface: use T itself, the normal matrix is for normals only",
                  common.normal_matrix()});
  if (!bones_are_similarities(rig))
    list.push_back(
        {"like-a-normal-per-bone", Kind::mistake, "transformed like a normal: sum w M^-T t0",
         "tangents lie in the surface: use the bones themselves, normal matrices are for normals only",
         per_vertex(rig, [&](int v) { return blended_normal_matrices(rig, v) * common.rest(v); })});
  common.add_mistakes(list, "tangents");
  return list;
}

}  // namespace skinlight
