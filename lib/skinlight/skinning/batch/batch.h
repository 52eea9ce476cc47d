// Skinning many frames fast on the CPU: skin<float>() for engines and tools, with the same values.
//
//   SkinBatch batch(mesh, factors);  // once
//   PosedBlocks posed;
//   batch.skin(pose, posed);         // per frame; or into a SkinnedMesh<float>, in the file's order
//
// Vertices are sorted by their bones, so that a run of them reads each bone once, and stand in blocks of
// eight, structures of arrays inside, which the kernels of shaders/kernels/ run over lane by lane. The
// instruction set is chosen when the program runs.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "skinlight/core/cpu.h"
#include "skinlight/skinning/block_loop.h"
#include "skinlight/skinning/skin.h"

namespace skinlight {

// Posed vertices in blocks of eight, component by component: posed.n(block)[1][3] is the y of the normal in lane 3. Lanes
// that stand for no vertex repeat one of the block.
struct PosedBlocks {
  struct alignas(kBlockLanes * sizeof(float)) Row {
    float lane[kBlockLanes];
    float operator[](int i) const { return lane[i]; }
  };
  Outputs outputs = Outputs::frame;
  std::vector<Row> rows;  // per block x, y, z of p, n, t, b, as far as asked for

  std::size_t rows_of_block() const { return 3 * static_cast<std::size_t>(outputs); }
  // The rows x, y and z of a block; what was not asked for is not there.
  const Row* p(int block) const { return of(block, 0); }
  const Row* n(int block) const { return of(block, 1); }
  const Row* t(int block) const { return of(block, 2); }
  const Row* b(int block) const { return of(block, 3); }

 private:
  const Row* of(int block, std::size_t which) const {
    return rows.data() + static_cast<std::size_t>(block) * rows_of_block() + 3 * which;
  }
};

// Memory of the caller, in the file's order: #V by 3 each, for all that the options' outputs ask for.
struct PosedArrays {
  float *p = nullptr, *n = nullptr, *t = nullptr, *b = nullptr;
};

// A rigged mesh prepared for one method, normal mode and guard. Copies share what they prepared and may pose
// at the same time; one of them may not.
class SkinBatch {
 public:
  // Copies what it needs. Throws InputError as skin() does for mesh, data, method and mode. set: one of
  // usable_instruction_sets(); all give the same bytes.
  SkinBatch(const RiggedMesh& mesh, const SkinData& data, const SkinOptions& options = {},
            InstructionSet set = best_instruction_set());
  // With a kernel of your own (skin_with.h), or other loops over the table's: loop_of() over packs of any lanes.
  SkinBatch(LoopOf<float> loops, const KernelTraits& traits, const RiggedMesh& mesh, const SkinData& data,
            const SkinOptions& options = {});
  ~SkinBatch();
  SkinBatch(const SkinBatch&);
  SkinBatch& operator=(const SkinBatch&);

  // What skin<float>() computes, every component equal (a zero may have the other sign). `out` keeps its
  // memory: with one thread linear blending allocates nothing from the second pose on; rigid methods allocate
  // for the pose's bones, more threads for the threads. Blocks cost less than the file's order. Throws
  // InputError as skin() does for the pose and the guard.
  void skin(const Pose& pose, PosedBlocks& out);
  void skin(const Pose& pose, SkinnedMesh<float>& out);
  // Throws InputError for an array that is missing too.
  void skin(const Pose& pose, const PosedArrays& out);

  int vertex_count() const;
  // The vertex of the file in each lane of each block, -1 for padding. #blocks by kBlockLanes
  std::span<const int> vertices() const;
  int block_count() const;
  // Runs of blocks whose vertices share their bones, and blocks whose vertices do not.
  int run_count() const;
  // What a pose reads of the mesh at rest.
  std::size_t rest_bytes() const;

 private:
  struct Prepared;
  struct Posing;  // what a pose is turned into, reused
  std::shared_ptr<const Prepared> mesh_;
  std::unique_ptr<Posing> posing_;
};

}  // namespace skinlight
