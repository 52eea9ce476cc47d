// Eq. 10 turned inside out: pairs of bones outside, vertices and triangles inside.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "skinlight/core/detail/at.h"
#include "skinlight/core/parallel.h"
#include "skinlight/preprocess/centres/centre_sums.h"
#include "skinlight/preprocess/centres/detail/bone_pair_kernel.h"

namespace skinlight {

namespace {

// Distinct (w_j, w_k) per task; a task gathers the triangles of its pair of bones anew, which then costs
// little.
constexpr int kRowsPerTask = 256;
constexpr int kTasksPerBatch = 4096;
constexpr double kLog2e = 0x1.71547652b82fep+0;

SumPairSources kernel_of(InstructionSet set) {
  return set == InstructionSet::avx2 ? sum_pair_sources_avx2 : sum_pair_sources;
}

// Numbers the pairs of bones that targets have, ascending: a hash table, for there are far more questions
// than pairs.
class PairTable {
 public:
  explicit PairTable(const CentreTargets& targets) : slots_(kSmallest, kEmpty) {
    for (const BonePair& pair : targets.pairs) insert(key_of(pair.j, pair.k));
    std::sort(keys_.begin(), keys_.end());
    fill();
  }

  int count() const { return static_cast<int>(keys_.size()); }
  std::pair<int, int> bones(int pair) const {
    return {static_cast<int>(keys_[at(pair)] >> 32), static_cast<int>(keys_[at(pair)] & 0xffffffff)};
  }
  // -1: no target has these two bones.
  int find(int j, int k) const { return slots_[slot_of(key_of(j, k))]; }

 private:
  static constexpr std::size_t kSmallest = 256;  // slots: a power of two, as all sizes
  static constexpr int kEmpty = -1;

  static std::uint64_t key_of(int j, int k) {
    return static_cast<std::uint64_t>(j) << 32 | static_cast<std::uint64_t>(k);
  }
  // The key's slot, or the empty one that it would take.
  std::size_t slot_of(std::uint64_t key) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t i = (key * 0x9e3779b97f4a7c15u) >> 32 & last;  // 2^64 over the golden ratio
    while (slots_[i] != kEmpty && keys_[at(slots_[i])] != key) i = (i + 1) & last;
    return i;
  }
  void insert(std::uint64_t key) {
    int& slot = slots_[slot_of(key)];
    if (slot != kEmpty) return;
    slot = count();
    keys_.push_back(key);
    if (2 * keys_.size() < slots_.size()) return;
    slots_.resize(2 * slots_.size());
    fill();
  }
  void fill() {
    std::fill(slots_.begin(), slots_.end(), kEmpty);
    for (int i = 0; i < count(); ++i) slots_[slot_of(keys_[at(i)])] = i;
  }

  std::vector<std::uint64_t> keys_;
  std::vector<int> slots_;  // into keys_
};

// Lists of integers, one per pair of bones.
struct PairLists {
  std::vector<std::size_t> offset;  // #pairs + 1
  std::vector<int> entry;

  std::span<int> of(int pair) { return {entry.data() + offset[at(pair)], size(pair)}; }
  std::span<const int> of(int pair) const { return {entry.data() + offset[at(pair)], size(pair)}; }

