// [SLIDES] "Log Matrix Blending", "Interpolation of Transformations", "Screw Motions": what logarithms blend rightly, what
// becomes of them about a reference and by iteration, curves by de Boor, and the axes of screws.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "repro/runner/csv.h"
#include "repro/runner/judgement.h"
#include "repro/study/transformations.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/random.h"

namespace skinlight::repro::slides::log_blending {

namespace {

using Eigen::Matrix3d, Eigen::Matrix4d, Eigen::Quaterniond, Eigen::Vector3d;

constexpr int kTrials = 200;
const Vector3d kX = Vector3d::UnitX(), kY = Vector3d::UnitY(), kZ = Vector3d::UnitZ();

double difference(const Matrix4d& a, const Matrix4d& b) { return (a - b).cwiseAbs().maxCoeff(); }

Matrix4d motion(double degrees, const Vector3d& axis, const Vector3d& t = Vector3d::Zero()) {
  Matrix4d M = Matrix4d::Identity();
  M.topLeftCorner<3, 3>() = Eigen::AngleAxisd(degrees / kDegrees, axis.normalized()).toRotationMatrix();
  M.topRightCorner<3, 1>() = t;
  return M;
}

Quaterniond turned(const Matrix4d& M) { return Quaterniond(Matrix3d(M.topLeftCorner<3, 3>())); }

double degrees_between(const Matrix4d& a, const Matrix4d& b) {
  return kDegrees * rotation_between(turned(a), turned(b));
}

Vector3d direction(Random& random) {
  const Vec3d d = random.direction();
  return {d.x, d.y, d.z};
}

Matrix4d any_motion(Random& random, double most_degrees) {
  const Vector3d shift = 2 * direction(random), axis = direction(random);
  return motion(random.uniform(5, most_degrees), axis, shift);
}

// exp(sum_i w_i log M_i).
Matrix4d log_blend(std::span<const Matrix4d> M, std::span<const double> w) {
  Matrix4d sum = Matrix4d::Zero();
  for (std::size_t i = 0; i < M.size(); ++i) sum += w[i] * matrix_log(M[i]);
  return matrix_exp(sum);
}

// Translations, turns in a plane and scalings: where blending is said to be perfect.
void special_cases(Workbench& bench) {
  Random random(26), many_turns(32);
  double translations = 0, turns = 0, any_turns = 0, beyond_half = 0, scalings = 0, linear_turns = 0;
  const Matrix4d quarter = matrix_log(motion(90, kZ));
  for (int trial = 0; trial < kTrials; ++trial) {
    std::array<double, 3> w{}, angle{}, far{};
    std::array<Matrix4d, 3> moved, spun, spun_far, scaled;
    double total = 0;
    for (double& weight : w) total += weight = random.uniform(0.05, 1);
    Vector3d t = Vector3d::Zero(), s = Vector3d::Ones();
    double mean = 0, far_mean = 0, any_mean = 0;
    Matrix4d any_sum = Matrix4d::Zero();
    Matrix4d linear = Matrix4d::Zero();
    for (std::size_t i = 0; i < 3; ++i) {
      w[i] /= total;
      const Vector3d step = 3 * direction(random);
      Vector3d factor;
      for (const int axis : {2, 1, 0}) factor[axis] = random.uniform(0.2, 4);
      angle[i] = random.uniform(-170, 170);
      far[i] = i == 0 ? 190 : 100;  // the first as its logarithm has it: -170
      moved[i] = motion(0, kZ, step);
      spun[i] = motion(angle[i], kZ);
      spun_far[i] = motion(far[i], kZ);
      scaled[i] = Matrix4d::Identity();
      scaled[i].diagonal().head<3>() = factor;
      const double any = many_turns.uniform(-1000, 1000);
      any_mean += w[i] * any;
      any_sum += w[i] * (any / 90) * quarter;
      t += w[i] * step;
      mean += w[i] * angle[i];
      far_mean += w[i] * far[i];
      s.array() *= factor.array().pow(w[i]);
      linear += w[i] * spun[i];
    }
    Matrix4d right_scale = Matrix4d::Identity();
    right_scale.diagonal().head<3>() = s;
    translations = std::fmax(translations, difference(log_blend(moved, w), motion(0, kZ, t)));
    turns = std::fmax(turns, degrees_between(log_blend(spun, w), motion(mean, kZ)));
    any_turns = std::fmax(any_turns, degrees_between(matrix_exp(any_sum), motion(any_mean, kZ)));
    beyond_half = std::fmax(beyond_half, degrees_between(log_blend(spun_far, w), motion(far_mean, kZ)));
    scalings = std::fmax(scalings, difference(log_blend(scaled, w), right_scale) / s.maxCoeff());
    linear_turns = std::fmax(linear_turns, difference(linear, motion(mean, kZ)));
  }
  auto& values = bench.results.values;
  values["translations"] = translations;
  values["plane_turns_deg"] = turns;
  values["plane_turns_linear"] = linear_turns;
  values["plane_any_angles_deg"] = any_turns;
  values["plane_beyond_half_deg"] = beyond_half;
  values["scalings"] = scalings;
}

// Numbers about a reference r: exp_r(sum_i w_i log_r a_i).
void numbers(Workbench& bench) {
  Random random(27);
  double sums_to_one = 0, sums_to_half = 0, round_trip = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const double a = random.uniform(0.1, 10), b = random.uniform(0.1, 10), w = random.uniform(0, 1);
    const double r = random.uniform(0.1, 10);
    const auto log_r = [&](double x) { return std::log(x) - std::log(r); };
    const auto exp_r = [&](double x) { return r * std::exp(x); };
    const double weighted = std::pow(a, w) * std::pow(b, 1 - w);
    sums_to_one = std::fmax(sums_to_one, std::abs(exp_r(w * log_r(a) + (1 - w) * log_r(b)) / weighted - 1));
    // With half of each weight the result is drawn to the reference instead of to 1.
    const double half = exp_r(0.5 * (w * log_r(a) + (1 - w) * log_r(b)));
    sums_to_half = std::fmax(sums_to_half, std::abs(half / std::sqrt(r * weighted) - 1));
    round_trip = std::fmax(round_trip, std::abs(exp_r(log_r(a)) / a - 1));
  }
  bench.results.values["numbers_reference"] = std::fmax(sums_to_one, round_trip);
  bench.results.values["numbers_half_weights"] = sums_to_half;
}

// Matrices about a reference: the two printed forms of exp are one only where the matrices commute.
void references(Workbench& bench) {
  const Matrix4d reference = motion(90, kX), m = matrix_log(motion(90, kY));
  bench.results.values["forms_apart_deg"] =
      degrees_between(matrix_exp(m + matrix_log(reference)), reference * matrix_exp(m));
  Random random(28);
  double first_form = 0, inverse = 0, second_inverse = 0, one_axis = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::array<Matrix4d, 2> M = {any_motion(random, 80), any_motion(random, 80)};
    const Matrix4d M0 = any_motion(random, 80);
    const double t = random.uniform(0, 1);
    const Matrix4d about =
        (1 - t) * (matrix_log(M[0]) - matrix_log(M0)) + t * (matrix_log(M[1]) - matrix_log(M0));
    first_form =
        std::fmax(first_form, difference(matrix_exp(about + matrix_log(M0)), log_between(M[0], M[1], t)));
    const Matrix4d relative = matrix_log(M[0]) - matrix_log(M0);
    inverse = std::fmax(inverse, difference(matrix_exp(relative + matrix_log(M0)), M[0]));
    second_inverse = std::fmax(second_inverse, degrees_between(M0 * matrix_exp(relative), M[0]));
    const Matrix4d same = matrix_power(M0, 0.4);
    one_axis = std::fmax(one_axis, difference(M0 * matrix_exp(matrix_log(same) - matrix_log(M0)), same));
  }
  bench.results.values["reference_cancels"] = std::fmax(first_form, inverse);
  bench.results.values["second_form_misses_deg"] = second_inverse;
  bench.results.values["forms_agree_on_one_axis"] = one_axis;
}

