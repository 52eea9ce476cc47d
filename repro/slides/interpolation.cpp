// [SLIDES] "Interpolation of Transformations", "Log Matrix Blending", "Spherical Averages": the curves behind
// the blending methods.
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "repro/runner/csv.h"
#include "repro/runner/judgement.h"
#include "repro/study/transformations.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/error.h"
#include "skinlight/core/random.h"

namespace skinlight::repro::slides::interpolation {

namespace {

using Eigen::Matrix4d, Eigen::Quaterniond, Eigen::Vector3d;

constexpr int kSamples = 64;  // of every curve

Quaterniond turn(double degrees, const Vector3d& axis) {
  return Quaterniond(Eigen::AngleAxisd(degrees / kDegrees, axis.normalized()));
}

Matrix4d motion(const Quaterniond& q, const Vector3d& t) {
  Matrix4d M = Matrix4d::Identity();
  M.topLeftCorner<3, 3>() = q.toRotationMatrix();
  M.topRightCorner<3, 1>() = t;
  return M;
}

double difference(const Matrix4d& a, const Matrix4d& b) { return (a - b).cwiseAbs().maxCoeff(); }

// Rotation between two orientations at constant parameter speed: how far has it turned, and how fast.
void rotation_speed(Workbench& bench) {
  std::string table = "way,turn_deg,t,turned_deg,speed\n";
  double slerp_unevenness = 0, qlerp_lag = 0, closed_form = 0;
  for (const double whole : {60.0, 120.0, 180.0}) {
    const Quaterniond a = turn(25, {1, 2, 0}), b = a * turn(whole, {0.2, 0.3, 1});
    for (int i = 0; i <= kSamples; ++i) {
      const double t = static_cast<double>(i) / kSamples, h = 1e-4;
      for (const bool chord : {false, true}) {
        const auto between = chord ? qlerp : slerp;
        const double turned = kDegrees * rotation_between(a, between(a, b, t));
        // In units of the mean speed; across the sample, not to both its sides at the ends.
        const double low = std::max(t - h, 0.0), high = std::min(t + h, 1.0);
        const double speed =
            kDegrees * rotation_between(between(a, b, low), between(a, b, high)) / ((high - low) * whole);
        table += csv_row({chord ? "qlerp" : "slerp"}, {whole, t, turned, speed});
        if (!chord) slerp_unevenness = std::fmax(slerp_unevenness, std::abs(speed - 1));
        if (chord && whole == 180) qlerp_lag = std::fmax(qlerp_lag, std::abs(turned - t * whole));
      }
      // The chord of the circle seen from its centre: tan(psi) = (2 t - 1) tan(turn / 4).
      const double quarter = 0.25 * whole / kDegrees;
      const double expected = kDegrees * 2 * (quarter + std::atan((2 * t - 1) * std::tan(quarter)));
      closed_form =
          std::fmax(closed_form, std::abs(kDegrees * rotation_between(a, qlerp(a, b, t)) - expected));
    }
  }
  bench.results.values["slerp_unevenness"] = slerp_unevenness;
  bench.results.values["qlerp_lag_deg"] = qlerp_lag;
  bench.results.values["qlerp_closed_form_deg"] = closed_form;
  bench.write_table("speed.csv", "Angle turned and speed of SLERP and QLERP", table);
}

struct NamedPath {
  const char* name;
  Between between;
};
constexpr std::array kWays = {NamedPath{"linear", linear_between},
                              NamedPath{"decomposed", decomposed_between}, NamedPath{"power", power_between},
                              NamedPath{"log", log_between}, NamedPath{"screw", screw_between}};

// Two rigid motions: the path of a point that rides on the moving body, and how rigid the body stays.
void rigid_paths(Workbench& bench) {
  const Matrix4d A = motion(turn(40, {0, 1, 0.3}), {-1, 0, 0}),
                 B = A * motion(turn(150, {0.1, 0.2, 1}), {1.6, 0.9, 0.8});
  std::string table = "way,t,x,y,z,turned_deg,departure\n";
  std::map<std::string, double> departure;
  double power_is_screw = 0;
  for (int i = 0; i <= kSamples; ++i) {
    const double t = static_cast<double>(i) / kSamples;
    for (const NamedPath& way : kWays) {
      const Matrix4d M = way.between(A, B, t);
      const Vector3d point = (M * Eigen::Vector4d(0.5, 0, 0, 1)).head<3>();
      const double rigid = departure_from_rigid(M);
      const Quaterniond R = polar_decomposition(M.topLeftCorner<3, 3>()).rotation;
      const double turned =
          kDegrees * rotation_between(Quaterniond(Eigen::Matrix3d(A.topLeftCorner<3, 3>())), R);
      table += csv_row({way.name}, {t, point.x(), point.y(), point.z(), turned, rigid});
      departure[way.name] = std::fmax(departure[way.name], rigid);
    }
    power_is_screw = std::fmax(power_is_screw, difference(power_between(A, B, t), screw_between(A, B, t)));
  }
  bench.results.values["linear_departure"] = departure["linear"];
  bench.results.values["others_departure"] = std::fmax(std::fmax(departure["decomposed"], departure["power"]),
                                                       std::fmax(departure["log"], departure["screw"]));
  bench.results.values["power_is_screw"] = power_is_screw;
  bench.write_table("paths.csv", "A point on a body between two rigid motions", table);
}

// Matrices that stretch, [SLIDES "Approach 1"]: the parts are put together at both ends, and half of the way taken twice
// stretches as the whole does. Those that reflect as well have no such parts.
void stretched(Workbench& bench) {
  Random random(2003);
  double ends = 0, stretches = 0;
  int refused = 0;
  constexpr int kTrials = 200;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto direction = [&] {
      const Vec3d d = random.direction();
      return Vector3d(d.x, d.y, d.z);
    };
    const Vector3d about = direction(), across = direction(), shift = direction();
    const double angle = random.uniform(5, 170), tilt = random.uniform(0, 180);
    Vector3d factor;
    for (const int axis : {0, 1, 2}) factor[axis] = random.uniform(0.3, 3);
    const Eigen::Matrix3d O = turn(tilt, across).toRotationMatrix();
    const auto whole = [&](const Vector3d& diagonal) {
      Matrix4d M = motion(turn(angle, about), shift);
      M.topLeftCorner<3, 3>() *= O * diagonal.asDiagonal() * O.transpose();
      return M;
    };
    const Matrix4d A = motion(turn(tilt, about), -shift), B = A * whole(factor);
    ends = std::fmax(ends, std::fmax(difference(decomposed_between(A, B, 0), A),
                                     difference(decomposed_between(A, B, 1), B)));
    // The Gram matrix has no rotation in it: that of half the way is O S O^T, the root of O S^2 O^T.
    const Eigen::Matrix3d half = decomposed_power(whole(factor), 0.5).topLeftCorner<3, 3>(),
                          gram = half.transpose() * half, expected = O * factor.asDiagonal() * O.transpose();
    stretches = std::fmax(stretches, (gram - expected).cwiseAbs().maxCoeff());
    try {
      decomposed_power(whole(Vector3d(-factor.x(), factor.y(), factor.z())), 0.5);
    } catch (const InputError&) {
      ++refused;
    }
  }
  bench.results.values["decomposed_ends"] = ends;
  bench.results.values["decomposed_stretches"] = stretches;
  bench.results.values["reflections_refused"] = static_cast<double>(refused) / kTrials;
}

// Averages of two rotations as the weights pass from one to the other: how far from an even turn, in radians.
void average_speed(Workbench& bench) {
  Random random(2004);
  double uneven = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3d first = random.direction(), second = random.direction();
    const double of_first = random.uniform(0, 80), of_second = random.uniform(0, 80);
    const std::array q = {turn(of_first, {first.x, first.y, first.z}),
                          turn(of_second, {second.x, second.y, second.z})};
    for (const double t : {0.0, 0.1, 0.3, 0.5, 0.75, 1.0}) {
      const std::array w = {1 - t, t};
      const double turned = rotation_between(q[0], spherical_average(q, w).q);
      uneven = std::fmax(uneven, std::abs(turned - t * rotation_between(q[0], q[1])));
    }
  }
  bench.results.values["average_uneven"] = uneven;
}

