#include "skinlight/asset/mesh_file.h"

#include <OpenMesh/Core/IO/MeshIO.hh>
#include <OpenMesh/Core/Mesh/TriMesh_ArrayKernelT.hh>
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>

#include "skinlight/asset/assimp/detail/isolate.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"

namespace skinlight {

namespace {

struct DoubleTraits : OpenMesh::DefaultTraits {
  using Point = OpenMesh::Vec3d;
  using Normal = OpenMesh::Vec3d;
};
using FileMesh = OpenMesh::TriMesh_ArrayKernelT<DoubleTraits>;

// What the child process answers: counts, then the arrays of a PlainMesh.
struct Counts {
  std::uint64_t vertices, normals, faces;
};

template <class T>
void append(std::string& bytes, const T* values, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template <class T>
std::vector<T> take(std::string_view& bytes, std::size_t count) {
  std::vector<T> values(count);
  if (count > 0) std::memcpy(values.data(), bytes.data(), count * sizeof(T));  // no array has no place
  bytes.remove_prefix(count * sizeof(T));
  return values;
}

// OpenMesh looks for the end of a header beyond the end of the file, for ever.
void require_ply_header(const std::string& bytes) {
  std::istringstream lines(bytes);
  std::string line, word;
  const auto first_word = [&] {
    word.clear();
    std::istringstream(line) >> word;
    return std::string_view(word);
  };
  if (!std::getline(lines, line) || first_word() != "ply")
    throw InputError("", "header", "does not start with \"ply\"");
  while (std::getline(lines, line))
    if (first_word() == "end_header") return;
  throw InputError("", "header", "has no end");
}

// A file of this size: OpenMesh trusts its counts and indices, and reads some megabytes of text a second.
Limits limits_for(std::size_t file_size) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20, kMemoryPerByte = 100;
  const std::size_t memory = 64 * kMebibyte + kMemoryPerByte * file_size;
  return {.memory = memory, .answer = memory, .seconds = 5 + static_cast<int>(file_size / kMebibyte)};
}

std::string load(const std::string& bytes, const std::string& extension) {
  FileMesh from;
  from.request_vertex_normals();
  OpenMesh::IO::Options options(OpenMesh::IO::Options::VertexNormal);
  std::istringstream in(bytes);
  if (!OpenMesh::IO::read_mesh(from, in, extension, options))
    throw InputError("", "", "is damaged, or not what its extension says");
  if (from.n_faces() == 0) throw InputError("", "", "has no faces");
  const Counts counts{from.n_vertices(), options.vertex_has_normal() ? from.n_vertices() : 0, from.n_faces()};
  std::string answer;
  append(answer, &counts, 1);
  for (const auto v : from.vertices()) append(answer, from.point(v).data(), 3);
  if (counts.normals > 0)
    for (const auto v : from.vertices()) append(answer, from.normal(v).data(), 3);
  for (const auto f : from.faces())
    for (const auto v : from.fv_range(f)) {
      const int corner = v.idx();
      append(answer, &corner, 1);
    }
  return answer;
}

}  // namespace

PlainMesh read_mesh(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto fail = [&](const std::string& element, const std::string& reason) {
    throw InputError(path.string(), element, reason);
  };
  if (extension != ".obj" && extension != ".ply") fail("", "is of no known format; OBJ and PLY are read");
  std::string answer;
  const std::string bytes = read_file(path);
  try {
    if (extension == ".ply") require_ply_header(bytes);
    answer = run_isolated([&] { return load(bytes, extension); }, limits_for(bytes.size()));
  } catch (const InputError& e) {
    throw e.in_file(path.string());
  }
  std::string_view rest(answer);
  const Counts counts = take<Counts>(rest, 1)[0];
  PlainMesh mesh;
  mesh.p = take<Vec3d>(rest, counts.vertices);
  mesh.n = take<Vec3d>(rest, counts.normals);
  mesh.faces = take<Face>(rest, counts.faces);
  for (std::size_t v = 0; v < mesh.p.size(); ++v)
    if (!is_finite(mesh.p[v])) fail("vertex " + std::to_string(v), "position is not finite");
  for (std::size_t v = 0; v < mesh.n.size(); ++v) {
    if (!(length(mesh.n[v]) > 0) || !is_finite(mesh.n[v]))
      fail("vertex " + std::to_string(v), "normal has no direction");
    mesh.n[v] = normalize(mesh.n[v]);
  }
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    for (const int corner : mesh.faces[f])
      if (corner < 0 || static_cast<std::size_t>(corner) >= mesh.p.size())
        fail("face " + std::to_string(f), "vertex " + std::to_string(corner) + " does not exist");
  return mesh;
}

}  // namespace skinlight
