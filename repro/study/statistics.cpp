#include "repro/study/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skinlight::repro {

namespace {

// From 0; equal values have the mean of the ranks that they take up.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> rank(values.size());
  for (std::size_t first = 0, end; first < order.size(); first = end) {
    for (end = first; end < order.size() && values[order[end]] == values[order[first]];) ++end;
    for (std::size_t i = first; i < end; ++i) rank[order[i]] = static_cast<double>(first + end - 1) / 2;
  }
  return rank;
}

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double error_of_median(const std::vector<double>& values) {
  const double middle = median(values);
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - middle));
  // Of a normal distribution: a standard deviation in median deviations, and its median's error in means' errors.
  constexpr double kDeviation = 1.4826, kOfMedian = 1.2533;
  return kOfMedian * kDeviation * median(deviations) / std::sqrt(static_cast<double>(values.size()));
}

double rank_correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const std::vector<double> a = ranks(x), b = ranks(y);
  const double centre = (static_cast<double>(a.size()) - 1) / 2;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - centre) * (b[i] - centre);
    aa += (a[i] - centre) * (a[i] - centre);
    bb += (b[i] - centre) * (b[i] - centre);
  }
  return ab / std::sqrt(aa * bb);
}

}  // namespace skinlight::repro
