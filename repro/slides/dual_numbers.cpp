// [SLIDES] "Screw Motions & Dual Quaternion Blending": functions of dual numbers are derivatives, and unit
// dual quaternions are screws.
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <string>

#include "repro/runner/judgement.h"
#include "repro/study/transformations.h"
#include "skinlight/core/dual.h"
#include "skinlight/core/random.h"

namespace skinlight::repro::slides::dual_numbers {

namespace {

using Number = Dual<double>;
using Complex = std::complex<double>;
using Eigen::Matrix4d, Eigen::Vector3d;

Number sin(Number a) { return Number(std::sin(a.v), std::cos(a.v) * a.d); }
Number cos(Number a) { return Number(std::cos(a.v), -std::sin(a.v) * a.d); }
Number tan(Number a) { return sin(a) / cos(a); }
Number exp(Number a) { return Number(std::exp(a.v), std::exp(a.v) * a.d); }

// f over dual numbers against its derivative by the complex step, which subtracts nothing.
struct Function {
  const char* name;
  Number (*dual)(Number);
  Complex (*complex)(Complex);
};

const std::array kFunctions = {
    Function{"1/x", [](Number x) { return Number(1) / x; }, [](Complex x) { return 1.0 / x; }},
    Function{"sqrt(x)", [](Number x) { return sqrt(x); }, [](Complex x) { return std::sqrt(x); }},
    Function{"1/sqrt(x)", [](Number x) { return inversesqrt(x); },
             [](Complex x) { return 1.0 / std::sqrt(x); }},
    Function{"sin(x)", [](Number x) { return sin(x); }, [](Complex x) { return std::sin(x); }},
    Function{"cos(x)", [](Number x) { return cos(x); }, [](Complex x) { return std::cos(x); }},
    Function{"tan(x)", [](Number x) { return tan(x); }, [](Complex x) { return std::tan(x); }},
    Function{"x exp(sin(x)) / (1 + x^2)", [](Number x) { return x * exp(sin(x)) / (Number(1) + x * x); },
             [](Complex x) { return x * std::exp(std::sin(x)) / (1.0 + x * x); }},
};

double complex_step(const Function& f, double x) { return f.complex({x, 1e-200}).imag() / 1e-200; }

void functions(Workbench& bench) {
  std::string table = "function,x,value,derivative,complex_step\n";
  double largest = 0, printed_tan = 0, corrected_tan = 0;
  for (const Function& f : kFunctions)
    for (int i = 0; i < 64; ++i) {
      const double x = 0.05 + 1.45 * i / 63, truth = complex_step(f, x);
      const Number ours = f.dual(Number(x, 1));
      largest = std::fmax(largest, std::abs(ours.d - truth) / std::fmax(1, std::abs(truth)));
      char line[160];
      std::snprintf(line, sizeof line, "\"%s\",%.9g,%.9g,%.9g,%.9g\n", f.name, x, ours.v, ours.d, truth);
      table += line;
      if (std::string_view(f.name) == "tan(x)") {
        const double square = 1 / (std::cos(x) * std::cos(x));
        printed_tan = std::fmax(printed_tan, std::abs(-square - ours.d) / std::abs(ours.d));
        corrected_tan = std::fmax(corrected_tan, std::abs(square - truth) / std::abs(truth));
      }
    }
  bench.results.values["functions"] = largest;
  bench.results.values["printed_tan"] = printed_tan;
  bench.results.values["corrected_tan"] = corrected_tan;
  bench.write_table("functions.csv", "Dual parts of functions against their derivatives", table);
}

// Quaternions over dual numbers: w, x, y, z.
using DualQuaternion = std::array<Number, 4>;

DualQuaternion product(const DualQuaternion& a, const DualQuaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}
DualQuaternion conjugate(const DualQuaternion& a) { return {a[0], -a[1], -a[2], -a[3]}; }
// sqrt(q q*)
Number norm(const DualQuaternion& a) { return sqrt(product(a, conjugate(a))[0]); }

double difference(const DualQuaternion& a, const DualQuaternion& b) {
  double largest = 0;
  for (std::size_t i = 0; i < 4; ++i)
    largest = std::fmax(largest, std::fmax(std::abs(a[i].v - b[i].v), std::abs(a[i].d - b[i].d)));
  return largest;
}

// The slides' q v q*: both the quaternion and the dual number conjugated.
Vector3d moved(const DualQuaternion& q, const Vector3d& p) {
  const DualQuaternion point = {Number(1), Number(0, p.x()), Number(0, p.y()), Number(0, p.z())};
  DualQuaternion back = conjugate(q);
  for (Number& part : back) part.d = -part.d;
  const DualQuaternion result = product(product(q, point), back);
  return {result[1].d, result[2].d, result[3].d};
}

DualQuaternion screw(Number angle, const Vector3d& axis, const Vector3d& moment) {
  const Number half(0.5 * angle.v, 0.5 * angle.d), c = cos(half), s = sin(half);
  return {c, s * Number(axis.x(), moment.x()), s * Number(axis.y(), moment.y()),
          s * Number(axis.z(), moment.z())};
}

void quaternions(Workbench& bench) {
  Random random(1873);
  double norms = 0, norm_formula = 0, inverses = 0, screws = 0, unit = 0;
  const auto any_number = [&] {
    const double dual = random.uniform(-1, 1);
    return Number(random.uniform(-1, 1), dual);
  };
  for (int trial = 0; trial < 500; ++trial) {
    DualQuaternion a, b;
    for (std::size_t i = 0; i < 4; ++i) {
      a[i] = any_number();
      b[i] = any_number();
    }
    const Number na = norm(a), nb = norm(b), nab = norm(product(a, b));
    norms = std::fmax(norms, std::fmax(std::abs(nab.v - (na * nb).v), std::abs(nab.d - (na * nb).d)));
    double real2 = 0, mixed = 0;
    for (const Number& part : a) {
      real2 += part.v * part.v;
      mixed += part.v * part.d;
    }
    norm_formula = std::fmax(norm_formula, std::abs(na.d - mixed / std::sqrt(real2)));
    DualQuaternion inverse = conjugate(a);
    for (Number& part : inverse) part = part / (na * na);
    const DualQuaternion one = {Number(1), Number(0), Number(0), Number(0)};
    // Small quaternions magnify rounding by the square of their inverse.
    inverses = std::fmax(inverses, difference(product(a, inverse), one) * real2 * real2);

    // A screw about a line through c: turn by theta, slide by l.
    const Vec3d d = random.direction(), at = random.in_cube(2);
    const Vector3d axis(d.x, d.y, d.z), c(at.x, at.y, at.z);
    const double theta = random.uniform(0.1, 3), slide = random.uniform(-2, 2);
    const DualQuaternion q = screw(Number(theta, slide), axis, c.cross(axis));
    const Number length = norm(q);
    unit = std::fmax(unit, std::fmax(std::abs(length.v - 1), std::abs(length.d)));
    const Vec3d point = random.in_cube(2);
    const Vector3d p(point.x, point.y, point.z);
    const Vector3d turned = c + Eigen::AngleAxisd(theta, axis) * (p - c) + slide * axis;
    screws = std::fmax(screws, (moved(q, p) - turned).norm());
  }
  bench.results.values["norms"] = norms;
  bench.results.values["norm_formula"] = norm_formula;
  bench.results.values["inverses"] = inverses;
  bench.results.values["screws"] = screws;
  bench.results.values["unit"] = unit;
}

void check(Workbench& bench) {
  functions(bench);
  quaternions(bench);
}

std::vector<Finding> findings() {
  std::vector<Finding> all;
  for (const char* name :
       {"functions", "printed_tan", "corrected_tan", "norms", "norm_formula", "inverses", "unit", "screws"})
    all.push_back({name, value_of(name)});
  return all;
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Screw Motions and Dual Quaternion Blending";
  e.title = "Dual numbers and dual quaternions";
  e.says =
      "Functions of dual numbers carry their derivatives along; quaternions over dual numbers have norms and inverses, and those of norm 1 are screws.";
  e.extra = check;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::slides::dual_numbers
