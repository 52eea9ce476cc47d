#include "skinlight/asset/fbx/detail/fbx_curve.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "skinlight/asset/detail/reading.h"

namespace skinlight::fbx {

namespace {

// KeyAttrFlags, as the FBX SDK names them.
constexpr std::int64_t kConstant = 0x2, kLinear = 0x4, kCubic = 0x8;
constexpr std::int64_t kConstantNext = 0x100;  // of constant keys: the value of the next key
constexpr std::int64_t kAuto = 0x100, kTcb = 0x200, kUser = 0x400, kClamp = 0x1000;
constexpr std::int64_t kTimeIndependent = 0x2000, kProgressive = 0x4000 | kTimeIndependent;
constexpr std::int64_t kWeightedRight = 0x01000000, kWeightedNextLeft = 0x02000000;

struct Key {
  double time, value;
  std::int64_t flags = 0;
  std::array<float, 4> data{};  // meaning depends on the kind of tangent
  std::int64_t tangent = 0;     // flags that tell its kind

  bool has(std::int64_t flag) const { return (flags & flag) == flag; }
  bool is(std::int64_t kind) const { return (tangent & kind) == kind; }
  // Two numbers of 16 bits in the bits of a float.
  double weight(bool of_next) const {
    constexpr std::uint32_t kUnit = 9999, kThird = 3333;
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(data[2]),
                        written = of_next ? bits >> 16 : bits & 0xffffu;
    // 3ds Max cuts 9999 / 3 to 3332 where it means a third.
    return written + 1 == kThird || written == kThird ? 1 / 3. : std::min(written, kUnit) / double{kUnit};
  }
  double right_weight() const { return has(kWeightedRight) ? weight(false) : 1 / 3.; }
  double next_left_weight() const { return has(kWeightedNextLeft) ? weight(true) : 1 / 3.; }
};

// KeyAttrDataFloat: binary files hold floats; the SDK writes their bits as integers into text.
std::vector<float> data_of(const Element& element, bool is_text, const std::string& where) {
  const Element* child = element.child("KeyAttrDataFloat");
  const bool are_bits = is_text && child != nullptr && child->values.size() == 1 &&
                        std::holds_alternative<std::vector<std::int64_t>>(child->values[0]);
  std::vector<float> data;
  if (are_bits)
    for (const std::int64_t bits : integers(element, "KeyAttrDataFloat", where))
      data.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  else
    for (const double number : reals(element, "KeyAttrDataFloat", where))
      data.push_back(static_cast<float>(number));
  return data;
}

std::vector<Key> read_keys(const Object& object, const Clock& clock, bool is_text,
                           std::vector<Warning>& warnings) {
  const std::string where = object.label();
  const std::vector<std::int64_t> ticks = integers(*object.element, "KeyTime", where),
                                  flags = integers(*object.element, "KeyAttrFlags", where),
                                  counts = integers(*object.element, "KeyAttrRefCount", where);
  const std::vector<double> values = reals(*object.element, "KeyValueFloat", where);
  const std::vector<float> data = data_of(*object.element, is_text, where);
  if (ticks.size() != values.size())
    throw InputError(
        "", where, std::to_string(ticks.size()) + " times for " + std::to_string(values.size()) + " values");
  std::vector<Key> keys;
  std::vector<double> times;
  for (std::size_t k = 0; k < ticks.size(); ++k) {
    times.push_back(clock.seconds(ticks[k]));
    keys.push_back({times[k], values[k]});
  }
  require_keys(times, values, where, warnings);
  std::size_t k = 0;
  for (std::size_t a = 0; a < flags.size(); ++a) {
    const std::int64_t count = a < counts.size() ? counts[a] : 1;
    if (count < 0 || static_cast<std::uint64_t>(count) > keys.size() - k)
      throw InputError("", where, "has more attributes than keys");
    for (const std::size_t end = k + static_cast<std::size_t>(count); k < end; ++k) {
      keys[k].flags = flags[a];
      for (std::size_t d = 0; d < 4 && 4 * a + d < data.size(); ++d) keys[k].data[d] = data[4 * a + d];
      for (const std::size_t d : {0, 1})
        if (!std::isfinite(keys[k].data[d])) throw InputError("", where, "a slope of its keys is not finite");
    }
  }
  if (k != keys.size()) throw InputError("", where, "has keys without attributes");
  // Keys that are not cubic may tell no kind of tangent: it goes on from the key before.
  for (std::size_t i = 0; i < keys.size(); ++i) {
    constexpr std::int64_t kKinds = kAuto | kTcb | kUser;
    const bool goes_on = keys[i].has(kConstant) || (keys[i].has(kLinear) && (keys[i].flags & kKinds) == 0);
    keys[i].tangent = !goes_on ? keys[i].flags : i == 0 ? kAuto : keys[i - 1].tangent;
  }
  // Of keys at one time the last holds, as require_keys() says.
  std::vector<Key> distinct;
  for (const Key& key : keys) {
    if (!distinct.empty() && distinct.back().time == key.time) distinct.pop_back();
    distinct.push_back(key);
  }
  return distinct;
}

// Slopes that keys of the kinds "auto" and "TCB" get from their neighbours. What the SDK does was measured:
// see fbx_curve_test.cpp.
class Slopes {
 public:
  explicit Slopes(const std::vector<Key>& keys) : keys_(keys) {}