// A turn by alpha is one by alpha + 2 pi k: every one of them is a logarithm, and no two blend alike.
void many_logarithms(Workbench& bench) {
  const double alpha = 70 / kDegrees;
  const Vector3d axis = Vector3d(1, 2, 2) / 3;
  Matrix4d J = Matrix4d::Zero();
  J.topLeftCorner<3, 3>() << 0, -axis.z(), axis.y(), axis.z(), 0, -axis.x(), -axis.y(), axis.x(), 0;
  const Matrix4d M = motion(70, axis);
  double same = 0;
  for (int k = -3; k <= 3; ++k) same = std::fmax(same, difference(matrix_exp((alpha + 2 * M_PI * k) * J), M));
  bench.results.values["logarithms_of_one"] = same;
  bench.results.values["logarithms_half_way_deg"] =
      degrees_between(matrix_exp(0.5 * alpha * J), matrix_exp(0.5 * (alpha + 2 * M_PI) * J));
}

// By how much the axis about which the blend turns wanders between the ends, against dual quaternions' way.
double wandering(const Matrix4d& A, const Matrix4d& B, Between between) {
  constexpr int kSteps = 32;
  double widest = 0;
  Vector3d first = Vector3d::Zero();
  for (int i = 0; i < kSteps; ++i) {
    const Quaterniond a = turned(between(A, B, i / double{kSteps})),
                      b = turned(between(A, B, (i + 1.0) / kSteps));
    const Vector3d axis = quaternion_log(b * a.conjugate()).normalized();
    if (i == 0) first = axis;
    widest = std::fmax(widest, std::acos(std::fmin(first.dot(axis), 1.0)));
  }
  return kDegrees * widest;
}

