#include "skinlight/asset/fbx/detail/fbx_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace skinlight::fbx {

namespace {

// The polygons' corners, one after another.
struct Corners {
  std::vector<std::uint32_t> point;    // #corners
  std::vector<std::uint32_t> polygon;  // #corners
  std::vector<std::size_t> first;      // #polygons + 1
};

Corners read_corners(const Object& geometry, std::size_t points) {
  const std::string where = geometry.label();
  Corners corners;
  corners.first.push_back(0);
  for (const std::int64_t written : integers(*geometry.element, "PolygonVertexIndex", where)) {
    const bool is_last = written < 0;
    const std::int64_t point = is_last ? ~written : written;
    if (static_cast<std::uint64_t>(point) >= points)
      throw InputError("", where + " PolygonVertexIndex " + std::to_string(corners.point.size()),
                       "vertex " + std::to_string(point) + " of " + std::to_string(points));
    corners.point.push_back(static_cast<std::uint32_t>(point));
    corners.polygon.push_back(static_cast<std::uint32_t>(corners.first.size() - 1));
    if (is_last) corners.first.push_back(corners.point.size());
  }
  if (corners.first.back() != corners.point.size())
    throw InputError("", where + " PolygonVertexIndex", "its last polygon does not end");
  return corners;
}

// One LayerElement: rows of `width` numbers, one for each corner, point or polygon, or one for all.
class ElementRows {
 public:
  ElementRows(const Object& geometry, const char* name, const char* array, std::size_t width,
              std::vector<Warning>& warnings)
      : width_(width) {
    const Element* layer = geometry.element->child(name);
    if (layer == nullptr) return;
    where_ = geometry.label() + " " + name;
    const std::string_view mapping = child_text(*layer, "MappingInformationType"),
                           reference = child_text(*layer, "ReferenceInformationType");
    rows_ = reals(*layer, array, where_);
    if (rows_.size() % width != 0)
      throw InputError(
          "", where_ + " " + array,
          std::to_string(rows_.size()) + " numbers do not make whole rows of " + std::to_string(width));
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (!std::isfinite(rows_[i]))
        throw InputError("", where_ + " " + array + " " + std::to_string(i / width), "is not finite");
    if (reference == "IndexToDirect" || reference == "Index") {
      const std::string indices = std::string(array) + "Index";
      is_indexed_ = layer->child(indices) != nullptr;
      index_ = integers(*layer, indices, where_);
    }
    if (mapping == "ByPolygonVertex")
      by_ = By::corner;
    else if (mapping == "ByVertice" || mapping == "ByVertex")
      by_ = By::point;
    else if (mapping == "ByPolygon")
      by_ = By::polygon;
    else if (mapping == "AllSame")
      by_ = By::nothing;
    else {
      warnings.push_back(
          {where_, "is mapped \"" + shown(mapping) + "\", which is not read; it was left out", 1});
      return;
    }
    is_present_ = !rows_.empty();
  }

  bool is_present() const { return is_present_; }

  // The row of a corner; null where its index is -1: it has none.
  const double* row(const Corners& corners, std::size_t corner) const {
    std::int64_t i = by_ == By::corner    ? static_cast<std::int64_t>(corner)
                     : by_ == By::point   ? corners.point[corner]
                     : by_ == By::polygon ? corners.polygon[corner]
                                          : 0;
    const std::string at = where_ + " corner " + std::to_string(corner);
    if (is_indexed_) {
      if (static_cast<std::size_t>(i) >= index_.size()) throw InputError("", at, "has no index");
      i = index_[static_cast<std::size_t>(i)];
      if (i == -1) return nullptr;
    }
    const std::size_t count = rows_.size() / width_;
    if (i < 0 || static_cast<std::uint64_t>(i) >= count)
      throw InputError("", at, "row " + std::to_string(i) + " of " + std::to_string(count));
    return &rows_[static_cast<std::size_t>(i) * width_];
  }

 private:
  enum class By { corner, point, polygon, nothing };
  std::size_t width_;
  std::string where_;
  std::vector<double> rows_;
  std::vector<std::int64_t> index_;
  By by_ = By::corner;
  bool is_indexed_ = false, is_present_ = false;
};

void fill(std::vector<Vec3d>& to, const ElementRows& layer, const Corners& corners) {
  if (!layer.is_present()) return;
  to.reserve(corners.point.size());
  for (std::size_t c = 0; c < corners.point.size(); ++c) {
    const double* row = layer.row(corners, c);
    to.push_back(row == nullptr ? Vec3d(0.0) : Vec3d(row[0], row[1], row[2]));
  }
}

// Twice the area of a polygon, along its normal [Newell].
Vec3d area_of(const std::vector<Vec3d>& p) {
  Vec3d area(0.0);
  for (std::size_t i = 0; i < p.size(); ++i) area = area + cross(p[i] - p[0], p[(i + 1) % p.size()] - p[0]);
  return area;
}

// Whether corner b, after a and before c, bends the way the polygon turns.
bool is_convex(Vec3d a, Vec3d b, Vec3d c, Vec3d area) { return dot(cross(b - a, c - b), area) > 0; }

bool is_inside(Vec3d q, Vec3d a, Vec3d b, Vec3d c, Vec3d area) {
  return dot(cross(b - a, q - a), area) >= 0 && dot(cross(c - b, q - b), area) >= 0 &&
         dot(cross(a - c, q - c), area) >= 0;
}

}  // namespace

