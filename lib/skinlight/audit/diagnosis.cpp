#include "skinlight/audit/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "skinlight/core/angle.h"
#include "skinlight/truth/angular_error.h"

namespace skinlight {

namespace {

// A fit within this factor of the best one, or within kAngleFloor, is as good: what rounding adds to one
// distance or the other.
constexpr double kAsGood = 1.1;
// Under noise a fit is as good when its distance is no larger by more than this many standard errors of the
// difference, vertex by vertex. Three would do for vertices that err independently; vertices split at seams
// often share what is stored.
constexpr double kStandardErrors = 4;
// Correlation along edges, below which what is left over has no pattern. Independent errors give 0, a wrong
// formula .6 and more: its errors follow the bones.
constexpr double kNoPattern = 0.3;
// Errors larger than this many times their median count as such: of noise a hundredth is larger.
constexpr double kMostOfMedian = 3;
// The next explanation has to be this many times as far for a verdict to be called clear.
constexpr double kClear = 3;
// Relative departure of lengths that formats make: 8 bits a component round a vector by at most sqrt(3) /
// 254.
constexpr double kSameLength = 0.02;

// A vector of no length points nowhere: it is 90 degrees from anything.
double degrees_between(Vec3d a, Vec3d b) {
  return length(a) > 0 && std::isfinite(length(a)) ? angle_between(a, b) * kDegrees : 90.0;
}

// A fit with how far each vertex is off.
struct Candidate {
  const Explanation* explanation = nullptr;
  Fit fit;
  std::vector<double> degrees;  // #V
};

Vec3d direction(const Explanation& e, const Directions& theirs, bool orthogonal, std::size_t v) {
  if (!orthogonal) return e.v[v];
  const Vec3d n = theirs.normals[v];
  return e.v[v] - n * (dot(e.v[v], n) / dot(n, n));
}

Candidate candidate(const Explanation& e, const Directions& theirs, bool orthogonal, double tolerance) {
  Candidate c;
  c.explanation = &e;
  double total = 0, within = 0;
  for (std::size_t v = 0; v < theirs.v.size(); ++v) {
    c.degrees.push_back(degrees_between(direction(e, theirs, orthogonal, v), theirs.v[v]));
    total += theirs.weights[v];
    if (c.degrees.back() <= tolerance) within += theirs.weights[v];
  }
  const NormalError error = error_statistics(c.degrees, theirs.weights, "");
  c.fit = {e.id, e.what, e.advice, e.kind, 0, error.mean, error.p95, error.max, within / total, orthogonal};
  return c;
}

Vec3d unit_or_zero(Vec3d v) {
  const double size = length(v);
  return size > 0 && std::isfinite(size) ? v / size : Vec3d(0.0);
}

// Whether what the candidate leaves over is as good as independent from vertex to vertex. The few vertices where it is
// much do not decide alone.
bool has_no_pattern(const Candidate& c, const Directions& theirs) {
  std::vector<Vec3d> rest;
  for (std::size_t v = 0; v < theirs.v.size(); ++v)
    rest.push_back(unit_or_zero(theirs.v[v]) -
                   unit_or_zero(direction(*c.explanation, theirs, c.fit.orthogonal, v)));
  std::vector<double> sizes;  // where there is a surface
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (theirs.weights[v] > 0) sizes.push_back(length(rest[v]));
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  const double most = kMostOfMedian * *middle;
  for (Vec3d& r : rest)
    if (const double size = length(r); size > most) r = r * (most / size);
  double products = 0, squares = 0;
  for (const Face& face : theirs.faces)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3d a = rest[static_cast<std::size_t>(face[k])],
                  b = rest[static_cast<std::size_t>(face[(k + 1) % 3])];
      if (theirs.weights[static_cast<std::size_t>(face[k])] == 0 ||
          theirs.weights[static_cast<std::size_t>(face[(k + 1) % 3])] == 0)
        continue;
      products += dot(a, b);
      squares += (dot(a, a) + dot(b, b)) / 2;
    }
  return squares > 0 && products < kNoPattern * squares;
}

// Whether noise would hide the difference between them.
bool same_under_noise(const Candidate& best, const Candidate& other, std::span<const double> weights) {
  double total = 0, mean = 0, variance = 0;
  for (std::size_t v = 0; v < weights.size(); ++v) {
    total += weights[v];
    mean += weights[v] * (other.degrees[v] - best.degrees[v]);
  }
  mean /= total;
  for (std::size_t v = 0; v < weights.size(); ++v) {
    const double share = weights[v] / total, off = other.degrees[v] - best.degrees[v] - mean;
    variance += share * share * off * off;
  }
  return mean <= kStandardErrors * std::sqrt(variance) + kAngleFloor;
}

// Candidates: the nearest first.
Verdict verdict_of(const std::vector<Candidate>& candidates, const Directions& theirs, double tolerance) {
  Verdict verdict;
  if (candidates.empty()) return verdict;
  const Candidate& best = candidates[0];
  verdict.noisy = best.fit.mean > kAngleFloor && best.fit.mean <= kMostNoise && has_no_pattern(best, theirs);
  if (best.fit.mean > tolerance && !verdict.noisy) return verdict;
  verdict.explained = true;
  const auto as_good = [&](const Candidate& other) {
    return verdict.noisy ? same_under_noise(best, other, theirs.weights)
                         : other.fit.mean <= best.fit.mean * kAsGood + kAngleFloor;
  };
  std::vector<int> same;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (as_good(candidates[i])) {
      same.push_back(static_cast<int>(i));
      const Fit& named = candidates[static_cast<std::size_t>(verdict.named)].fit;
      if (candidates[i].fit.order < named.order) verdict.named = static_cast<int>(i);
    } else if (verdict.next == 0) {
      verdict.next = candidates[i].fit.mean;
    }
  }
  verdict.kind = candidates[static_cast<std::size_t>(verdict.named)].fit.kind;
  for (const int i : same)
    if (i != verdict.named) {
      verdict.same_here.push_back(i);
      verdict.undecided =
          verdict.undecided || candidates[static_cast<std::size_t>(i)].fit.kind != verdict.kind;
    }
  verdict.clear = verdict.next > kClear * (best.fit.mean + kAngleFloor);
  return verdict;
}