void axes(Workbench& bench) {
  const Matrix4d A = motion(120, kX), B = motion(120, kY);
  bench.results.values["log_axis_wanders_deg"] = wandering(A, B, log_between);
  bench.results.values["screw_axis_wanders_deg"] = wandering(A, B, screw_between);
}

// n-th parts of A and B in turns, in either order [Alexa02 Fig. 3]: where a point gets to.
void two_orders(Workbench& bench) {
  const Matrix4d A = motion(0, kZ, {2, 0, 0}), B = motion(100, kZ);
  std::string table = "parts,order,step,x,y\n";
  std::string apart = "parts,apart\n";
  const auto at = [](const Matrix4d& M) {
    return Vector3d((M * Vector3d(0.3, 0.8, 0).homogeneous()).head<3>());
  };
  double at_16 = 0, at_256 = 0;
  for (int n = 1; n <= 256; n *= 2) {
    std::array<Matrix4d, 2> end;
    for (const bool turn_first : {false, true}) {
      const Matrix4d part_a = matrix_power(A, 1.0 / n), part_b = matrix_power(B, 1.0 / n);
      Matrix4d product = Matrix4d::Identity();
      const auto note = [&](int step) {
        if (n <= 16)
          table += csv_row({std::to_string(n), turn_first ? "turn_first" : "shift_first"},
                           {static_cast<double>(step), at(product).x(), at(product).y()});
      };
      note(0);
      for (int i = 0; i < n; ++i) {
        product = (turn_first ? part_b : part_a) * product;
        note(2 * i + 1);
        product = (turn_first ? part_a : part_b) * product;
        note(2 * i + 2);
      }
      end[turn_first ? 1 : 0] = product;
    }
    const double distance = difference(end[0], end[1]);
    if (n == 16) at_16 = distance;
    if (n == 256) at_256 = distance;
    apart += csv_row({std::to_string(n)}, {distance});
  }
  const Matrix4d sum = matrix_log(A) + matrix_log(B);
  for (int i = 0; i <= 64; ++i) {
    const Matrix4d M = matrix_exp(sum * (i / 64.0));
    table += csv_row({"0", "sum"}, {static_cast<double>(i), at(M).x(), at(M).y()});
  }
  bench.results.values["orders_order"] = std::log(at_16 / at_256) / std::log(16.0);
  bench.results.values["products_apart"] = difference(A * B, B * A);
  bench.write_table("orders.csv", "Where a point gets to by parts of a shift and a turn; parts 0: their sum",
                    table);
  bench.write_table("orders_apart.csv", "How far the two orders are apart at the end", apart);
}

