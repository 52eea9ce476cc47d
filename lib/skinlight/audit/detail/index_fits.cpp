// Mistakes of indices: other bones, other vertices.
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "skinlight/audit/detail/posed_directions.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/random.h"
#include "skinlight/truth/truth.h"

namespace skinlight::explain {

namespace {

Vec3d unit(Vec3d v) {
  const double size = length(v);
  return size > 0 && std::isfinite(size) ? v / size : Vec3d(0.0);
}

Vectors unit(std::span<const Vec3d> v) {
  Vectors result;
  for (const Vec3d& a : v) result.push_back(unit(a));
  return result;
}

Vectors in_order(std::span<const Vec3d> v, std::span<const int> order) {
  Vectors result;
  for (const int i : order) result.push_back(v[static_cast<std::size_t>(i)]);
  return result;
}

// The cell of a direction in a grid over the six sides of a cube, `across` cells to a side's edge.
int cell(Vec3d d, int across) {
  int axis = 0;
  for (int c = 1; c < 3; ++c)
    if (std::abs(d[c]) > std::abs(d[axis])) axis = c;
  const double size = std::abs(d[axis]);
  const auto step = [&](double x) {
    return size > 0 ? std::clamp(static_cast<int>((x / size + 1) / 2 * across), 0, across - 1) : 0;
  };
  const int side = 2 * axis + (d[axis] < 0 ? 1 : 0);
  return (side * across + step(d[(axis + 1) % 3])) * across + step(d[(axis + 2) % 3]);
}

// Gives every one of theirs one of `ours` (both unit, of one length) as its own, near it: pairs within cells that grow,
// in grids turned at random, then pairs that gain by a swap.
std::vector<int> matched(std::span<const Vec3d> theirs, std::span<const Vec3d> ours) {
  constexpr int kFinest = 2048, kTurns = 4, kSwaps = 200;
  const int count = static_cast<int>(theirs.size());
  std::vector<int> partner(theirs.size(), -1), of_theirs(theirs.size());
  std::iota(of_theirs.begin(), of_theirs.end(), 0);
  std::vector<int> of_ours = of_theirs;
  Random random(1);
  for (int across = kFinest; across >= 1; across /= 2)
    for (int turn = 0; turn < kTurns && !of_theirs.empty(); ++turn) {
      const Vec3d x = random.direction(), y = normalize(cross(x, random.direction())), z = cross(x, y);
      const auto cell_of = [&](Vec3d d) { return cell({dot(x, d), dot(y, d), dot(z, d)}, across); };
      std::multimap<int, int> free;
      for (const int i : of_ours) free.emplace(cell_of(ours[static_cast<std::size_t>(i)]), i);
      std::erase_if(of_theirs, [&](int i) {
        const auto found = free.find(cell_of(theirs[static_cast<std::size_t>(i)]));
        if (found == free.end()) return false;
        partner[static_cast<std::size_t>(i)] = found->second;
        free.erase(found);
        return true;
      });
      of_ours.clear();
      for (const auto& [where, i] : free) of_ours.push_back(i);
    }
  for (std::size_t i = 0; i < of_theirs.size(); ++i)
    partner[static_cast<std::size_t>(of_theirs[i])] = of_ours[i];
  const auto apart = [&](int i, int j) {
    return angle_between(theirs[static_cast<std::size_t>(i)], ours[static_cast<std::size_t>(j)]);
  };
  for (int i = 0; i < count; ++i)
    for (int swap = 0; swap < kSwaps; ++swap) {
      const int j = random.below(count);
      int &p = partner[static_cast<std::size_t>(i)], &q = partner[static_cast<std::size_t>(j)];
      if (apart(i, q) + apart(j, p) < apart(i, p) + apart(j, q)) std::swap(p, q);
    }
  return partner;
}

// How far two sets of as many unit vectors are apart, whatever their order: the mean difference of their sorted
// coordinates along random directions (the sliced Wasserstein distance).
double sets_apart(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  constexpr int kDirections = 48;
  Random random(2);
  double sum = 0;
  for (int i = 0; i < kDirections; ++i) {
    const Vec3d d = random.direction();
    const auto along = [&](std::span<const Vec3d> v) {
      std::vector<double> x;
      for (const Vec3d& u : v) x.push_back(dot(u, d));
      std::sort(x.begin(), x.end());
      return x;
    };
    const std::vector<double> x = along(a), y = along(b);
    for (std::size_t k = 0; k < x.size(); ++k) sum += std::abs(x[k] - y[k]);
  }
  return sum / (kDirections * static_cast<double>(a.size()));
}

}  // namespace

void add_neighbouring_bones(const Subject& subject, std::vector<Explanation>& list) {
  const int bones = subject.rig.mesh().bone_count;
  if (bones < 2) return;
  struct Variant {
    const char* what;
    std::function<int(int)> bone;
  };
  const Variant variants[] = {
      {"one too high, around to the first", [=](int b) { return (b + 1) % bones; }},
      {"one too high, up to the last", [=](int b) { return std::min(b + 1, bones - 1); }},
      {"one too low, around to the last", [=](int b) { return (b + bones - 1) % bones; }},
      {"one too low, down to the first", [=](int b) { return std::max(b - 1, 0); }},
  };
  Explanation best{"bone-off-by-one",
                   ExplanationKind::mistake,
                   "",
                   "check where the palette of bones starts: at 0, behind a root, or behind another skin's",
                   {}};
  double nearest = std::numeric_limits<double>::infinity();
  for (const Variant& variant : variants) {
    const auto consider = [&](const std::string& blend, const std::function<Vec3d(int)>& of) {
      Vectors v = per_vertex(subject.rig, of);
      const double mean = mean_degrees(v, subject.theirs, subject.weights());
      if (mean >= nearest) return;
      nearest = mean;
      best.what = std::string("transformed by the wrong bones: ") + variant.what + blend;
      best.v = std::move(v);
    };
    consider(subject.rig.method == Method::lbs ? "" : ", blended linearly", [&](int i) {
      return blended(subject.rig, i, kNoMatrix,
                     [&](int b) { return linear_of(subject.rig, variant.bone(b)); }) *
             subject.rest(i);
    });
    if (subject.rig.method == Method::lbs) continue;
    Pose wrong = subject.rig.pose();
    for (int b = 0; b < bones; ++b)
      wrong.M[static_cast<std::size_t>(b)] = subject.rig.pose().M[static_cast<std::size_t>(variant.bone(b))];
    const std::vector<Mat3d> T = extension_of(subject.rig.mesh(), wrong, subject.rig.method);
    consider("", [&](int i) { return T[static_cast<std::size_t>(i)] * subject.rest(i); });
  }
  list.push_back(std::move(best));
}

void add_shifted_order(const Subject& subject, std::span<const Explanation> bases,
                       std::vector<Explanation>& list) {
  constexpr std::size_t kWork = 16'000'000, kMost = 256, kFewest = 32;
  const std::size_t count = subject.theirs.size();
  if (count < 2 || bases.empty()) return;
  const Vectors theirs = unit(subject.theirs);
  const std::size_t samples = std::min(count, std::clamp(kWork / count, kFewest, kMost));
  Explanation best{"vertex-order",
                   ExplanationKind::mistake,
                   "",
                   "vectors and positions have to be in one order: that of the file's vertices",
                   {}};
  double nearest = std::numeric_limits<double>::infinity();
  // What is right and what is nearly right differ by less than neighbours do: one of them finds the shift for all.
  const Vectors ours = unit(bases.front().v);
  double most = -2 * static_cast<double>(samples);
  std::size_t shift = 0;
  for (std::size_t k = 1; k < count; ++k) {
    double sum = 0;
    for (std::size_t s = 0; s < samples; ++s) {
      const std::size_t v = s * count / samples;
      sum += dot(theirs[v], ours[v + k < count ? v + k : v + k - count]);
    }
    if (sum > most) {
      most = sum;
      shift = k;
    }
  }
  std::vector<int> order(count);
  for (const Explanation& base : bases) {
    const auto consider = [&](const std::string& what) {
      Vectors v = in_order(base.v, order);
      const double mean = mean_degrees(v, subject.theirs, subject.weights());
      if (mean >= nearest) return;
      nearest = mean;
      best.what = what + " '" + base.id + "'";
      best.v = std::move(v);
    };
    for (std::size_t v = 0; v < count; ++v) order[v] = static_cast<int>((v + shift) % count);
    consider("in another order: vertex v has, of vertex v + " + std::to_string(shift) + ",");
    for (std::size_t v = 0; v < count; ++v) order[v] = static_cast<int>(count - 1 - v);
    consider("in reverse order:");
  }
  list.push_back(std::move(best));
}

}  // namespace skinlight::explain

namespace skinlight {

std::vector<Explanation> shuffled(std::span<const Vec3d> theirs, std::span<const Explanation> explanations) {
  using namespace explain;
  // Two random samples of n directions differ by .5 / sqrt(n), about; a set and itself with noise by less than a tenth
  // of that.
  constexpr double kMost = .01, kChance = .2;
  const Explanation* nearest = nullptr;
  double least = std::min(kMost, kChance / std::sqrt(static_cast<double>(theirs.size())));
  const Vectors unit_theirs = unit(theirs);
  for (const Explanation& base : explanations) {
    if (base.kind == ExplanationKind::mistake) continue;
    const double apart = sets_apart(unit_theirs, unit(base.v));
    if (apart >= least) continue;
    least = apart;
    nearest = &base;
  }
  if (!nearest) return {};
  Explanation best{"vertex-order", ExplanationKind::mistake,
                   "in another order: the same vectors as '" + nearest->id + "', but at other vertices",
                   "vectors and positions have to be in one order: that of the file's vertices",
                   in_order(nearest->v, matched(unit_theirs, unit(nearest->v)))};
  return {best};
}

}  // namespace skinlight