 private:
  std::size_t size(int pair) const { return offset[at(pair) + 1] - offset[at(pair)]; }
};

// each(put) calls put(pair, entry) for all entries, twice the same; lists keep that order.
template <class Each>
PairLists lists_of(int pairs, Each each) {
  PairLists lists;
  lists.offset.assign(at(pairs) + 2, 0);
  each([&](int pair, int) { ++lists.offset[at(pair) + 2]; });
  for (std::size_t i = 2; i < lists.offset.size(); ++i) lists.offset[i] += lists.offset[i - 1];
  lists.entry.resize(lists.offset.back());
  each([&](int pair, int entry) { lists.entry[lists.offset[at(pair) + 1]++] = entry; });
  lists.offset.pop_back();
  return lists;
}

// All targets' pairs by bones, then by weights; equal ones are one row.
class Rows {
 public:
  Rows(const CentreTargets& targets, const PairTable& table, int threads)
      : pairs_(targets.pairs), sorted_(lists_of(table.count(), [&](auto put) {
          for (std::size_t i = 0; i < pairs_.size(); ++i)
            put(table.find(pairs_[i].j, pairs_[i].k), static_cast<int>(i));
        })) {
    parallel_tasks(table.count(), threads, [&](int pair) { sort(sorted_.of(pair)); });
    first_row_.reserve(at(table.count()) + 1);
    for (int pair = 0; pair < table.count(); ++pair) {
      first_row_.push_back(static_cast<int>(start_.size()));
      for (std::size_t i = sorted_.offset[at(pair)]; i < sorted_.offset[at(pair) + 1]; ++i)
        if (i == sorted_.offset[at(pair)] || !same_weights(sorted_.entry[i - 1], sorted_.entry[i]))
          start_.push_back(static_cast<int>(i));
    }
    first_row_.push_back(static_cast<int>(start_.size()));
    start_.push_back(static_cast<int>(sorted_.entry.size()));
  }

  int begin(int pair) const { return first_row_[at(pair)]; }
  int end(int pair) const { return first_row_[at(pair) + 1]; }
  const BonePair& row(int r) const { return pairs_[at(sorted_.entry[at(start_[at(r)])])]; }
  // The entries of CentreTargets::pairs that are row r.
  std::span<const int> entries(int r) const {
    return {sorted_.entry.data() + start_[at(r)], at(start_[at(r) + 1] - start_[at(r)])};
  }

 private:
  bool same_weights(int a, int b) const {
    return pairs_[at(a)].w_j == pairs_[at(b)].w_j && pairs_[at(a)].w_k == pairs_[at(b)].w_k;
  }
  // Beside their weights: half of the time that sorting through the indices takes.
  void sort(std::span<int> entries) const {
    struct Keyed {
      double w_j, w_k;
      int entry;
    };
    std::vector<Keyed> keyed;
    keyed.reserve(entries.size());
    for (const int i : entries) keyed.push_back({pairs_[at(i)].w_j, pairs_[at(i)].w_k, i});
    std::sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) {
      return std::tie(a.w_j, a.w_k, a.entry) < std::tie(b.w_j, b.w_k, b.entry);
    });
    std::transform(keyed.begin(), keyed.end(), entries.begin(), [](const Keyed& k) { return k.entry; });
  }

  const std::vector<BonePair>& pairs_;
  PairLists sorted_;            // entries of pairs_
  std::vector<int> start_;      // #rows + 1, in sorted_.entry
  std::vector<int> first_row_;  // #pairs of bones + 1
};

// Which triangles have both bones of a pair, ascending.
PairLists triangles_of_pairs(const WeightedTriangles& triangles, const PairTable& table) {
  return lists_of(table.count(), [&](auto put) {
    for (int t = 0; t < triangles.count(); ++t) {
      if (triangles.area[at(t)] == 0) continue;
      const auto bones = triangles.weights.bones(t);
      for (std::size_t j = 0; j < bones.size(); ++j)
        for (std::size_t k = j + 1; k < bones.size(); ++k)
          if (const int pair = table.find(bones[j], bones[k]); pair >= 0) put(pair, t);
    }
  });
}

double weight_of(const WeightVectors& w, int i, int bone) {
  const auto bones = w.bones(i);
  const auto found = std::lower_bound(bones.begin(), bones.end(), bone);
  return w.weights(i)[static_cast<std::size_t>(found - bones.begin())];
}

std::vector<PairSource> gather(const WeightedTriangles& triangles, std::span<const int> bucket,
                               std::pair<int, int> bones, double sigma) {
  const double scale = std::sqrt(kLog2e) / sigma;
  std::vector<PairSource> sources;
  sources.reserve(bucket.size());
  for (const int t : bucket) {
    const double j = weight_of(triangles.weights, t, bones.first),
                 k = weight_of(triangles.weights, t, bones.second);
    const double mass = triangles.area[at(t)] * j * k;
    const Vec3d moment = triangles.centroid[at(t)] * mass;
    sources.push_back({j * scale, k * scale, mass, moment.x, moment.y, moment.z});
  }
  return sources;
}

