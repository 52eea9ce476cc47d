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
// The next explanation has to be this many times as far for a verdict to be called clear.
constexpr double kClear = 3;
// Relative departure of lengths that formats make: 8 bits a component round a vector by at most sqrt(3) /
// 254.
constexpr double kSameLength = 0.02;

// A vector of no length points nowhere: it is 90 degrees from anything.
double degrees_between(Vec3d a, Vec3d b) {
  return length(a) > 0 && std::isfinite(length(a)) ? angle_between(a, b) * kDegrees : 90.0;
}

Fit fit(const Explanation& e, std::span<const Vec3d> theirs, std::span<const double> weights,
        std::span<const Vec3d> normals, double tolerance) {
  std::vector<double> degrees(theirs.size());
  double total = 0, within = 0;
  for (std::size_t v = 0; v < theirs.size(); ++v) {
    Vec3d d = e.v[v];
    if (!normals.empty()) d = d - normals[v] * (dot(d, normals[v]) / dot(normals[v], normals[v]));
    degrees[v] = degrees_between(d, theirs[v]);
    total += weights[v];
    if (degrees[v] <= tolerance) within += weights[v];
  }
  const NormalError error = error_statistics(degrees, weights, "");
  return {e.id,       e.what,    e.advice,  e.kind,         0,
          error.mean, error.p95, error.max, within / total, !normals.empty()};
}

Verdict verdict_of(const std::vector<Fit>& fits, double tolerance) {
  Verdict verdict;
  if (fits.empty() || fits[0].mean > tolerance) return verdict;
  verdict.explained = true;
  const double as_good = fits[0].mean * kAsGood + kAngleFloor;
  std::size_t same = 0;
  while (same < fits.size() && fits[same].mean <= as_good) ++same;
  for (std::size_t i = 1; i < same; ++i)
    if (fits[i].order < fits[static_cast<std::size_t>(verdict.named)].order)
      verdict.named = static_cast<int>(i);
  verdict.kind = fits[static_cast<std::size_t>(verdict.named)].kind;
  for (std::size_t i = 0; i < same; ++i)
    if (static_cast<int>(i) != verdict.named) {
      verdict.same_here.push_back(static_cast<int>(i));
      verdict.undecided = verdict.undecided || fits[i].kind != verdict.kind;
    }
  if (same < fits.size()) verdict.next = fits[same].mean;
  verdict.clear = same < fits.size() && verdict.next > kClear * (fits[0].mean + kAngleFloor);
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

Diagnosis diagnose(std::span<const Vec3d> theirs, std::span<const Explanation> explanations,
                   std::span<const double> weights, std::span<const Vec3d> normals, double tolerance) {
  Diagnosis diagnosis;
  for (const Explanation& e : explanations) {
    Fit best = fit(e, theirs, weights, {}, tolerance);
    if (!normals.empty()) {
      Fit orthogonal = fit(e, theirs, weights, normals, tolerance);
      if (orthogonal.mean * kAsGood + kAngleFloor < best.mean) best = std::move(orthogonal);
    }
    best.order = static_cast<int>(diagnosis.fits.size());
    diagnosis.fits.push_back(std::move(best));
  }
  std::stable_sort(diagnosis.fits.begin(), diagnosis.fits.end(),
                   [](const Fit& a, const Fit& b) { return a.mean < b.mean; });
  diagnosis.verdict = verdict_of(diagnosis.fits, tolerance);
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
    if (e.id == "standard") result.telling = true;
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
