// How many decimal digits of a result are right.
#pragma once

#include <vector>

#include "skinlight/stability/detail/reference.h"
#include "skinlight/stability/detail/run_case.h"

namespace skinlight::stability {

// -log10 of the angle in radians for directions, of the relative error for positions.
inline constexpr double kMostDigits = 10;  // of results that are exactly right
inline constexpr double kMissDigits =
    -1;  // of what is not a number, or came from one; a flipped normal has -.5

// The truth of each subject, in the order of `chosen`, over the scalar T.
template <class T>
std::vector<Truth<T>> truths(const VertexCase& c, std::span<const Subject> chosen) {
  const Reference<T> reference(c);
  std::vector<Truth<T>> all;
  all.reserve(chosen.size());
  TruthTerms<T> terms{};
  const Subject* terms_of = nullptr;
  for (const Subject& subject : chosen) {
    if (subject.guard == Guard::none) {
      if (kernel_row(subject.method, subject.mode).guards) {
        terms = reference.terms(subject.method, subject.mode);
        terms_of = &subject;
        all.push_back(reference.joined(terms));
      } else {
        all.push_back(reference.unguarded(subject.method, subject.mode));
      }
      continue;
    }
    if (!terms_of || terms_of->method != subject.method || terms_of->mode != subject.mode) {
      terms = reference.terms(subject.method, subject.mode);
      terms_of = &subject;
    }
    all.push_back(reference.guarded(terms, subject.guard, case_guard(c, subject.guard)));
  }
  return all;
}

// The angle is formed from the truth as it is, not from its rounded coordinates.
template <class T>
double angle_to(Vec3d result, const Vec3<T>& truth) {
  const Vec3<T> r(result);
  const Vec3<T> across = cross(r, truth);
  const Vec3d sine(static_cast<double>(across.x), static_cast<double>(across.y),
                   static_cast<double>(across.z));
  return std::atan2(length(sine), static_cast<double>(dot(r, truth)));
}

// Of a direction or two the angle in radians, the larger one; of positions the distance, relative to `size`. `side`: of
// case_side(), `size`: of case_size(). Not finite: no direction at all.
template <class T>
double error_of(Quantity quantity, double side, double size, const Result& result, const Truth<T>& truth) {
  if (quantity == Quantity::normal) return angle_to(result.n * side, truth.n);
  if (quantity == Quantity::tangents) {
    const double t = angle_to(result.t, truth.t), b = angle_to(result.b, truth.b);
    return !std::isfinite(t) || t > b ? t : b;
  }
  const Vec3<T> off = Vec3<T>(result.p) - truth.p;
  const Vec3d error(static_cast<double>(off.x), static_cast<double>(off.y), static_cast<double>(off.z));
  return length(error) / size;
}

inline double digits_of(double error) {
  return std::isfinite(error) ? error > 0 ? std::min(-std::log10(error), kMostDigits) : kMostDigits
                              : kMissDigits;
}

// The largest coordinate that any bone moves the vertex to: what positions are measured by.
double case_size(const VertexCase& c);

template <class T>
double digits(Quantity quantity, const VertexCase& c, const Subject& subject, const Result& result,
              const Truth<T>& truth) {
  if (result.miss) return kMissDigits;
  return digits_of(error_of(quantity, case_side(c, subject.mode), case_size(c), result, truth));
}

}  // namespace skinlight::stability