// Logarithm and exponential by iteration against Eigen's, which uses Schur's form and Pade's approximants.
void iterations(Workbench& bench) {
  Random random(30);
  double log_off = 0, exp_off = 0;
  int roots = 0, squares = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    // Turned further than that, a stretch in the plane of the turn can make its eigenvalues real and negative.
    Matrix4d M = any_motion(random, 120);
    const double along_y = random.uniform(0.5, 2), along_x = random.uniform(0.5, 2);
    M.topLeftCorner<3, 3>() *= Vector3d(along_x, along_y, 1).asDiagonal();
    const IteratedMatrix log = matrix_log_by_roots(M), exp = matrix_exp_by_squares(log.m);
    log_off = std::fmax(log_off, difference(log.m, matrix_log(M)));
    exp_off = std::fmax(exp_off, difference(exp.m, M));
    roots = std::max(roots, log.steps);
    squares = std::max(squares, exp.steps);
  }
  auto& values = bench.results.values;
  values["iterated_log"] = log_off;
  values["iterated_exp"] = exp_off;
  values["iterated_roots"] = roots;
  values["iterated_squares"] = squares;
}

// A spline over seven keyframes of a camera by de Boor's algorithm.
void splines(Workbench& bench) {
  constexpr int kDegree = 3;
  const std::vector<Matrix4d> keys = {motion(0, kZ, {0, 0, 0}),
                                      motion(50, kZ, {1, 2, 0}),
                                      motion(110, {0.2, 0, 1}, {3, 2.5, 1}),
                                      motion(170, {0.2, 0, 1}, {5, 1, 1}),
                                      motion(230, kZ, {6, -1, 0}),
                                      motion(290, kZ, {8, -1.5, 0}),
                                      motion(340, kZ, {9, 0.5, 0})};
  const std::vector<double> knots = {0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 4};
  const std::vector<double> bezier_knots = {0, 0, 0, 0, 1, 1, 1, 1};
  const std::span<const Matrix4d> four(keys.data(), 4);
  std::string table = "way,t,x,y,axis_x,axis_y\n";
  double rigid = 0, linear = 0, bezier = 0;
  constexpr int kSamples = 96;
  for (int i = 0; i < kSamples; ++i) {
    const double t = 4.0 * i / kSamples;
    for (const bool screws : {false, true}) {
      const Matrix4d M = de_boor(keys, knots, kDegree, t, screws ? screw_between : linear_between);
      double& largest = screws ? rigid : linear;
      largest = std::fmax(largest, departure_from_rigid(M));
      table += csv_row({screws ? "screw" : "linear"}, {t, M(0, 3), M(1, 3), M(0, 0), M(1, 0)});
    }
    const Matrix4d curve = de_boor(four, bezier_knots, kDegree, t / 4, screw_between);
    bezier = std::fmax(
        bezier, difference(curve, de_casteljau({keys[0], keys[1], keys[2], keys[3]}, t / 4, screw_between)));
  }
  for (const Matrix4d& M : keys) table += csv_row({"key"}, {0, M(0, 3), M(1, 3), M(0, 0), M(1, 0)});
  auto& values = bench.results.values;
  values["de_boor_rigid"] = rigid;
  values["de_boor_linear"] = linear;
  values["de_boor_bezier"] = bezier;
  bench.write_table("de_boor.csv", "A camera on a cubic spline over seven keyframes; way key: these", table);
}

