#include "skinlight/skinning/batch/detail/batch_mesh.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

#include "skinlight/skinning/skin.h"

namespace skinlight {

namespace {

// What is left of a run with fewer vertices than this does without a block of its own: loading bones lane by lane costs about
// as much as posing a block, so half a block.
constexpr std::size_t kOwnBlock = 5;

class Blocks {
 public:
  Blocks(const RestRows& rest, std::span<const int> set_of_vertex)
      : rest_(rest), set_of_vertex_(set_of_vertex) {}

  // A vertex by its set and its bones in the order of its slots, without those that add nothing. Slot 0 always stays.
  std::vector<int> key(int vertex) {
    used_slots(vertex);
    std::vector<int> key{set_of(vertex)};
    for (const int slot : used_) key.push_back(rest_.slots().bone[rest_.at(vertex, slot)]);
    return key;
  }

  // Vertices of one key.
  void append_run(const std::vector<int>& key, std::span<const int> vertices) {
    const std::span<const int> bones = std::span(key).subspan(1);
    BlockRun& run = begin_run(static_cast<int>(bones.size()), false);
    for (std::size_t s = 0; s < static_cast<std::size_t>(run.slots); ++s)
      out_.bone.push_back(s < bones.size() ? bones[s] : bones[0]);
    out_.bone.push_back(key[0]);
    for (std::size_t i = 0; i < vertices.size(); i += kBlockLanes)
      append_block(vertices.subspan(i, std::min<std::size_t>(kBlockLanes, vertices.size() - i)), run.slots);
    run.end = out_.block_count();
  }

  // Up to a block of vertices of any keys.
  void append_mixed(int slots, std::span<const int> vertices) {
    BlockRun& run = begin_run(slots, true);
    const auto count = static_cast<std::size_t>(run.slots);
    out_.bone.resize(run.bones + (count + 1) * kBlockLanes);
    for (std::size_t lane = 0; lane < kBlockLanes; ++lane) {
      const int vertex = vertices[std::min(lane, vertices.size() - 1)];
      used_slots(vertex);
      for (std::size_t s = 0; s < count; ++s)
        out_.bone[run.bones + s * kBlockLanes + lane] =
            rest_.slots().bone[rest_.at(vertex, used_[s < used_.size() ? s : 0])];
      out_.bone[run.bones + count * kBlockLanes + lane] = set_of(vertex);
    }
    append_block(vertices, run.slots);
    run.end = out_.block_count();
  }

  BatchMesh finished() && { return std::move(out_); }

 private:
  int set_of(int vertex) const {
    return set_of_vertex_.empty() ? 0 : set_of_vertex_[static_cast<std::size_t>(vertex)];
  }

  void used_slots(int vertex) {
    used_.assign(1, 0);
    for (int s = 1; s < rest_.slots().slots; ++s)
      if (!rest_.is_unused(vertex, s)) used_.push_back(s);
  }

  BlockRun& begin_run(int slots, bool mixed) {
    const int begin = out_.block_count();
    return out_.runs.emplace_back(
        BlockRun{begin, begin, out_.rest.size() * kBlockLanes, out_.bone.size(), kernel_slots(slots), mixed});
  }

  void append_block(std::span<const int> vertices, int slots) {
    std::vector<RowSource>& rows = rows_[slots];
    if (rows.empty()) rows = rest_.rows(slots);
    out_.rest.resize(out_.rest.size() + rows.size());
    places_.resize(static_cast<std::size_t>(slots + 1) * kBlockLanes);
    float* block = out_.rest[out_.rest.size() - rows.size()].lane;
    for (std::size_t lane = 0; lane < kBlockLanes; ++lane) {
      const bool padding = lane >= vertices.size();
      const int vertex = vertices[padding ? vertices.size() - 1 : lane];
      out_.vertex.push_back(padding ? -1 : vertex);
      used_slots(vertex);
      used_.resize(static_cast<std::size_t>(slots), -1);
      rest_.place(vertex, used_, places_.data() + lane);
    }
    RestRows::write(rows, places_.data(), block);
  }

  const RestRows& rest_;
  std::span<const int> set_of_vertex_;
  std::map<int, std::vector<RowSource>> rows_;  // by slots of the kernel
  std::vector<int> used_;                       // slots of the vertex at hand
  std::vector<std::ptrdiff_t> places_;          // of the lanes of the block at hand
  BatchMesh out_;
};

}  // namespace

BatchMesh batch_mesh(int vertex_count, const RestRows& rest, std::span<const int> set_of_vertex) {
  Blocks blocks(rest, set_of_vertex);
  std::map<std::vector<int>, std::vector<int>> runs;
  for (int v = 0; v < vertex_count; ++v) runs[blocks.key(v)].push_back(v);
  std::map<int, std::vector<int>> left;  // by slots of the kernel
  for (auto& [key, vertices] : runs) {
    const std::size_t tail = vertices.size() % kBlockLanes,
                      own = tail < kOwnBlock ? vertices.size() - tail : vertices.size();
    if (own > 0) blocks.append_run(key, std::span(vertices).first(own));
    std::vector<int>& to = left[kernel_slots(static_cast<int>(key.size()) - 1)];
    to.insert(to.end(), vertices.begin() + static_cast<std::ptrdiff_t>(own), vertices.end());
  }
  for (auto slots = left.begin(); slots != left.end(); ++slots) {
    std::vector<int>& vertices = slots->second;
    const std::size_t whole = vertices.size() - vertices.size() % kBlockLanes;
    for (std::size_t i = 0; i < whole; i += kBlockLanes)
      blocks.append_mixed(slots->first, std::span(vertices).subspan(i, kBlockLanes));
    // The rest fits into blocks of more slots, where there are any.
    const std::span<const int> last = std::span(vertices).subspan(whole);
    if (const auto next = std::next(slots); next != left.end() && !next->second.empty())
      next->second.insert(next->second.end(), last.begin(), last.end());
    else if (!last.empty())
      blocks.append_mixed(slots->first, last);
  }
  return std::move(blocks).finished();
}

}  // namespace skinlight
