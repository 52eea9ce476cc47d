// Ways to interpolate and to average transformations [SLIDES], written down as the slides do, in double
// through Eigen. For curves and comparisons: the skinning kernels have their own, faster forms.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <span>
#include <vector>

namespace skinlight::repro {

// Angle of the rotation that takes a to b, radians in [0, pi].
double rotation_between(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b);

// The shorter arc at constant speed, and the normalised chord. t in [0, 1]; unit quaternions.
Eigen::Quaterniond slerp(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b, double t);
Eigen::Quaterniond qlerp(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b, double t);

// Rotation vector / 2 of a unit quaternion with scalar part >= 0 after a change of sign, and back.
Eigen::Vector3d quaternion_log(const Eigen::Quaterniond& q);
Eigen::Quaterniond quaternion_exp(const Eigen::Vector3d& half_turn);

struct SphericalAverage {
  Eigen::Quaterniond q;
  int steps = 0;         // until the change fell below 1e-14 radians
  bool settled = false;  // false: not within 200 steps
};

// The average on the sphere [Buss, Fillmore 2001]: the q at which sum_i w[i] log(q^-1 q[i]) = 0. Weights sum
// to 1; quaternions on the side of the first.
SphericalAverage spherical_average(std::span<const Eigen::Quaterniond> q, std::span<const double> w);

// The iteration as the slides print it, with log q[i] - log q in place of log(q^-1 q[i]).
SphericalAverage spherical_average_as_printed(std::span<const Eigen::Quaterniond> q,
                                              std::span<const double> w);

// A 3x3 matrix as rotation times symmetric stretch [SLIDES "Approach 1": R, O S O^T].
struct Polar {
  Eigen::Quaterniond rotation;
  Eigen::Matrix3d axes;       // O, columns
  Eigen::Vector3d stretches;  // S, positive
  bool reflects = false;      // N: then there is nothing to interpolate and rotation is that of -A
};
Polar polar_decomposition(const Eigen::Matrix3d& A);

// The same affine map in parts, each taken to the power t: translation t, rotation R^t, stretch O S^t O^T.
Eigen::Matrix4d decomposed_power(const Eigen::Matrix4d& M, double t);

// Real logarithm and exponential. log throws InputError when there is none: M singular, or with a negative
// eigenvalue of odd multiplicity.
Eigen::Matrix4d matrix_log(const Eigen::Matrix4d& M);
Eigen::Matrix4d matrix_exp(const Eigen::Matrix4d& m);

// The same by iteration, from standard functions only [Alexa02]: square roots until M is near the identity, then a
// series; the series, then squares. `steps` counts the roots, or the squares. Throws InputError where roots do not
// settle, as for a real negative eigenvalue.
struct IteratedMatrix {
  Eigen::Matrix4d m;
  int steps = 0;
};
IteratedMatrix matrix_log_by_roots(const Eigen::Matrix4d& M);
IteratedMatrix matrix_exp_by_squares(const Eigen::Matrix4d& m);

// M^t = exp(t log M) [SLIDES "Approach 2"].
Eigen::Matrix4d matrix_power(const Eigen::Matrix4d& M, double t);

// The rigid motion M as a screw, run to the share t of its angle and of its slide along the axis: what unit
// dual quaternions do when they are taken to the power t.
Eigen::Matrix4d screw_power(const Eigen::Matrix4d& M, double t);

// The axis of a screw, its turn in radians in [0, pi] and its slide along the axis. The axis is a line in Pluecker
// coordinates {direction : moment}, moment = x cross direction for any point x on it.
struct Screw {
  Eigen::Vector3d direction, moment;
  double angle = 0, slide = 0;
};
// Of a rigid motion, as the slides prove that there is one: the axis is moved until it takes up the translation across
// it. A motion that hardly turns has an axis far away; without a turn it is through the origin, along the translation.
Screw screw_of(const Eigen::Matrix4d& M);

// A point in between, at which an affine combination of two transformations stands: (A, B, t).
using Between = Eigen::Matrix4d (*)(const Eigen::Matrix4d&, const Eigen::Matrix4d&, double);

Eigen::Matrix4d linear_between(const Eigen::Matrix4d& A, const Eigen::Matrix4d& B, double t);
Eigen::Matrix4d decomposed_between(const Eigen::Matrix4d& A, const Eigen::Matrix4d& B, double t);
Eigen::Matrix4d power_between(const Eigen::Matrix4d& A, const Eigen::Matrix4d& B, double t);
Eigen::Matrix4d screw_between(const Eigen::Matrix4d& A, const Eigen::Matrix4d& B, double t);
// exp((1 - t) log A + t log B) [Alexa02]
Eigen::Matrix4d log_between(const Eigen::Matrix4d& A, const Eigen::Matrix4d& B, double t);

// de Casteljau's algorithm on transformations: the curve's point at t.
Eigen::Matrix4d de_casteljau(std::vector<Eigen::Matrix4d> controls, double t, Between between);

// de Boor's algorithm on transformations: the spline's point at t. knots: ascending, #controls + degree + 1; t within
// [knots[degree], knots[#controls]).
Eigen::Matrix4d de_boor(std::span<const Eigen::Matrix4d> controls, std::span<const double> knots, int degree,
                        double t, Between between);

// How far the linear part is from a rotation: largest entry of A^T A - I.
double departure_from_rigid(const Eigen::Matrix4d& M);

}  // namespace skinlight::repro