// Orientations between A and B by exp((1 - t) log A + t log B): how far from the shorter arc, and whether the
// speed is even [Alexa02].
void log_blend(Workbench& bench) {
  Random random(2002);
  double detour = 0, uneven = 0, far_uneven = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const auto draw = [&] {
      const Vec3d axis = random.direction();
      return motion(turn(random.uniform(20, 150), {axis.x, axis.y, axis.z}), Vector3d::Zero());
    };
    const Matrix4d A = draw(), B = draw();
    const auto at = [&](double t) {
      return Quaterniond(Eigen::Matrix3d(log_between(A, B, t).topLeftCorner<3, 3>()));
    };
    double length = 0, slowest = INFINITY, fastest = 0;
    constexpr int kSteps = 16;
    for (int i = 0; i < kSteps; ++i) {
      const double step = kDegrees * rotation_between(at(i / 16.0), at((i + 1) / 16.0));
      length += step;
      slowest = std::fmin(slowest, step);
      fastest = std::fmax(fastest, step);
    }
    detour = std::fmax(detour, length / (kDegrees * rotation_between(at(0), at(1))));
    uneven = std::fmax(uneven, fastest / slowest);
    // About one axis the logarithms commute and all is well.
    const Matrix4d C = matrix_power(A, 0.3);
    const auto same_axis = [&](double t) {
      return Quaterniond(Eigen::Matrix3d(log_between(A, C, t).topLeftCorner<3, 3>()));
    };
    far_uneven = std::fmax(far_uneven, std::abs(rotation_between(same_axis(0), same_axis(0.25)) /
                                                    rotation_between(same_axis(0), same_axis(1)) -
                                                0.25));
  }
  bench.results.values["log_detour"] = detour;
  bench.results.values["log_speed_ratio"] = uneven;
  bench.results.values["log_same_axis"] = far_uneven;
}

