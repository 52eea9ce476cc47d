#include "skinlight/stability/explain.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "skinlight/core/names.h"
#include "skinlight/core/wide.h"
#include "skinlight/stability/detail/digits.h"
#include "skinlight/stability/detail/replay.h"
#include "skinlight/stability/stages.h"

namespace skinlight::stability {

namespace {

// 113 bits, of which the results of the first operations are rounded to float.
class Partly {
 public:
  Partly() = default;
  explicit Partly(double value) : v_(static_cast<double>(static_cast<float>(value))) {}

  Wide wide() const { return v_; }
  // Operations are counted from here on; those with numbers up to `rounded` are rounded. Formulas are kept of one run.
  static void begin(int rounded, std::vector<std::string>* formulas) {
    count_ = 0;
    rounded_ = rounded;
    formulas_ = formulas;
  }
  static int count() { return count_; }

  friend Partly operator+(Partly a, Partly b) { return result(a.v_ + b.v_, a, "+", b); }
  friend Partly operator-(Partly a, Partly b) { return result(a.v_ - b.v_, a, "-", b); }
  friend Partly operator*(Partly a, Partly b) { return result(a.v_ * b.v_, a, "*", b); }
  friend Partly operator/(Partly a, Partly b) { return result(a.v_ / b.v_, a, "/", b); }
  friend bool operator<(Partly a, Partly b) { return a.v_ < b.v_; }
  friend bool operator>(Partly a, Partly b) { return a.v_ > b.v_; }
  friend Partly sqrt(Partly a) { return result(sqrt(a.v_), "sqrt", a); }
  friend Partly inversesqrt(Partly a) { return result(inversesqrt(a.v_), "inversesqrt", a); }
  friend Partly select(bool c, Partly a, Partly b) { return c ? a : b; }

 private:
  static std::string text(Wide x) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(x));
    return digits;
  }
  static Partly result(Wide value) {
    Partly r;
    r.v_ = ++count_ <= rounded_ ? Wide(static_cast<float>(static_cast<double>(value))) : value;
    return r;
  }
  static Partly result(Wide value, Partly a, const char* sign, Partly b) {
    if (formulas_) formulas_->push_back(text(a.v_) + " " + sign + " " + text(b.v_) + " = " + text(value));
    return result(value);
  }
  static Partly result(Wide value, const char* function, Partly a) {
    if (formulas_) formulas_->push_back(std::string(function) + "(" + text(a.v_) + ") = " + text(value));
    return result(value);
  }

  Wide v_{0.0};
  static inline int count_ = 0, rounded_ = 0;
  static inline std::vector<std::string>* formulas_ = nullptr;
};

// The normal with operations up to `rounded` rounded, and how many there are. tape: of one subject.
Vec3<Wide> normal_of(const KernelTape& tape, std::span<const float> inputs, int rounded,
                     std::vector<std::string>* formulas) {
  Vec3<Wide> n(Wide(0.0));
  const std::vector<Partly> numbers(inputs.begin(), inputs.end());
  Partly::begin(rounded, formulas);
  replay<Partly>(
      tape, numbers, [](Stage) {},
      [&](std::size_t, auto result) {
        n = {result(9).wide(), result(10).wide(), result(11).wide()};
      });
  return n;
}

Vec3d unit(const Vec3<Wide>& v) {
  const Vec3d d(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
  return d / length(d);
}

double angle_between(const Vec3<Wide>& a, const Vec3<Wide>& b) {
  const Vec3<Wide> across = cross(a, b);
  return std::atan2(static_cast<double>(length(across)), static_cast<double>(dot(a, b)));
}

constexpr std::size_t kLosses = 3;

}  // namespace