  double right(std::size_t k) const { return slope(k, false); }
  double left(std::size_t k) const { return slope(k, true); }

 private:
  double chord(std::size_t k) const {  // from key k to the next
    return (keys_[k + 1].value - keys_[k].value) / (keys_[k + 1].time - keys_[k].time);
  }

  double slope(std::size_t k, bool is_left) const {
    const Key& key = keys_[k];
    const double own = is_left ? (k > 0 ? keys_[k - 1].data[1] : 0) : key.data[0];
    if (key.is(kUser)) return own;
    if (key.is(kTcb)) return tcb(k, is_left);
    if (key.is(kAuto)) return automatic(k, is_left, own);
    return 0;
  }

  double automatic(std::size_t k, bool is_left, double bias) const {
    const Key& key = keys_[k];
    const bool is_end = k == 0 || k + 1 == keys_.size();
    if (key.is(kAuto | kProgressive)) return is_end ? 0 : progressive(k);
    if (is_end) return chord(k == 0 ? 0 : k - 1);
    // "Clamped": flat where a neighbour has the same value.
    constexpr double kSame = 5e-5;
    if (key.is(kClamp) && (std::abs(keys_[k + 1].value - key.value) < kSame ||
                           std::abs(key.value - keys_[k - 1].value) < kSame))
      return 0;
    const double before = chord(k - 1), after = chord(k);
    if (bias == 0 && key.is(kTimeIndependent)) return over_both(k);
    const double mean = (before + after) / 2, towards = (bias > 0) == is_left ? before : after;
    return mean + (towards - mean) * std::abs(bias) / 100;
  }

  double over_both(std::size_t k) const {
    return (keys_[k + 1].value - keys_[k - 1].value) / (keys_[k + 1].time - keys_[k - 1].time);
  }

  // As steep as the neighbours allow without overshooting them, were the tangents a third as long as the segments.
  double progressive(std::size_t k) const {
    const double wanted = over_both(k), sign = wanted < 0 ? -1 : 1;
    const auto most = [&](double chord_slope) { return std::max(0.0, 3 * sign * chord_slope); };
    return sign * std::min({std::abs(wanted), most(chord(k - 1)), most(chord(k))});
  }

  // Kochanek and Bartels: tension, continuity, bias.
  double tcb(std::size_t k, bool is_left) const {
    const double t = keys_[k].data[0], c = keys_[k].data[1], b = keys_[k].data[2];
    const double towards_before = (1 - t) * (1 + b) * (is_left ? 1 - c : 1 + c),
                 towards_after = (1 - t) * (1 - b) * (is_left ? 1 + c : 1 - c);
    if (keys_.size() < 2) return 0;
    if (k == 0) return towards_after * chord(0);
    if (k + 1 == keys_.size()) return towards_before * chord(k - 1);
    return (towards_before * chord(k - 1) + towards_after * chord(k)) / 2;
  }

