// Every operation of a computation over intervals, with how its result moves with its operands and how far rounding moves it:
// from that, how far any result is from the exact one, much closer than its interval where errors cancel, because each error
// is followed to the result once, however often what it is in is used.
//
// The mean value form over the errors, by reverse accumulation [Linnainmaa 1976; FPTaylor, Solovyev et al. 2015]: a result is a
// function r(e) of the errors of all operations, and between two sets of errors it differs by sum dr/de_i (e_i - e_i'), where the
// derivatives are those somewhere between: their intervals are computed from those of the operands.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

namespace skinlight {

class ErrorTape {
 public:
  struct Range {
    double low, high;
    double size() const { return std::max(std::fabs(low), std::fabs(high)); }
  };
  // An operand: the number of its interval and what the result's derivative by it can be.
  struct Operand {
    std::uint64_t number = 0;
    Range derivative = {0, 0};
  };

  // While it is alive the intervals of this thread write themselves into it. Numbers up to `first` are inputs.
  // Throws std::logic_error: there is another one.
  explicit ErrorTape(std::uint64_t first) : first_(first) {
    if (recording_) throw std::logic_error("a thread has one tape of errors at a time");
    recording_ = this;
  }
  ~ErrorTape() { recording_ = nullptr; }
  ErrorTape(const ErrorTape&) = delete;
  ErrorTape& operator=(const ErrorTape&) = delete;
  static ErrorTape* recording() { return recording_; }

  bool has(std::uint64_t number) const { return number > first_; }
  // What the number is without errors, but for those of double precision.
  double centre(std::uint64_t number) const { return nodes_[index(number)].centre; }

  // The next number, of which no more is known than where it lies.
  void add(Range range) {
    const double centre = (range.low + range.high) / 2;
    nodes_.push_back({centre, range.high - centre, {}});
  }
  // How the last number came about: error is the most that rounding moves it.
  void explain_last(double centre, double error, Operand a, Operand b) {
    nodes_.back() = {centre, error, {a, b}};
  }

  // Where the number of any machine that rounds, and the exact one, lie.
  Range bounds(std::uint64_t number) {
    if (!has(number)) return whole();
    collect(number);
    slope_[index(number)] = {1, 1};
    double error = 0;
    for (const std::uint64_t n : reached_) {
      const Node& node = nodes_[index(n)];
      const Range slope = slope_[index(n)];
      error += slope.size() * node.error;
      for (const Operand& operand : node.operands)
        if (has(operand.number)) add_product(slope_[index(operand.number)], slope, operand.derivative);
    }
    for (const std::uint64_t n : reached_) slope_[index(n)] = {0, 0};
    if (!std::isfinite(error)) return whole();
    error *= kRoundingOfDoubles;
    const double middle = centre(number);
    return {middle - error, middle + error};
  }

 private:
  struct Node {
    double centre, error;
    Operand operands[2];
  };
  // The centre is rounded too, by 2^-53 of what floats may be off by 2^-24 of, and so are sums of errors.
  static constexpr double kRoundingOfDoubles = 1 + 0x1p-26;

  std::size_t index(std::uint64_t number) const { return static_cast<std::size_t>(number - first_ - 1); }
  static Range whole() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }

  // The numbers that this one is made of, the latest first.
  void collect(std::uint64_t number) {
    slope_.resize(nodes_.size(), {0, 0});
    seen_.resize(nodes_.size(), false);
    reached_.assign(1, number);
    seen_[index(number)] = true;
    for (std::size_t i = 0; i < reached_.size(); ++i)
      for (const Operand& operand : nodes_[index(reached_[i])].operands)
        if (has(operand.number) && !seen_[index(operand.number)]) {
          seen_[index(operand.number)] = true;
          reached_.push_back(operand.number);
        }
    for (const std::uint64_t n : reached_) seen_[index(n)] = false;
    std::sort(reached_.begin(), reached_.end(), std::greater<>());
  }

  // Rounded outwards: a product and a sum are off by at most 2^-52 of what goes into the sum.
  static void add_product(Range& sum, const Range& a, const Range& b) {
    if (!std::isfinite(a.low + a.high + b.low + b.high)) {
      sum = whole();
      return;
    }
    const double x = a.low * b.low, y = a.low * b.high, z = a.high * b.low, w = a.high * b.high;
    const double low = std::min(std::min(x, y), std::min(z, w)),
                 high = std::max(std::max(x, y), std::max(z, w));
    sum.low = sum.low + low - 0x1p-52 * (std::fabs(sum.low) + std::fabs(low));
    sum.high = sum.high + high + 0x1p-52 * (std::fabs(sum.high) + std::fabs(high));
  }

  std::uint64_t first_;
  std::vector<Node> nodes_;
  std::vector<Range> slope_;
  std::vector<bool> seen_;
  std::vector<std::uint64_t> reached_;
  static inline constinit thread_local ErrorTape* recording_ = nullptr;
};

}  // namespace skinlight
