#include "skinlight/asset/detail/reading.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <utility>

#include "skinlight/mesh/normals.h"
#include "skinlight/mesh/weld.h"

namespace skinlight {

namespace {

void keep(const CollectedMesh& collected, RawAttributes& raw) {
  raw.slots = collected.mesh.slots;
  raw.bone = collected.mesh.bone;
  raw.weight = collected.mesh.weight;
  raw.normal = collected.mesh.n0;
  raw.normal_length = collected.normal_length;
  raw.tangent = collected.tangent;
  raw.tangent_sign = collected.tangent_sign;
}

void drop_not_finite(RiggedMesh& mesh, std::vector<Warning>& warnings) {
  for (double& w : mesh.weight) {
    if (std::isfinite(w)) continue;
    w = 0;
    warn(warnings, "vertex " + std::to_string((&w - mesh.weight.data()) / mesh.slots),
         "has a weight that is not finite; it was set to 0");
  }
}

void limit_weights(RiggedMesh& mesh, int max_influences, std::vector<Warning>& warnings) {
  // Slots are in descending order now: a vertex loses something when its first slot over the limit is used.
  if (max_influences < 1 || max_influences >= mesh.slots) {
    limit_influences(mesh, max_influences);
    return;
  }
  Warning loss{"", "", 0};
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (mesh.weights_of(v)[static_cast<std::size_t>(max_influences)] > 0 && loss.count++ == 0)
      loss.element = "vertex " + std::to_string(v);
  const double worst = limit_influences(mesh, max_influences);
  if (loss.count == 0) return;
  loss.reason = "has more than " + std::to_string(max_influences) +
                " influences; the weakest were dropped, at most " + std::to_string(100 * worst) +
                " % of a vertex's weight";
  warnings.push_back(loss);
}

// The normals of their faces for vertices without one. Readers have split those in which several planes meet.
void fill_flat_normals(RiggedMesh& mesh, std::vector<Warning>& warnings) {
  std::vector<Vec3d> sum(mesh.p0.size(), Vec3d(0.0));
  for (const Face& face : mesh.faces) {
    const auto p = [&](std::size_t c) { return mesh.p0[static_cast<std::size_t>(face[c])]; };
    const Vec3d area = cross(p(1) - p(0), p(2) - p(0));
    const double size = length(area);
    if (!(size > 0) || !std::isfinite(size)) continue;
    for (const int v : face) sum[static_cast<std::size_t>(v)] += area / size;
  }
  Warning filled{"", "has no normal; it has that of its face", 0};
  for (std::size_t v = 0; v < sum.size(); ++v) {
    if (mesh.n0[v] != Vec3d(0.0) || !(length(sum[v]) > 0)) continue;
    mesh.n0[v] = normalize(sum[v]);
    if (filled.count++ == 0) filled.element = "vertex " + std::to_string(v);
  }
  if (filled.count > 0) warnings.push_back(filled);
}

// Smooth ones, over the faces around a position.
void fill_normals(RiggedMesh& mesh, std::vector<Warning>& warnings) {
  std::vector<int> missing;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (mesh.n0[static_cast<std::size_t>(v)] == Vec3d(0.0)) missing.push_back(v);
  if (missing.empty()) return;
  const std::vector<int> weld = weld_vertices(mesh.p0, [](int, int) { return true; });
  int undefined = 0;
  const std::vector<Vec3d> computed =
      vertex_normals(Surface(mesh.faces, weld), mesh.p0, Averaging::mixed_voronoi, &undefined);
  for (const int v : missing) mesh.n0[static_cast<std::size_t>(v)] = computed[static_cast<std::size_t>(v)];
  const std::string first = "vertex " + std::to_string(missing.front());
  warnings.push_back({first, "has no normal; it was averaged over the faces around its position",
                      static_cast<int>(missing.size())});
  if (undefined > 0)
    warnings.push_back(
        {"mesh", "positions without faces of any area; normals missing there are (0, 0, 1)", undefined});
}

// Frames from uv, replaced by the file's tangents where they are usable: projected to the plane of the
// normal, unit.
void fill_tangents(RiggedMesh& mesh, const CollectedMesh& collected) {
  compute_tangent_frames(mesh);
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    const Vec3d n = mesh.n0[v], t = collected.tangent[v] - n * dot(n, collected.tangent[v]);
    constexpr double kParallel =
        1e-3;  // of a unit tangent left in the plane: below, its direction is rounding
    if (!(length(t) > kParallel)) continue;
    mesh.t0[v] = normalize(t);
    mesh.handedness[v] = collected.tangent_sign[v];
    mesh.b0[v] = cross(n, mesh.t0[v]) * collected.tangent_sign[v];
    mesh.frame_source[v] = FrameSource::file;
  }
}

}  // namespace

std::string extension_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

RiggedMesh complete(CollectedMesh collected, const ReadOptions& options, std::vector<Warning>& warnings) {
  if (options.raw != nullptr) keep(collected, *options.raw);
  RiggedMesh mesh = std::move(collected.mesh);
  if (options.keep_unusable_weights) drop_not_finite(mesh, warnings);
  normalize_weights(mesh, warnings);
  limit_weights(mesh, options.max_influences, warnings);
  if (options.missing_normals == MissingNormals::flat) fill_flat_normals(mesh, warnings);
  fill_normals(mesh, warnings);
  fill_tangents(mesh, collected);
  return mesh;
}

// 16 numbers by column. The last row of an affine map is (0, 0, 0, 1).
Mat4x3d affine(std::span<const double> m, const std::string& element) {
  constexpr double kLastRow = 1e-4;  // inverses computed in float by exporters
  if (!std::all_of(m.begin(), m.end(), [](double x) { return std::isfinite(x); }))
    throw InputError("", element, "matrix is not finite");
  for (std::size_t column = 0; column < 4; ++column)
    if (std::abs(m[4 * column + 3] - (column == 3 ? 1 : 0)) > kLastRow)
      throw InputError("", element, "the matrix's last row is not (0, 0, 0, 1)");
  return {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
}

void require_keys(const std::vector<double>& times, const std::vector<double>& values,
                  const std::string& element, std::vector<Warning>& warnings) {
  const std::vector<double>& t = times;
  for (std::size_t k = 0; k < t.size(); ++k) {
    const std::string key = element + " key " + std::to_string(k);
    if (!std::isfinite(t[k])) throw InputError("", key, "time is not finite");
    if (k > 0 && t[k] < t[k - 1]) throw InputError("", key, "times do not ascend");
    if (k > 0 && t[k] == t[k - 1]) warn(warnings, key, "has the time of the key before; the later key holds");
  }
  const auto bad = std::find_if_not(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  if (bad != values.end())
    throw InputError("", element, "value " + std::to_string(bad - values.begin()) + " is not finite");
}

void warn(std::vector<Warning>& warnings, const std::string& element, const std::string& reason) {
  const auto known =
      std::find_if(warnings.begin(), warnings.end(), [&](const Warning& w) { return w.reason == reason; });
  if (known != warnings.end())
    ++known->count;
  else
    warnings.push_back({element, reason, 1});
}

}  // namespace skinlight
