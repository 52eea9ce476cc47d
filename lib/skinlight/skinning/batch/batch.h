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
#include <string_view>
#include <vector>

#include "skinlight/skinning/skin.h"

namespace skinlight {

enum class InstructionSet {
  portable,  // four lanes, as the compiler makes them for the oldest machine of the kind
  avx2,      // eight
};

// Those that this build has and this machine runs, the fastest last. All give the same bytes.
std::span<const InstructionSet> instruction_sets();
std::string_view name_of(InstructionSet set);

// Eight posed vertices, component by component: n[1][3] is the y of the normal in lane 3. Lanes that stand
// for no vertex repeat one of the block.
struct alignas(64) PosedBlock {
  static constexpr int kLanes = 8;
  float p[3][kLanes], t[3][kLanes], b[3][kLanes], n[3][kLanes];
};
using PosedBlocks = std::vector<PosedBlock>;

// A rigged mesh prepared for one method, normal mode and guard. Copies share what they prepared and may pose
// at the same time; one of them may not.
class SkinBatch {
 public:
  // Copies what it needs. Throws InputError as skin() does for mesh, data, method and mode.
  SkinBatch(const RiggedMesh& mesh, const SkinData& data, const SkinOptions& options = {},
            InstructionSet set = instruction_sets().back());
  ~SkinBatch();
  SkinBatch(const SkinBatch&);
  SkinBatch& operator=(const SkinBatch&);

  // What skin<float>() computes, every component equal (a zero may have the other sign). `out` keeps its
  // memory: with one thread linear blending allocates nothing from the second pose on; rigid methods allocate
  // for the pose's bones, more threads for the threads. Blocks cost less than the file's order. Throws
  // InputError as skin() does for the pose and the guard.
  void skin(const Pose& pose, PosedBlocks& out);
  void skin(const Pose& pose, SkinnedMesh<float>& out);

  int vertex_count() const;
  // The vertex of the file in each lane of each block, -1 for padding. #blocks by PosedBlock::kLanes
  std::span<const int> vertices() const;
  int block_count() const;
  // Runs of blocks whose vertices share their bones.
  int run_count() const;

 private:
  struct Prepared;
  struct Posing;  // what a pose is turned into, reused
  std::shared_ptr<const Prepared> mesh_;
  std::unique_ptr<Posing> posing_;
};

}  // namespace skinlight
