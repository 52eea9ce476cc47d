// The rows of blocks at rest, gathered from the arrays of the mesh and of what preprocessing made.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "skinlight/skinning/block_loop.h"
#include "skinlight/skinning/detail/requirements.h"
#include "skinlight/skinning/vertex_centre.h"

namespace skinlight {

// Where a row takes its numbers from: first[stride * vertex], or, of a quantity per slot, first[stride * (slots * vertex +
// slot)].
struct RowSource {
  const double* first = nullptr;
  int stride = 0;
  int slot = -1;

  friend bool operator<(RowSource, RowSource) { return false; }  // a scalar of Kernels has one
};

class RestRows {
 public:
  // Refers to all three. They belong together and are complete: requirements.h.
  RestRows(const RiggedMesh& mesh, const SkinData& data, const KernelTraits& traits);

  const VertexSlots& slots() const { return slots_; }
  std::size_t at(int vertex, int slot) const { return slots_.at(vertex, slot); }

  // The rows of kernels of that many slots, in the order of visit_rows().
  std::vector<RowSource> rows(int kernel_slots) const;

  // Says which entries of the arrays a lane of a block takes: those of the vertex, and per slot of the kernel those of the
  // vertex's own slot, or none (-1): everything 0. lane: kBlockLanes entries apart.
  void place(int vertex, std::span<const int> own, std::ptrdiff_t* lane) const {
    *lane = vertex;
    for (const int slot : own) {
      lane += kBlockLanes;
      *lane = slot < 0 ? -1 : static_cast<std::ptrdiff_t>(at(vertex, slot));
    }
  }

  // The rows of a block whose lanes have all been placed.
  template <class Real>
  static void write(const std::vector<RowSource>& rows, const std::ptrdiff_t* places, Real* block) {
    for (const RowSource& row : rows) {
      const std::ptrdiff_t* at = places + (row.slot + 1) * kBlockLanes;
      for (int lane = 0; lane < kBlockLanes; ++lane)
        *block++ = at[lane] < 0 ? Real(0) : static_cast<Real>(row.first[row.stride * at[lane]]);
    }
  }

  // Whether the slot adds nothing that the kernel reads, whatever its bone.
  bool is_unused(int vertex, int slot) const;

 private:
  const RiggedMesh& mesh_;
  const SkinData& data_;
  KernelTraits traits_;
  VertexSlots slots_;
  std::vector<VertexCentre> centres_;
  // Per frame what it changes the weights by: #V by slots.
  std::vector<double> offsets_[Kernels<float, 1>::FRAMES];
  std::vector<RowSource> per_slot_;
};

}  // namespace skinlight