Cell cell_from_id(const std::string& id) {
  const std::size_t first = id.find('/'),
                    second = first == std::string::npos ? first : id.find('/', first + 1);
  if (second == std::string::npos)
    throw InputError("", "cell '" + id + "'",
                     "is not of the form kernel/regime/scalar, as lbs-deform/near/float");
  std::string kernel = id.substr(0, first);
  Quantity quantity = Quantity::normal;
  if (const std::size_t colon = kernel.find(':'); colon != std::string::npos) {
    const std::string suffix = kernel.substr(colon);
    std::vector<std::string> names;
    bool known = false;
    for (const QuantityRow& row : quantities()) {
      names.emplace_back(row.suffix);
      if (row.suffix != suffix) continue;
      known = true;
      quantity = row.quantity;
    }
    if (!known)
      throw InputError("", "quantity '" + suffix + "'",
                       "unknown; did you mean '" + nearest(suffix, names) + "'?");
    kernel.resize(colon);
  }
  const Cell cell{&subject_from_name(kernel), &regime_from_name(id.substr(first + 1, second - first - 1)),
                  &scalar_from_name(id.substr(second + 1)), quantity};
  Selection selection{{cell.subject}, {cell.regime}, {cell.scalar}, true};
  for (const Cell& c : cells(selection))
    if (c.quantity == quantity) return cell;
  throw InputError("", "cell '" + id + "'",
                   "does not exist: the scalar measures normals only, or the guard changes none of it");
}

Explanation explain(const Cell& cell) {
  if (cell.scalar == &stage_scalar())
    throw InputError("", "cell '" + cell.id() + "'",
                     "is of a stage, not of a kernel whose operations could be told apart");
  if (cell.subject->rival)
    throw InputError("", "kernel '" + cell.subject->name + "'",
                     "is a rival: its operations are a matrix library's own");
  const std::vector<CellDigits> measured = measure({{cell.subject}, {cell.regime}, {cell.scalar}, true});
  const auto own = std::find_if(measured.begin(), measured.end(),
                                [&](const CellDigits& c) { return c.cell.quantity == cell.quantity; });
  Explanation e;
  e.index = own->worst.front();
  e.digits = own->worst_digits.front();
  e.input = draw(*cell.regime, e.index);

  const Truth<Wide> truth = truths<Wide>(e.input, std::span<const Subject>(cell.subject, 1))[0];
  const Vec3<Wide> right = truth.n * Wide(case_side(e.input, cell.subject->mode));
  const KernelTape tape = kernel_tape(std::span<const Subject>(cell.subject, 1), e.input.slots);
  std::vector<float> inputs(static_cast<std::size_t>(tape.inputs));
  put_tape_inputs(e.input, inputs.data(), 1);
  std::vector<std::string> formulas;
  normal_of(tape, inputs, 0, &formulas);
  e.operations = static_cast<int>(formulas.size());
  e.truth = unit(right);
  std::vector<double> left;
  for (int k = 0; k <= e.operations; ++k)
    left.push_back(digits_of(angle_between(normal_of(tape, inputs, k, nullptr), right)));
  e.result = unit(normal_of(tape, inputs, e.operations, nullptr));
  e.float_digits = left.back();

  // A loss counts from the fewest digits so far: errors that later ones happen to cancel are none.
  double fewest = kMostDigits;
  for (int k = 1; k <= e.operations; ++k) {
    const double now = left[static_cast<std::size_t>(k)];
    if (now < fewest) e.losses.push_back({k, {formulas[static_cast<std::size_t>(k) - 1], now}, fewest});
    fewest = std::min(fewest, now);
  }
  // From full precision the first roundings lose most, and say least: what counts is how much error each adds.
  const auto added = [](const Explanation::Loss& l) {
    return std::pow(10, -l.operation.digits_left) - std::pow(10, -l.digits_before);
  };
  std::stable_sort(e.losses.begin(), e.losses.end(),
                   [&](const auto& a, const auto& b) { return added(a) > added(b); });
  if (e.losses.size() > kLosses) e.losses.resize(kLosses);
  return e;
}

}  // namespace skinlight::stability
