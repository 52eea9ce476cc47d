// Numbers about lists of numbers, for claims.
#pragma once

#include <vector>

namespace skinlight::repro {

// The middle one, or the mean of the two in the middle. At least one value.
double median(std::vector<double> values);

// The standard error of the median, from the median deviation, which a few outliers do not move: as of values that are
// distributed normally about it.
double error_of_median(const std::vector<double>& values);

// Spearman's: 1 where y grows whenever x does, -1 where it falls. Equal values share their mean rank. As many of each, and not
// all of them equal.
double rank_correlation(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace skinlight::repro
