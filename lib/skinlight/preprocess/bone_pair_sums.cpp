// Eq. 10 turned inside out: pairs of bones outside, vertices and triangles inside.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "skinlight/core/parallel.h"
#include "skinlight/preprocess/bone_pair_kernel.h"
#include "skinlight/preprocess/centre_sums.h"

namespace skinlight {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Distinct (w_j, w_k) per task; a task gathers the triangles of its pair of bones anew, which then costs
// little.
constexpr int kRowsPerTask = 256;
constexpr int kTasksPerBatch = 4096;
constexpr double kLog2e = 0x1.71547652b82fep+0;

SumPairSources kernel_of(InstructionSet set) {
  return set == InstructionSet::avx2 ? sum_pair_sources_avx2 : sum_pair_sources;
}

// All targets' pairs, sorted by bones, then by weights; equal ones are one row.
class Rows {
 public:
  explicit Rows(const CentreTargets& targets) : pairs_(targets.pairs), sorted_(targets.pairs.size()) {
    for (std::size_t i = 0; i < sorted_.size(); ++i) sorted_[i] = static_cast<int>(i);
    const auto key = [&](int i) {
      const BonePair& p = pairs_[at(i)];
      return std::tie(p.j, p.k, p.w_j, p.w_k);
    };
    std::sort(sorted_.begin(), sorted_.end(), [&](int a, int b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < sorted_.size(); ++i) {
      if (i > 0 && key(sorted_[i]) == key(sorted_[i - 1])) continue;
      const std::pair<int, int> bones = {pairs_[at(sorted_[i])].j, pairs_[at(sorted_[i])].k};
      if (bones_.empty() || bones_.back() != bones) {
        bones_.push_back(bones);
        first_row_.push_back(count());
      }
      start_.push_back(static_cast<int>(i));
    }
    first_row_.push_back(count());
    start_.push_back(static_cast<int>(sorted_.size()));
  }

  int pair_count() const { return static_cast<int>(bones_.size()); }
  std::pair<int, int> bones(int pair) const { return bones_[at(pair)]; }
  int begin(int pair) const { return first_row_[at(pair)]; }
  int end(int pair) const { return first_row_[at(pair) + 1]; }
  const BonePair& row(int r) const { return pairs_[at(sorted_[at(start_[at(r)])])]; }
  // The entries of CentreTargets::pairs that are row r.
  std::span<const int> entries(int r) const {
    return {sorted_.data() + start_[at(r)], at(start_[at(r) + 1] - start_[at(r)])};
  }
  // -1: no target has these two bones.
  int find(int j, int k) const {
    const auto found = std::lower_bound(bones_.begin(), bones_.end(), std::pair{j, k});
    return found != bones_.end() && *found == std::pair{j, k} ? static_cast<int>(found - bones_.begin()) : -1;
  }

 private:
  int count() const { return static_cast<int>(start_.size()); }  // while the rows are being made

  const std::vector<BonePair>& pairs_;
  std::vector<int> sorted_;                 // of pairs_
  std::vector<int> start_;                  // #rows + 1, in sorted_
  std::vector<std::pair<int, int>> bones_;  // #pairs of bones, ascending
  std::vector<int> first_row_;              // #pairs of bones + 1
};

// Which triangles have both bones of a pair, ascending.
class Buckets {
 public:
  Buckets(const WeightedTriangles& triangles, const Rows& rows) : offset_(at(rows.pair_count()) + 1, 0) {
    const auto each = [&](auto&& put) {
      for (int t = 0; t < triangles.count(); ++t) {
        if (triangles.area[at(t)] == 0) continue;
        const auto bones = triangles.weights.bones(t);
        for (std::size_t j = 0; j < bones.size(); ++j)
          for (std::size_t k = j + 1; k < bones.size(); ++k)
            if (const int pair = rows.find(bones[j], bones[k]); pair >= 0) put(pair, t);
      }
    };
    each([&](int pair, int) { ++offset_[at(pair) + 1]; });
    for (std::size_t i = 1; i < offset_.size(); ++i) offset_[i] += offset_[i - 1];
    triangle_.resize(offset_.back());
    std::vector<std::size_t> next(offset_.begin(), offset_.end() - 1);
    each([&](int pair, int t) { triangle_[next[at(pair)]++] = t; });
  }
  std::span<const int> of(int pair) const {
    return {triangle_.data() + offset_[at(pair)], offset_[at(pair) + 1] - offset_[at(pair)]};
  }

 private:
  std::vector<std::size_t> offset_;  // #pairs + 1
  std::vector<int> triangle_;
};

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

std::vector<Task> tasks_of(const Rows& rows) {
  std::vector<Task> tasks;
  for (int pair = 0; pair < rows.pair_count(); ++pair)
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
  const Rows rows(targets);
  const Buckets buckets(triangles, rows);
  const std::vector<Task> tasks = tasks_of(rows);
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
          sum_rows(gather(triangles, buckets.of(task.pair), rows.bones(task.pair), options.sigma), rows, task,
                   kernel, of_rows[at(i)].data());
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
