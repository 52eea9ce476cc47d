// How many bones a vertex may read, and what is lost when its one-ring has more.
#pragma once

namespace skinlight {

// More slots than this are never kept; rigs whose one-rings touch more bones lose the least important.
inline constexpr int kMaxSlots = 16;

// As max_slots of the options: every bone that a one-ring touches, up to kMaxSlots.
inline constexpr int kAllSlots = 0;

// What did not fit into the slots [TPS14 Sec. 3.2]: bones outside a vertex's own set of the smallest size.
// The size is |a|, per unit of length, for deform factors; for deform vectors see deform_vectors.h.
struct Overflow {
  int vertices = 0;          // surface vertices that lost at least one bone
  int bones = 0;             // bones lost, over all vertices
  double largest = 0;        // the largest size lost
  double largest_share = 0;  // the largest ratio of a size lost to the largest size of its vertex
  int worst_vertex = -1;     // file vertex of largest_share
};

}  // namespace skinlight