struct Task {
  int pair, begin, end;  // rows
};

std::vector<Task> tasks_of(const Rows& rows, int pairs) {
  std::vector<Task> tasks;
  for (int pair = 0; pair < pairs; ++pair)
    for (int begin = rows.begin(pair); begin < rows.end(pair); begin += kRowsPerTask)
      tasks.push_back({pair, begin, std::min(begin + kRowsPerTask, rows.end(pair))});
  return tasks;
}

// Sums of the task's rows, into sums[0 ..]; the last block may be empty in part.
void sum_rows(const std::vector<PairSource>& sources, const Rows& rows, const Task& task,
              SumPairSources kernel, CentreSum* sums) {
  for (int first = task.begin; first < task.end; first += kRowsPerBlock) {
    RowBlock block{};
    const int count = std::min(kRowsPerBlock, task.end - first);
    for (int l = 0; l < count; ++l) {
      block.w_j[l] = rows.row(first + l).w_j;
      block.w_k[l] = rows.row(first + l).w_k;
    }
    kernel(sources.data(), static_cast<long>(sources.size()), kLargestExponent * kLog2e, block);
    for (int l = 0; l < count; ++l)
      sums[first - task.begin + l] = {block.mass[l], Vec3d(block.x[l], block.y[l], block.z[l])};
  }
}

// Which target each entry of CentreTargets::pairs belongs to.
std::vector<int> targets_of_pairs(const CentreTargets& targets) {
  std::vector<int> target(targets.pairs.size());
  for (int i = 0; i < targets.count(); ++i)
    for (int p = targets.offset[at(i)]; p < targets.offset[at(i) + 1]; ++p) target[at(p)] = i;
  return target;
}

}  // namespace

std::vector<CentreSum> sum_by_bone_pairs(const WeightedTriangles& triangles, const CentreTargets& targets,
                                         const SumOptions& options) {
  const SumPairSources kernel = kernel_of(options.instructions);
  const PairTable table(targets);
  const Rows rows(targets, table, options.threads);
  const PairLists of_pairs = triangles_of_pairs(triangles, table);
  const std::vector<Task> tasks = tasks_of(rows, table.count());
  const std::vector<int> target = targets_of_pairs(targets);
  const int count = static_cast<int>(tasks.size());
  std::vector<CentreSum> sums(at(targets.count()));
  std::vector<std::vector<CentreSum>> of_rows(at(std::min(count, kTasksPerBatch)));
  // In batches, so that the sums of all rows need not be kept: those of a batch are added to the targets' in
  // the order of the rows, whichever thread they come from.
  for (int first = 0; first < count; first += kTasksPerBatch) {
    const int batch = std::min(kTasksPerBatch, count - first);
    parallel_tasks(
        batch, options.threads,
        [&](int i) {
          const Task& task = tasks[at(first + i)];
          of_rows[at(i)].resize(at(task.end - task.begin));
          sum_rows(gather(triangles, of_pairs.of(task.pair), table.bones(task.pair), options.sigma), rows,
                   task, kernel, of_rows[at(i)].data());
        },
        options.progress ? [&](double share) { options.progress((first + share * batch) / count); }
                         : std::function<void(double)>());
    for (int i = 0; i < batch; ++i)
      for (int row = tasks[at(first + i)].begin; row < tasks[at(first + i)].end; ++row)
        for (const int entry : rows.entries(row)) {
          const CentreSum& of_row = of_rows[at(i)][at(row - tasks[at(first + i)].begin)];
          const double twice = 2 * targets.pairs[at(entry)].product;  // (j, k) and (k, j)
          sums[at(target[at(entry)])].weight += twice * of_row.weight;
          sums[at(target[at(entry)])].first += of_row.first * twice;
        }
  }
  return sums;
}

}  // namespace skinlight