// (A^(1/n) B^(1/n))^n against exp(log A + log B).
void interwoven_product(Workbench& bench) {
  const Matrix4d A = motion(turn(70, {1, 0, 0}), {0.5, 0, 0}),
                 B = motion(turn(90, {0, 1, 1}), {0, -0.4, 0.2});
  const Matrix4d limit = matrix_exp(matrix_log(A) + matrix_log(B));
  std::string table = "parts,difference\n";
  double first = 0, last = 0;
  constexpr int kLast = 256;
  for (int n = 1; n <= kLast; n *= 2) {
    Matrix4d product = Matrix4d::Identity();
    const Matrix4d step = matrix_power(A, 1.0 / n) * matrix_power(B, 1.0 / n);
    for (int i = 0; i < n; ++i) product *= step;
    last = difference(product, limit);
    if (n == kLast / 16) first = last;
    table += csv_row({}, {static_cast<double>(n), last});
  }
  bench.results.values["interwoven_order"] = std::log(first / last) / std::log(16.0);
  bench.results.values["interwoven_difference"] = last;
  bench.write_table("interwoven.csv",
                    "Parts of two transformations in turn against the sum of their logarithms", table);
}

void roots(Workbench& bench) {
  Matrix4d half_turn = Matrix4d::Identity(), none = Matrix4d::Identity();
  half_turn(0, 0) = half_turn(1, 1) = -1;
  none(0, 0) = -2;
  none(1, 1) = -1;
  const Matrix4d root = matrix_power(half_turn, 0.5);
  // The printed root, or its inverse: a half turn has two.
  Matrix4d printed = Matrix4d::Identity();
  printed.topLeftCorner<2, 2>() << 0, -1, 1, 0;
  bench.results.values["half_turn_root"] =
      std::fmin(difference(root, printed), difference(root, printed.inverse()));
  try {
    matrix_power(none, 0.5);
    bench.results.values["no_root"] = 0;
  } catch (const InputError&) {
    bench.results.values["no_root"] = 1;
  }
}

// A curve through four keyframes: the body on it, and how rigid it stays.
void camera_path(Workbench& bench) {
  const std::vector<Matrix4d> keys = {
      motion(turn(0, {0, 0, 1}), {0, 0, 0}), motion(turn(60, {0, 0, 1}), {1, 2, 0.4}),
      motion(turn(140, {0.3, 0, 1}), {3, 2, 0.8}), motion(turn(220, {0.1, 0.2, 1}), {4, 0, 0})};
  std::string table = "way,t,x,y,z,axis_x,axis_y,axis_z,departure\n";
  double linear = 0, screw = 0;
  for (int i = 0; i <= kSamples; ++i) {
    const double t = static_cast<double>(i) / kSamples;
    for (const NamedPath& way : {kWays[0], kWays[4]}) {
      const Matrix4d M = de_casteljau(keys, t, way.between);
      const double departure = departure_from_rigid(M);
      table += csv_row({way.name}, {t, M(0, 3), M(1, 3), M(2, 3), M(0, 0), M(1, 0), M(2, 0), departure});
      double& largest = way.between == linear_between ? linear : screw;
      largest = std::fmax(largest, departure);
    }
  }
  bench.results.values["casteljau_linear"] = linear;
  bench.results.values["casteljau_screw"] = screw;
  bench.write_table("casteljau.csv", "A curve over four transformations by repeated interpolation", table);
}

