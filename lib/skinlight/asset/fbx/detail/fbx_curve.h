// Animation curves of FBX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "skinlight/asset/fbx/detail/fbx_document.h"
#include "skinlight/core/error.h"

namespace skinlight::fbx {

// How ticks of a file become seconds of a clip.
struct Clock {
  std::int64_t start = 0;  // ticks: the clip's time 0
  double ticks_per_second = 46186158000.0;

  double seconds(std::int64_t ticks) const {
    return (static_cast<double>(ticks) - static_cast<double>(start)) / ticks_per_second;
  }
};

class Curve {
 public:
  // Throws InputError naming the curve: arrays that do not fit each other, times that descend, numbers that
  // are not finite. `is_text`: integers among the keys' data are the bits of floats then.
  Curve(const Object& object, const Clock& clock, bool is_text, std::vector<Warning>& warnings);

  const std::vector<double>& times() const { return times_; }  // #keys, seconds, strictly ascending

  struct Point {
    double value, rate;  // rate: per second
  };
  // The point at `time` of the segment that holds the time `inside`: at a key, where segments meet, that tells
  // which of them is meant. Before the first and after the last key the curve is constant.
  Point at(double time, double inside) const;

 private:
  enum class Shape { constant, linear, cubic };
  // From a key to the next. Cubic: Bezier curves of time and value whose inner control points stand `weight`
  // of the segment's length from its ends, in the direction of the slopes (per second).
  struct Segment {
    Shape shape;
    double value, next_value, slope = 0, next_slope = 0, weight = 1 / 3., next_weight = 1 / 3.;
  };
  Point cubic(const Segment& segment, double start, double length, double time) const;

  std::vector<double> times_;
  std::vector<Segment> segments_;  // #keys - 1
  double first_ = 0, last_ = 0;    // values of the first and the last key
};

}  // namespace skinlight::fbx