// How far the lengths are from k times the expected ones with the best k, relative, root mean square.
double length_misfit(std::span<const double> lengths, std::span<const double> expected) {
  double le = 0, ee = 0, ll = 0;
  for (std::size_t v = 0; v < lengths.size(); ++v) {
    le += lengths[v] * expected[v];
    ee += expected[v] * expected[v];
    ll += lengths[v] * lengths[v];
  }
  return ee > 0 ? std::sqrt(std::max(0.0, 1 - le * le / (ee * ll))) : 1;
}

std::vector<double> lengths_of(std::span<const Vec3d> v) {
  std::vector<double> lengths;
  lengths.reserve(v.size());
  for (const Vec3d& a : v) lengths.push_back(length(a));
  return lengths;
}

}  // namespace

Diagnosis diagnose(const Directions& theirs, std::span<const Explanation> explanations, double tolerance) {
  std::vector<Candidate> candidates;
  for (const Explanation& e : explanations) {
    Candidate best = candidate(e, theirs, false, tolerance);
    if (!theirs.normals.empty()) {
      Candidate orthogonal = candidate(e, theirs, true, tolerance);
      if (orthogonal.fit.mean * kAsGood + kAngleFloor < best.fit.mean) best = std::move(orthogonal);
    }
    best.fit.order = static_cast<int>(candidates.size());
    candidates.push_back(std::move(best));
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.fit.mean < b.fit.mean; });
  Diagnosis diagnosis;
  diagnosis.verdict = verdict_of(candidates, theirs, tolerance);
  for (Candidate& c : candidates) diagnosis.fits.push_back(std::move(c.fit));
  return diagnosis;
}

Lengths judge_lengths(std::span<const Vec3d> theirs, std::span<const Explanation> explanations) {
  Lengths result;
  const std::vector<double> lengths = lengths_of(theirs), ones(theirs.size(), 1.0);
  const auto [min, max] = std::minmax_element(lengths.begin(), lengths.end());
  result.min = *min;
  result.max = *max;
  result.mean = std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(lengths.size());

  double best = kSameLength;
  result.telling = false;
  for (const Explanation& e : explanations) {
    const std::vector<double> expected = lengths_of(e.v);
    if (length_misfit(ones, expected) <= kSameLength) continue;  // as long as normalised ones
    if (e.id == kStandard || e.id == kInverseTransposeMissing) result.telling = true;
    const double misfit = length_misfit(lengths, expected);
    if (misfit < best) {
      best = misfit;
      result.like = e.id;
    }
  }
  const bool alike = result.max - result.min <= 2 * kSameLength * result.mean;
  if (alike) {
    result.finding = std::abs(result.mean - 1) <= kSameLength ? LengthFinding::unit : LengthFinding::constant;
    result.like.clear();
  } else {
    result.finding = result.like.empty() ? LengthFinding::unexplained : LengthFinding::not_normalised;
  }
  return result;
}

}  // namespace skinlight
