// Morph targets: displacements of the rest vertex, before any skinning method moves it. A target's change of a
// vertex is a RestVertex too.

#ifndef __cplusplus  // which takes them in the order of skinning/kernel_table.h
#include "kernels/vertex.glsl"
#endif

// One more target: call for each with the vertex at rest as the first sum.
RestVertex morph_add(RestVertex sum, RestVertex change, real weight) {
  sum.p = sum.p + change.p * weight;
  sum.n = sum.n + change.n * weight;
  sum.t = sum.t + change.t * weight;
  sum.b = sum.b + change.b * weight;
  return sum;
}

// The normal from tangents that went along: change.t and change.b are the derivatives of change.p along the rest t
// and b, so the sums point along the same curves of the surface, with the length that the morph stretched them to.
// Along the same curves the skinning weights have the same derivatives: deform factors of the rest pose are those of
// every morphed pose. The tangents must stay as they are, neither unit nor orthogonal.
RestVertex morph_carried(RestVertex sum, RestVertex rest, real handedness) {
  sum.n = unit_or(cross(sum.t, sum.b) * handedness, rest.n);
  return sum;
}

// What engines do: change.n and change.t as authored, made unit and orthogonal again; change.b does not matter.
RestVertex morph_authored(RestVertex sum, RestVertex rest, real handedness) {
  sum.n = unit_or(sum.n, rest.n);
  sum.t = unit_or(sum.t - sum.n * dot(sum.n, sum.t), rest.t);
  sum.b = cross(sum.n, sum.t) * handedness;
  return sum;
}