// Every rigid motion has an axis that it only slides along; that axis by two points and in Pluecker coordinates.
void screws(Workbench& bench) {
  Random random(31);
  double across = 0, two_points = 0, orthogonal = 0, dual_part = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Matrix4d M = any_motion(random, 175);
    const Screw screw = screw_of(M);
    // Two points on the axis, found from the line's own coordinates.
    const Vector3d x = screw.direction.cross(screw.moment) + random.uniform(-2, 2) * screw.direction;
    const Vector3d y = x + random.uniform(0.5, 3) * screw.direction;
    for (const Vector3d& point : {x, y}) {
      const Vector3d moved = (M * point.homogeneous()).head<3>();
      across = std::fmax(across, (moved - point - screw.slide * screw.direction).norm());
    }
    two_points = std::fmax(two_points, (x.cross(y) / (y - x).norm() - screw.moment).norm());
    orthogonal = std::fmax(orthogonal, std::abs(screw.direction.dot(screw.moment)));
    // The dual part of the unit dual quaternion r + e t r / 2: sin(angle / 2) moment + slide / 2 cos(angle / 2) direction.
    const Quaterniond r(std::cos(0.5 * screw.angle), 0, 0, 0);
    Quaterniond full = r;
    full.vec() = std::sin(0.5 * screw.angle) * screw.direction;
    const Vector3d t = M.topRightCorner<3, 1>();
    const Quaterniond half_t(0, 0.5 * t.x(), 0.5 * t.y(), 0.5 * t.z());
    const Vector3d expected = std::sin(0.5 * screw.angle) * screw.moment +
                              0.5 * screw.slide * std::cos(0.5 * screw.angle) * screw.direction;
    dual_part = std::fmax(dual_part, ((half_t * full).vec() - expected).norm());
  }
  auto& values = bench.results.values;
  values["slides_only"] = across;
  values["pluecker_points"] = std::fmax(two_points, orthogonal);
  values["pluecker_dual_part"] = dual_part;
}

void blend(Workbench& bench) {
  special_cases(bench);
  numbers(bench);
  references(bench);
  many_logarithms(bench);
  axes(bench);
  two_orders(bench);
  iterations(bench);
  splines(bench);
  screws(bench);
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Log Matrix Blending, Interpolation of Transformations, Screw Motions";
  e.title = "Logarithms, splines and axes of transformations";
  e.says =
      "Translations, turns in a plane and scalings blend perfectly; logarithms carry that over to matrices, about a reference, by iteration, in a way that does not depend on the order. "
      "A rotation has many logarithms, and the blend turns about no static axis. "
      "Curves over transformations are built by de Boor's algorithm; every rigid motion is a screw about an axis in Pluecker coordinates.";
  e.extra = blend;
  for (const char* claim : {"translations",           "plane_turns_deg",
                            "plane_turns_linear",     "plane_any_angles_deg",
                            "plane_beyond_half_deg",  "scalings",
                            "numbers_reference",      "numbers_half_weights",
                            "forms_apart_deg",        "reference_cancels",
                            "second_form_misses_deg", "forms_agree_on_one_axis",
                            "logarithms_of_one",      "logarithms_half_way_deg",
                            "log_axis_wanders_deg",   "screw_axis_wanders_deg",
                            "orders_order",           "products_apart",
                            "iterated_log",           "iterated_exp",
                            "de_boor_rigid",          "de_boor_linear",
                            "de_boor_bezier",         "slides_only",
                            "pluecker_points",        "pluecker_dual_part"})
    e.findings.push_back({claim, value_of(claim)});
  return e;
}

}  // namespace skinlight::repro::slides::log_blending