  const std::vector<Key>& keys_;
};

}  // namespace

Curve::Curve(const Object& object, const Clock& clock, bool is_text, std::vector<Warning>& warnings) {
  for (const char* beyond : {"Pre-Extrapolation", "Post-Extrapolation"})
    if (const Element* e = object.element->child(beyond);
        e != nullptr && !child_text(*e, "Type").empty() && child_text(*e, "Type") != "C")
      warn(warnings, object.label(), "goes on outside of its keys; there it was taken to stay");
  const std::vector<Key> keys = read_keys(object, clock, is_text, warnings);
  const Slopes slopes(keys);
  if (!keys.empty()) first_ = keys.front().value;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const Key& key = keys[k];
    times_.push_back(key.time);
    last_ = key.value;
    if (k + 1 == keys.size()) break;
    const double next = keys[k + 1].value;
    if (key.has(kConstant)) {
      segments_.push_back({Shape::constant, key.has(kConstantNext) ? next : key.value, next});
    } else if (key.has(kCubic)) {
      segments_.push_back({Shape::cubic, key.value, next, slopes.right(k), slopes.left(k + 1),
                           key.right_weight(), key.next_left_weight()});
    } else {
      segments_.push_back({Shape::linear, key.value, next});
    }
  }
}

Curve::Point Curve::at(double time, double inside) const {
  if (times_.empty()) return {0, 0};
  const auto next =
      static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), inside) - times_.begin());
  if (next == 0) return {first_, 0};
  if (next == times_.size()) return {last_, 0};
  const Segment& segment = segments_[next - 1];
  const double start = times_[next - 1], length = times_[next] - start;
  switch (segment.shape) {
    case Shape::constant:
      return {segment.value, 0};
    case Shape::linear: {
      const double u = (time - start) / length;
      return {(1 - u) * segment.value + u * segment.next_value,
              (segment.next_value - segment.value) / length};
    }
    case Shape::cubic:
      return cubic(segment, start, length, time);
  }
  return {0, 0};
}

Curve::Point Curve::cubic(const Segment& segment, double start, double length, double time) const {
  // x: share of the segment's time; y: value. Control points at 0, a, 1 - b, 1.
  const double a = segment.weight, b = segment.next_weight;
  const auto bezier = [](double p0, double p1, double p2, double p3, double s) {
    const double r = 1 - s;
    return r * r * r * p0 + 3 * r * r * s * p1 + 3 * r * s * s * p2 + s * s * s * p3;
  };
  const auto slope_of = [](double p0, double p1, double p2, double p3, double s) {
    const double r = 1 - s;
    return 3 * (r * r * (p1 - p0) + 2 * r * s * (p2 - p1) + s * s * (p3 - p2));
  };
  const double x = std::clamp((time - start) / length, 0.0, 1.0);
  double s = x;
  if (a != 1 / 3. || b != 1 / 3.) {  // x(s) rises: halve until neighbouring doubles
    double low = 0, high = 1;
    for (int step = 0; step < 60; ++step) {
      s = (low + high) / 2;
      (bezier(0, a, 1 - b, 1, s) < x ? low : high) = s;
    }
    if (x == 0 || x == 1) s = x;
  }
  const double p1 = segment.value + segment.slope * a * length,
               p2 = segment.next_value - segment.next_slope * b * length;
  const double dx = slope_of(0, a, 1 - b, 1, s) * length,
               dy = slope_of(segment.value, p1, p2, segment.next_value, s);
  // Where time stands still along the curve its slope is the chord's, or what the key says.
  constexpr double kStill = 1e-9;
  const double rate = dx > kStill * length ? dy / dx : x < .5 ? segment.slope : segment.next_slope;
  return {bezier(segment.value, p1, p2, segment.next_value, s), rate};
}

}  // namespace skinlight::fbx
