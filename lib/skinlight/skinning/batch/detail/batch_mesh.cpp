#include "skinlight/skinning/batch/detail/batch_mesh.h"

#include <algorithm>
#include <map>
#include <type_traits>
#include <utility>

#include "skinlight/skinning/batch/detail/batch_rows.h"
#include "skinlight/skinning/detail/skin_range.h"
#include "skinlight/skinning/vertex_centre.h"

namespace skinlight {

namespace {

bool is_zero(Vec3d v) { return v == Vec3d(0.0); }

// Whether the entry i of the arrays adds nothing: a slot that holds only zeros, whatever its bone.
bool is_unused(const DeformFactors& f, std::size_t i, const BatchReads& reads) {
  return f.weight[i] == 0 && !(reads.factors && (f.alpha[i] != 0 || f.beta[i] != 0)) &&
         !(reads.smooth && f.smooth_weight[i] != 0) && !(reads.gradients && !is_zero(f.gradient[i]));
}

bool is_unused(const DeformVectors& d, std::size_t i, const BatchReads&) {
  const auto none = [](const DeformVector& v) { return v.w == 0 && is_zero(v.v); };
  return d.weight[i] == 0 && none(d.along_t[i]) && none(d.along_b[i]);
}

template <class T>
void swap_entries(std::vector<T>& values, std::size_t i, std::size_t j) {
  if (!values.empty()) std::swap(values[i], values[j]);
}

void swap_slots(DeformFactors& f, std::size_t i, std::size_t j) {
  swap_entries(f.bone, i, j);
  swap_entries(f.weight, i, j);
  swap_entries(f.alpha, i, j);
  swap_entries(f.beta, i, j);
  swap_entries(f.gradient, i, j);
  swap_entries(f.smooth_weight, i, j);
}

void swap_slots(DeformVectors& d, std::size_t i, std::size_t j) {
  swap_entries(d.bone, i, j);
  swap_entries(d.weight, i, j);
  swap_entries(d.along_t, i, j);
  swap_entries(d.along_b, i, j);
}

// Moves the slots in use to the front, in their order, and returns their bones. Slot 0 always stays.
template <class Factors>
std::vector<int> compact(Factors& factors, int vertex, const BatchReads& reads) {
  std::vector<int> bones;
  for (int s = 0; s < factors.slots; ++s) {
    const std::size_t i = factors.at(vertex, s);
    if (s > 0 && is_unused(factors, i, reads)) continue;
    swap_slots(factors, i, factors.at(vertex, static_cast<int>(bones.size())));
    bones.push_back(factors.bone[factors.at(vertex, static_cast<int>(bones.size()))]);
  }
  return bones;
}

// What the vertices of a run have in common, in the order of the runs: their set and their bones in the order
// of the slots, so that sums keep the order of skin().
using RunKey = std::pair<int, std::vector<int>>;

// The vertices as blocks at the end of `out`, for kernels of K::INFLUENCES slots. The factors are compact.
template <class K, template <class> class Input, class Factors>
void write_blocks(const RiggedMesh& mesh, const SkinData& data, const SkinOptions& options,
                  const Factors& factors, const std::vector<int>& vertices, BatchMesh& out) {
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

template <class Factors>
BatchMesh sorted(const RiggedMesh& mesh, const SkinData& data, const SkinOptions& options, Factors factors,
                 std::span<const int> set_of_vertex) {
  const BatchReads reads = batch_reads<Kernels<float, 1>>(options.method, options.mode);
  std::map<RunKey, std::vector<int>> vertices;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const int set = set_of_vertex.empty() ? 0 : set_of_vertex[static_cast<std::size_t>(v)];
    vertices[{set, compact(factors, v, reads)}].push_back(v);
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
      else if constexpr (std::is_same_v<Factors, DeformFactors>)
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
