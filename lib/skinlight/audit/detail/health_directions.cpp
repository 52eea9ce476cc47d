#include <algorithm>
#include <cmath>

#include "skinlight/audit/detail/health_checks.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/detail/at.h"

namespace skinlight::health {

namespace {

// What the faces around a vertex of the file say of its normal.
struct Around {
  double area = 0;               // twice that of its faces
  double least = 180, most = 0;  // angles between the normal and those of the faces, degrees
};

// Of vertices without faces of any area, or without a normal, `area` is 0.
std::vector<Around> around_vertices(const RiggedMesh& mesh, const RawAttributes& raw) {
  std::vector<Around> around(mesh.p0.size());
  for (const Face& face : mesh.faces) {
    const Vec3d p = mesh.p0[at(face[0])], q = mesh.p0[at(face[1])], r = mesh.p0[at(face[2])];
    const Vec3d normal = cross(q - p, r - p);
    const double longest = std::max({length(q - p), length(r - q), length(p - r)});
    if (!(length(normal) > kFlat * longest * longest)) continue;
    for (const int v : face) {
      if (raw.normal[at(v)] == Vec3d(0.0)) continue;
      const double degrees = kDegrees * angle_between(raw.normal[at(v)], normal);
      around[at(v)].area += length(normal);
      around[at(v)].least = std::min(around[at(v)].least, degrees);
      around[at(v)].most = std::max(around[at(v)].most, degrees);
    }
  }
  return around;
}

// What the faces enclose, seen from the middle of the mesh, over what a ball of their area does; below 0 where their
// corners run the wrong way round.
double enclosed_share(const RiggedMesh& mesh) {
  Vec3d middle(0.0);
  for (const Vec3d& p : mesh.p0) middle = middle + p / static_cast<double>(mesh.p0.size());
  double volume = 0, area = 0;
  for (const auto& [a, b, c] : mesh.faces) {
    const Vec3d p = mesh.p0[at(a)] - middle, q = mesh.p0[at(b)] - middle, r = mesh.p0[at(c)] - middle;
    volume += dot(p, cross(q, r)) / 6;
    area += length(cross(q - p, r - p)) / 2;
  }
  return area > 0 ? volume * 6 * std::sqrt(M_PI) / std::pow(area, 1.5) : 0;
}

// A mesh without normals faces where its corners say.
void check_closed(const RiggedMesh& mesh, const RawAttributes& raw, std::vector<Finding>& findings) {
  if (!(enclosed_share(mesh) < -kInsideOut)) return;
  Tally all;
  for (int v = 0; v < mesh.vertex_count(); ++v) all.add(v, 100);
  add(
      findings, "winding-reversed", Part::vertex, all, all.count, [&](int v) { return vertex_name(raw, v); },
      [](int) { return std::string("there are no normals, and the faces look into the mesh"); });
}

void check_against_faces(const RiggedMesh& mesh, const RawAttributes& raw, std::vector<Finding>& findings) {
  const std::vector<Around> around = around_vertices(mesh, raw);
  Tally off, against, looked_at;
  double area = 0, off_area = 0, off_area_turned = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Around& a = around[at(v)];
    if (!(a.area > 0)) continue;
    looked_at.add(v, 0);
    area += a.area;
    // Turned around, the normal is at 180 degrees less from each face.
    if (180 - a.most > kOffFaces) off_area_turned += a.area;
    if (a.least > kOffFaces) {
      off_area += a.area;
      off.add(v, a.least);
    }
    if (a.least > 90) against.add(v, a.least);
  }
  if (looked_at.count == 0) {
    check_closed(mesh, raw, findings);
    return;
  }
  const auto vertex = [&](int v) { return vertex_name(raw, v); };
  const auto turned = [&](int v) {
    return printed("by %.0f degrees from the nearest of its faces", around[at(v)].least);
  };
  if (off_area <= kOffShare * area) {
    add(findings, "normals-against-faces", Part::vertex, against, looked_at.count, vertex);
    return;
  }
  off.size = 100 * off_area / area;
  const char* kind = off_area_turned > kOffShare * area ? "normals-off-faces"
                     : enclosed_share(mesh) < 0         ? "winding-reversed"
                                                        : "normals-inverted";
  add(findings, kind, Part::vertex, off, looked_at.count, vertex, turned);
}

}  // namespace

void check_directions(const RiggedMesh& mesh, const RawAttributes& raw, std::vector<Finding>& findings) {
  check_against_faces(mesh, raw, findings);
  Tally long_normal, long_tangent, tilted;
  int normals = 0, tangents = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3d n = raw.normal[at(v)], t = raw.tangent[at(v)];
    if (n != Vec3d(0.0)) {
      ++normals;
      const double off = std::abs((raw.normal_length.empty() ? length(n) : raw.normal_length[at(v)]) - 1);
      if (off > kUnitOfBytes) long_normal.add(v, off);
    }
    if (t == Vec3d(0.0)) continue;
    ++tangents;
    if (const double off = std::abs(length(t) - 1); off > kUnitOfBytes) long_tangent.add(v, off);
    if (n == Vec3d(0.0)) continue;
    const double degrees = std::abs(kDegrees * angle_between(n, t) - 90);
    if (degrees > kOffPlane) tilted.add(v, degrees);
  }
  const auto vertex = [&](int v) { return vertex_name(raw, v); };
  add(findings, "normals-not-unit", Part::vertex, long_normal, normals, vertex);
  add(findings, "tangents-not-unit", Part::vertex, long_tangent, tangents, vertex);
  add(findings, "tangents-off-plane", Part::vertex, tilted, tangents, vertex);
}

}  // namespace skinlight::health
