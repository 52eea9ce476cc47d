// A mesh at rest as SkinBatch keeps it. Internal to this room.
#pragma once

#include <span>
#include <vector>

#include "skinlight/skinning/batch/detail/batch_blocks.h"
#include "skinlight/skinning/skin.h"

namespace skinlight {

struct alignas(kBlockLanes * sizeof(float)) BatchRow {
  float lane[kBlockLanes];
};

struct BatchMesh {
  std::vector<BatchRun> runs;
  std::vector<int> bone;       // per run and slot of its kernels
  std::vector<BatchRow> rest;  // rows of batch_rows.h; what is padding repeats a vertex of its block
  std::vector<int> vertex;     // #blocks by kBlockLanes; -1: padding, at the end of a run's last block

  int block_count() const { return static_cast<int>(vertex.size()) / kBlockLanes; }
};

// Sorts the vertices into runs. set_of_vertex: #V, what must not differ within a run besides; may be empty.
// Slots that carry nothing the mode reads are dropped, so a run's kernels are those of the slots in use.
// Throws InputError where CRS finds no centres or more slots are used than kernels have.
BatchMesh batch_mesh(const RiggedMesh& mesh, const SkinData& data, const SkinOptions& options,
                     std::span<const int> set_of_vertex);

}  // namespace skinlight
