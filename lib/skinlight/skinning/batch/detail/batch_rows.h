// The rows of a block at rest, in one place for who writes and who reads them. Internal to this room.
#pragma once

#include "skinlight/skinning/detail/skin_modes.h"

namespace skinlight {

// What a method and mode read of a vertex besides the rest frame and the weights.
struct BatchReads {
  bool factors, factors_of_slot_0, gradients, smooth, vectors, centre, centre_derivatives, handedness;
};

template <class K>
constexpr BatchReads batch_reads(Method method, NormalMode mode) {
  const bool standard = mode == NormalMode::standard;
  const bool cofactors = mode == NormalMode::inverse_transpose || mode == NormalMode::cofactors;
  BatchReads reads = {};
  reads.vectors = mode == NormalMode::deform_vectors;
  reads.gradients = cofactors || mode == NormalMode::tangent_pair;
  reads.factors = !standard && !reads.gradients && !reads.vectors;
  reads.factors_of_slot_0 = mode == NormalMode::deform_naive;
  reads.smooth = mode == NormalMode::smoothed;
  reads.centre = method == Method::crs;
  reads.centre_derivatives = reads.centre && !standard && mode != NormalMode::exact_fixed_centre;
  reads.handedness = !standard && !cofactors;
  return reads;
}

template <class Vec, class Visit>
void visit_vector(Vec& v, Visit& visit) {
  visit(v.x);
  visit(v.y);
  visit(v.z);
}

// Calls visit(scalar) for every scalar of `in`, and for the handedness, that has a row, in the order of the
// rows.
template <class K, template <class> class Input, class Visit>
void visit_rows(Input<K>& in, typename K::real& handedness, Method method, NormalMode mode, Visit visit) {
  const BatchReads reads = batch_reads<K>(method, mode);
  visit_vector(in.rest.p, visit);
  visit_vector(in.rest.n, visit);
  visit_vector(in.rest.t, visit);
  visit_vector(in.rest.b, visit);
  for (int s = 0; s < K::INFLUENCES; ++s) visit(in.x.w[s]);
  if (reads.factors)
    for (int s = reads.factors_of_slot_0 ? 0 : 1; s < K::INFLUENCES; ++s) {
      visit(in.f.alpha[s]);
      visit(in.f.beta[s]);
    }
  if (reads.smooth)
    for (int s = 1; s < K::INFLUENCES; ++s) visit(in.averaged.w[s]);
  if constexpr (requires { in.g; }) {
    if (reads.gradients)
      for (int s = 0; s < K::INFLUENCES; ++s) visit_vector(in.g.a[s], visit);
    if (reads.vectors)
      for (int s = 1; s < K::INFLUENCES; ++s) {
        visit_vector(in.tau.t[s], visit);
        visit_vector(in.tau.b[s], visit);
        visit(in.tau.alpha[s]);
        visit(in.tau.beta[s]);
      }
  }
  if constexpr (requires { in.centre; }) {
    if (reads.centre) visit_vector(in.centre.c, visit);
    if (reads.centre_derivatives) {
      visit_vector(in.centre.along_t, visit);
      visit_vector(in.centre.along_b, visit);
    }
  }
  if (reads.handedness) visit(handedness);
}

}  // namespace skinlight