// The average on the sphere against the normalised sum, and the iteration as printed against both.
void averages(Workbench& bench) {
  Random random(2001);
  double sum_off = 0, printed_off = 0, printed_frame = 0, frame_kept = 0;
  int steps = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::array<Quaterniond, 3> q, turned;
    const Quaterniond frame = turn(90, {0.3, -0.5, 0.8});
    std::array<double, 3> w{};
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3d axis = random.direction();
      q[i] = turn(random.uniform(0, 85), {axis.x, axis.y, axis.z});
      turned[i] = frame * q[i];
      w[i] = random.uniform(0.05, 1);
    }
    const double total = w[0] + w[1] + w[2];
    for (double& weight : w) weight /= total;
    const SphericalAverage right = spherical_average(q, w), printed = spherical_average_as_printed(q, w);
    const Quaterniond sum(
        Eigen::Vector4d(w[0] * q[0].coeffs() + w[1] * q[1].coeffs() + w[2] * q[2].coeffs()).normalized());
    if (!right.settled) steps = 1000;
    steps = std::max(steps, right.steps);
    sum_off = std::fmax(sum_off, kDegrees * rotation_between(sum, right.q));
    printed_off = std::fmax(printed_off, kDegrees * rotation_between(printed.q, right.q));
    frame_kept =
        std::fmax(frame_kept, kDegrees * rotation_between(spherical_average(turned, w).q, frame * right.q));
    printed_frame =
        std::fmax(printed_frame,
                  kDegrees * rotation_between(spherical_average_as_printed(turned, w).q, frame * printed.q));
  }
  bench.results.values["average_steps"] = steps;
  bench.results.values["sum_off_deg"] = sum_off;
  bench.results.values["printed_off_deg"] = printed_off;
  bench.results.values["printed_frame_deg"] = printed_frame;
  bench.results.values["average_frame_deg"] = frame_kept;
}

void interpolate(Workbench& bench) {
  rotation_speed(bench);
  rigid_paths(bench);
  stretched(bench);
  average_speed(bench);
  log_blend(bench);
  interwoven_product(bench);
  roots(bench);
  camera_path(bench);
  averages(bench);
}

void add_rotation_claims(std::vector<Finding>& found) {
  found.push_back({"slerp_even", value_of("slerp_unevenness")});
  found.push_back({"qlerp_lag", value_of("qlerp_lag_deg")});
  found.push_back({"qlerp_closed_form", value_of("qlerp_closed_form_deg")});
}

void add_matrix_claims(std::vector<Finding>& found) {
  found.push_back({"decomposed_ends", value_of("decomposed_ends")});
  found.push_back({"decomposed_stretches", value_of("decomposed_stretches")});
  found.push_back({"reflection_has_no_parts", value_of("reflections_refused")});
  found.push_back({"linear_not_rigid", value_of("linear_departure")});
  found.push_back({"others_rigid", value_of("others_departure")});
  found.push_back({"power_is_screw", value_of("power_is_screw")});
  found.push_back({"half_turn_root", value_of("half_turn_root")});
  found.push_back({"no_root", value_of("no_root")});
}

void add_log_claims(std::vector<Finding>& found) {
  found.push_back({"interwoven_order", value_of("interwoven_order")});
  found.push_back({"log_detour", value_of("log_detour")});
  found.push_back({"log_speed", value_of("log_speed_ratio")});
  found.push_back({"log_same_axis", value_of("log_same_axis")});
}

void add_curve_claims(std::vector<Finding>& found) {
  found.push_back({"casteljau_rigid", value_of("casteljau_screw")});
  found.push_back({"casteljau_linear", value_of("casteljau_linear")});
  found.push_back({"average_steps", value_of("average_steps")});
  found.push_back({"average_even", value_of("average_uneven")});
  found.push_back({"average_frame", value_of("average_frame_deg")});
  found.push_back({"sum_off", value_of("sum_off_deg")});
  found.push_back({"printed_average", value_of("printed_off_deg")});
}

std::vector<Finding> findings() {
  std::vector<Finding> all;
  add_rotation_claims(all);
  add_matrix_claims(all);
  add_log_claims(all);
  add_curve_claims(all);
  return all;
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Interpolation of Transformations and Spherical Averages";
  e.title = "Ways between two transformations";
  e.says =
      "SLERP turns at constant speed, the cheaper QLERP slightly unevenly; matrices are interpolated in parts, by powers or by their logarithms; powers and dual quaternions move along a screw; averages of rotations are found on the sphere.";
  e.extra = interpolate;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::slides::interpolation
