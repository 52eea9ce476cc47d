// How far results are from the truth: what takes the most of the time that digits take, compiled twice.
#pragma once

#include "skinlight/stability/detail/digits.h"

namespace skinlight::stability {

// What one scalar made of a case.
struct Asked {
  const ScalarRow* scalar;
  std::span<const Result> results;  // #subjects
};

// Cells of a case: [scalar][subject][quantity]
inline constexpr std::size_t kQuantityCount = 3;

// Whether there is such a cell.
bool exists(const Subject& subject, const ScalarRow& scalar, Quantity quantity);

// errors: error_of() for each cell that exists; the others stay as they are.
void errors_baseline(const VertexCase& c, std::span<const Subject> chosen, std::span<const Asked> asked,
                     std::span<double> errors);
// With fused multiply-adds as instructions, where this machine has them; products of pairs of doubles are made of them.
void errors_avx2(const VertexCase& c, std::span<const Subject> chosen, std::span<const Asked> asked,
                 std::span<double> errors);

template <class T>
void errors_over(const VertexCase& c, std::span<const Subject> chosen, std::span<const Asked> asked,
                 std::span<double> errors) {
  const std::vector<Truth<T>> truth = truths<T>(c, chosen);
  const double size = case_size(c);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const double side = case_side(c, chosen[k].mode);
    for (std::size_t a = 0; a < asked.size(); ++a)
      for (std::size_t q = 0; q < kQuantityCount; ++q) {
        const auto quantity = static_cast<Quantity>(q);
        if (exists(chosen[k], *asked[a].scalar, quantity))
          errors[(a * chosen.size() + k) * kQuantityCount + q] =
              error_of(quantity, side, size, asked[a].results[k], truth[k]);
      }
  }
}

}  // namespace skinlight::stability
