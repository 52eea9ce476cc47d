#include "skinlight/asset/fbx/detail/fbx_track.h"

#include <algorithm>
#include <cmath>

namespace skinlight::fbx {

namespace {

constexpr int kDeepest = 10;  // halvings between two breakpoints

class Resampler {
 public:
  Resampler(const std::function<Motion(double, double)>& motion, std::size_t width, bool is_rotation,
            double tolerance)
      : motion_(motion), width_(width), is_rotation_(is_rotation), tolerance_(tolerance) {}

  Track run(const std::vector<double>& times) {
    constexpr std::size_t kPerBreakpoint = 64,
                          kAnyway = 4096;  // what a file asks for without sense ends here
    most_ = kPerBreakpoint * times.size() + kAnyway;
    for (const Interpolation kind : {Interpolation::linear, Interpolation::cubic_spline}) {
      kind_ = kind;
      track_ = {};
      track_.interpolation = kind;
      for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        const double from = times[i], to = times.at(i + 1), middle = (from + to) / 2;
        append_segment(from, motion_(from, middle), to, motion_(to, middle), 0);
        if (kind == Interpolation::linear && !track_.is_close) break;
      }
      if (times.size() == 1) append(times[0], motion_(times[0], times[0]), {}, {});
      if (track_.is_close) break;
    }
    return std::move(track_);
  }

 private:
  using Numbers = std::array<double, 4>;

  // Lines are not split: they are for motions that are made of lines.
  void append_segment(double a, const Motion& at_a, double b, const Motion& at_b, int depth) {
    if (!(b > a)) return;
    const bool fits = is_close(a, at_a, b, at_b);
    if (!fits && kind_ == Interpolation::cubic_spline && depth < kDeepest && track_.times.size() < most_) {
      const double middle = (a + b) / 2;
      const Motion at_middle = motion_(middle, middle);
      append_segment(a, at_a, middle, at_middle, depth + 1);
      append_segment(middle, at_middle, b, at_b, depth + 1);
      return;
    }
    if (!fits) track_.is_close = false;
    // The key where the segment before ended, unless the motion jumps here.
    if (track_.times.empty() || track_.times.back() != a || !is_same(last_, at_a.value))
      append(a, at_a, at_a.rate, at_a.rate);
    else
      set_leaving(at_a.rate);
    append(b, at_b, at_b.rate, at_b.rate);
  }

  bool is_close(double a, const Motion& at_a, double b, const Motion& at_b) const {
    for (const double u : {.25, .5, .75}) {
      const double time = a + u * (b - a);
      const Numbers wanted = motion_(time, time).value, found = kind_ == Interpolation::linear
                                                                    ? line(at_a, at_b, u)
                                                                    : spline(at_a, at_b, u, b - a);
      if (!is_near(wanted, found)) return false;
    }
    return true;
  }

  bool is_near(const Numbers& a, const Numbers& b) const {
    for (std::size_t i = 0; i < width_; ++i)
      if (!(std::abs(a[i] - b[i]) <= tolerance_)) return false;
    return true;
  }

  bool is_same(const Numbers& a, const Numbers& b) const {
    return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(width_), b.begin());
  }

  Numbers line(const Motion& a, const Motion& b, double u) const {
    double left = 1 - u, right = u;
    if (is_rotation_) {
      double cosine = 0;
      for (std::size_t i = 0; i < 4; ++i) cosine += a.value[i] * b.value[i];
      // More than half a turn apart, a line would go the other way round.
      if (cosine < 0) return {2, 2, 2, 2};
      const double angle = std::acos(std::min(cosine, 1.0));
      constexpr double kParallel = 1e-6;
      if (angle > kParallel) {
        left = std::sin((1 - u) * angle) / std::sin(angle);
        right = std::sin(u * angle) / std::sin(angle);
      }
    }
    Numbers result{};
    for (std::size_t i = 0; i < 4; ++i) result[i] = left * a.value[i] + right * b.value[i];
    return result;
  }

  Numbers spline(const Motion& a, const Motion& b, double u, double span) const {
    const double u2 = u * u, u3 = u2 * u;
    Numbers result{};
    double size = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      result[i] = (2 * u3 - 3 * u2 + 1) * a.value[i] + (3 * u2 - 2 * u3) * b.value[i] +
                  span * ((u3 - 2 * u2 + u) * a.rate[i] + (u3 - u2) * b.rate[i]);
      size += result[i] * result[i];
    }
    if (is_rotation_ && size > 0)
      for (double& x : result) x /= std::sqrt(size);  // as poses do
    return result;
  }

  void append(double time, const Motion& motion, const Numbers& arriving, const Numbers& leaving) {
    track_.times.push_back(time);
    if (kind_ == Interpolation::cubic_spline) append_row(arriving);
    append_row(motion.value);
    if (kind_ == Interpolation::cubic_spline) append_row(leaving);
    last_ = motion.value;
  }
  void append_row(const Numbers& row) {
    track_.values.insert(track_.values.end(), row.begin(), row.begin() + static_cast<std::ptrdiff_t>(width_));
  }
  void set_leaving(const Numbers& rate) {
    if (kind_ == Interpolation::cubic_spline)
      std::copy_n(rate.begin(), width_, track_.values.end() - static_cast<std::ptrdiff_t>(width_));
  }

  const std::function<Motion(double, double)>& motion_;
  std::size_t width_;
  bool is_rotation_;
  double tolerance_;
  Interpolation kind_ = Interpolation::linear;
  std::size_t most_ = 0;  // keys
  Track track_;
  Numbers last_{};
};

}  // namespace

Track resample(const std::function<Motion(double, double)>& motion, std::size_t width, bool is_rotation,
               const std::vector<double>& breakpoints, double tolerance) {
  return Resampler(motion, width, is_rotation, tolerance).run(breakpoints);
}

}  // namespace skinlight::fbx
