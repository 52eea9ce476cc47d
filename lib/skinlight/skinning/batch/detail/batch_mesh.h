// A mesh at rest as SkinBatch keeps it.
#pragma once

#include <span>
#include <vector>

#include "skinlight/skinning/block_loop.h"
#include "skinlight/skinning/detail/rest_rows.h"

namespace skinlight {

struct alignas(kBlockLanes * sizeof(float)) BatchRow {
  float lane[kBlockLanes];
};

struct BatchMesh {
  std::vector<BlockRun> runs;
  std::vector<int> bone;       // see BlockRun::bones
  std::vector<BatchRow> rest;  // rows of visit_rows(); what is padding repeats a vertex of its block
  std::vector<int> vertex;     // #blocks by kBlockLanes; -1: padding, the last lanes of a block

  int block_count() const { return static_cast<int>(vertex.size()) / kBlockLanes; }
};

// Sorts the vertices into runs that share their bones, slot by slot, so that sums keep the order of skin(). What is left of
// a run after its full blocks gets a block of its own, or, where that would be mostly padding, goes into blocks whose lanes
// have their own bones. set_of_vertex: #V, of CentreKind::of_bone_set, else empty. Slots that carry nothing the kernel reads are
// dropped, so a run's kernels are those of the slots in use. Throws InputError where more slots are used than kernels have.
BatchMesh batch_mesh(int vertex_count, const RestRows& rest, std::span<const int> set_of_vertex);

}  // namespace skinlight
