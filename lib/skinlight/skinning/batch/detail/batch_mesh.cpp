#include "skinlight/skinning/batch/detail/batch_mesh.h"

#include <algorithm>
#include <map>
#include <utility>

#include "skinlight/skinning/batch/detail/batch_rows.h"
#include "skinlight/skinning/detail/skin_range.h"
#include "skinlight/skinning/vertex_centre.h"

namespace skinlight {

namespace {

// The columns that are read.
std::vector<Quantity> columns_read(const BatchReads& reads) {
  std::vector<Quantity> columns;
  if (reads.factors || reads.vectors) columns = {Quantity::alpha, Quantity::beta};
  if (reads.smooth) columns.push_back(Quantity::smooth_weight);
  if (reads.gradients) columns.push_back(Quantity::gradient);
  if (reads.vectors) columns.insert(columns.end(), {Quantity::along_t, Quantity::along_b});
  return columns;
}

void swap_slots(NormalRecord& record, std::size_t i, std::size_t j) {
  std::swap(record.bone[i], record.bone[j]);
  std::swap(record.weight[i], record.weight[j]);
  for (const ColumnRow& column : kColumns)
    visit_column(record, column.quantity, [&](auto& values) {
      if (!values.empty()) std::swap(values[i], values[j]);
    });
}

// Moves the slots in use to the front, in their order, and returns their bones. Slot 0 always stays.
std::vector<int> compact(NormalRecord& factors, int vertex, std::span<const Quantity> columns) {
  std::vector<int> bones;
  for (int s = 0; s < factors.slots; ++s) {
    const std::size_t i = factors.at(vertex, s);
    if (s > 0 && is_unused(factors, i, columns)) continue;
    swap_slots(factors, i, factors.at(vertex, static_cast<int>(bones.size())));
    bones.push_back(factors.bone[factors.at(vertex, static_cast<int>(bones.size()))]);
  }
  return bones;
}

// What the vertices of a run have in common, in the order of the runs: their set and their bones in the order
// of the slots, so that sums keep the order of skin().
using RunKey = std::pair<int, std::vector<int>>;

// The vertices as blocks at the end of `out`, for kernels of K::INFLUENCES slots. The factors are compact.
template <class K, template <class> class Input>
void write_blocks(const RiggedMesh& mesh, const SkinData& data, const SkinOptions& options,
                  const NormalRecord& factors, const std::vector<int>& vertices, BatchMesh& out) {
  Input<K> in{};
  float handedness = 0;
  std::size_t rows = 0;
  visit_rows(in, handedness, options.method, options.mode, [&](float&) { ++rows; });
  for (std::size_t i = 0; i % kBlockLanes != 0 || i < vertices.size(); ++i) {
    const std::size_t lane = i % kBlockLanes;
    const bool padding = i >= vertices.size();
    const int v = padding ? vertices.back() : vertices[i];
    out.vertex.push_back(padding ? -1 : v);
    if (lane == 0) out.rest.resize(out.rest.size() + rows);
    in.rest = rest_vertex<K>(mesh, v);
    read_slots(in, factors, v);
    if constexpr (requires { in.centre; })
      if (options.method == Method::crs) in.centre = kernel_centre<K>(mesh, *data.centres, v);
    handedness = static_cast<float>(mesh.handedness[static_cast<std::size_t>(v)]);
    BatchRow* row = out.rest.data() + out.rest.size() - rows;
    visit_rows(in, handedness, options.method, options.mode,
               [&](float& value) { (row++)->lane[lane] = value; });
  }
}

BatchMesh sorted(const RiggedMesh& mesh, const SkinData& data, const SkinOptions& options,
                 NormalRecord factors, std::span<const int> set_of_vertex) {
  const std::vector<Quantity> columns =
      columns_read(batch_reads<Kernels<float, 1>>(options.method, options.mode));
  std::map<RunKey, std::vector<int>> vertices;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const int set = set_of_vertex.empty() ? 0 : set_of_vertex[static_cast<std::size_t>(v)];
    vertices[{set, compact(factors, v, columns)}].push_back(v);
  }
  BatchMesh out;
  for (const auto& entry : vertices) {
    const auto& [set, bones] = entry.first;
    const std::vector<int>& of_run = entry.second;
    BatchRun run;
    run.begin = out.block_count();
    run.rest = out.rest.size() * kBlockLanes;
    run.bones = out.bone.size();
    run.slots = kernel_slots(static_cast<int>(bones.size()));
    run.set = set;
    for (std::size_t s = 0; s < static_cast<std::size_t>(run.slots); ++s)
      out.bone.push_back(s < bones.size() ? bones[s] : bones[0]);
    with_kernels<float>(run.slots, [&]<class K>(K) {
      if (options.method == Method::lbs)
        write_blocks<K, LbsInput>(mesh, data, options, factors, of_run, out);
      else
        write_blocks<K, RigidInput>(mesh, data, options, factors, of_run, out);
    });
    run.end = out.block_count();
    out.runs.push_back(run);
  }
  return out;
}

}  // namespace

BatchMesh batch_mesh(const RiggedMesh& mesh, const SkinData& data, const SkinOptions& options,
                     std::span<const int> set_of_vertex) {
  if (options.method == Method::crs) require_centres(mesh, data.centres);
  if (options.mode == NormalMode::deform_vectors)
    return sorted(mesh, data, options, *data.vectors, set_of_vertex);
  return sorted(mesh, data, options, data.factors, set_of_vertex);
}

}  // namespace skinlight