std::vector<Vec3d> vectors(const Element& element, std::string_view child, const std::string& where) {
  const std::vector<double> numbers = reals(element, child, where);
  const std::string array = where + " " + std::string(child);
  if (numbers.size() % 3 != 0)
    throw InputError("", array, std::to_string(numbers.size()) + " numbers do not make whole vectors");
  std::vector<Vec3d> all;
  all.reserve(numbers.size() / 3);
  for (std::size_t i = 0; i < numbers.size(); i += 3) {
    all.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
    if (!is_finite(all.back())) throw InputError("", array + " " + std::to_string(i / 3), "is not finite");
  }
  return all;
}

// Ears are cut off one at a time; what has none, as it is flat or crosses itself, becomes a fan, and so do polygons
// of very many corners.
std::vector<std::array<std::uint32_t, 3>> triangulate(const std::vector<Vec3d>& p) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint32_t> ring(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) ring[i] = static_cast<std::uint32_t>(i);
  const Vec3d area = area_of(p);
  constexpr std::size_t kMostCorners = 64;  // beyond, cutting ears takes too long
  if (p.size() > kMostCorners) {
    for (std::uint32_t i = 1; i + 1 < p.size(); ++i) triangles.push_back({0, i, i + 1});
    return triangles;
  }
  const auto at = [&](std::size_t i) { return p[ring[i % ring.size()]]; };
  const auto is_ear = [&](std::size_t i) {
    const std::size_t n = ring.size();
    const Vec3d a = at(i + n - 1), b = at(i), c = at(i + 1);
    if (!is_convex(a, b, c, area)) return false;
    for (std::size_t other = i + 2; other < i + n - 1; ++other)
      if (at(other) != a && at(other) != b && at(other) != c && is_inside(at(other), a, b, c, area))
        return false;
    return true;
  };
  while (ring.size() > 3) {
    const std::size_t n = ring.size();
    // The second corner first: convex polygons become fans about their first corner.
    std::size_t ear = 1;
    for (std::size_t tried = 0; tried < n; ++tried)
      if (is_ear((tried + 1) % n)) {
        ear = (tried + 1) % n;
        break;
      }
    triangles.push_back({ring[(ear + n - 1) % n], ring[ear], ring[(ear + 1) % n]});
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  if (ring.size() == 3) triangles.push_back({ring[0], ring[1], ring[2]});
  return triangles;
}

Part read_mesh(const Object& geometry, std::vector<Warning>& warnings) {
  const std::string where = geometry.label();
  Part part;
  part.points = vectors(*geometry.element, "Vertices", where);
  const Corners corners = read_corners(geometry, part.points.size());
  if (corners.point.size() > std::numeric_limits<std::uint32_t>::max())
    throw InputError("", where, "has too many corners");
  part.point = corners.point;
  fill(part.normal, {geometry, "LayerElementNormal", "Normals", 3, warnings}, corners);
  fill(part.tangent, {geometry, "LayerElementTangent", "Tangents", 3, warnings}, corners);
  fill(part.bitangent, {geometry, "LayerElementBinormal", "Binormals", 3, warnings}, corners);
  if (part.tangent.empty() != part.bitangent.empty()) {
    warnings.push_back({where, "has tangents or binormals without the others; they were left out", 1});
    part.tangent.clear();
    part.bitangent.clear();
  }
  if (const ElementRows uv(geometry, "LayerElementUV", "UV", 2, warnings); uv.is_present())
    for (std::size_t c = 0; c < corners.point.size(); ++c) {
      const double* row = uv.row(corners, c);
      part.uv.push_back(row == nullptr ? Vec2d(0, 0) : Vec2d(row[0], row[1]));
    }
  int others = 0;
  for (std::size_t f = 0; f + 1 < corners.first.size(); ++f) {
    const std::size_t first = corners.first[f], end = corners.first[f + 1];
    if (end - first < 3) {
      ++others;
      continue;
    }
    std::vector<Vec3d> polygon;
    for (std::size_t c = first; c < end; ++c) polygon.push_back(part.points[part.point[c]]);
    for (const auto& t : triangulate(polygon)) {
      const auto offset = static_cast<std::uint32_t>(first);
      part.triangles.push_back({offset + t[0], offset + t[1], offset + t[2]});
    }
  }
  if (others > 0) warnings.push_back({where, "has points or lines; they were left out", others});
  return part;
}

}  // namespace skinlight::fbx
