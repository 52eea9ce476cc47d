// Meshes for tests: a property is checked over all families, not over one mesh that happens to hold it.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "skinlight/core/glsl.h"
#include "skinlight/core/random.h"
#include "skinlight/mesh/surface.h"

namespace skinlight::test_meshes {

struct TriangleMesh {
  std::string name;
  std::vector<Vec3d> p;
  std::vector<Face> faces;
  bool closed = false;

  std::vector<int> no_weld() const {
    std::vector<int> weld(p.size());
    for (std::size_t v = 0; v < weld.size(); ++v) weld[v] = static_cast<int>(v);
    return weld;
  }
};

// An octahedron split `levels` times, its vertices on the unit sphere. Closed, outward.
inline TriangleMesh sphere(int levels) {
  TriangleMesh mesh{
      "sphere", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {}, true};
  mesh.faces = {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2}, {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<int, int>, int> middle;
    const auto split = [&](int a, int b) {
      const auto [entry, fresh] = middle.try_emplace(std::minmax(a, b), static_cast<int>(mesh.p.size()));
      if (fresh)
        mesh.p.push_back(
            normalize(mesh.p[static_cast<std::size_t>(a)] + mesh.p[static_cast<std::size_t>(b)]));
      return entry->second;
    };
    std::vector<Face> finer;
    for (const auto& [a, b, c] : mesh.faces) {
      const int ab = split(a, b), bc = split(b, c), ca = split(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.faces = finer;
  }
  return mesh;
}

// The sphere with every vertex moved along its radius. Closed, with obtuse triangles.
inline TriangleMesh bumpy_sphere(int levels, Random& random) {
  TriangleMesh mesh = sphere(levels);
  mesh.name = "bumpy sphere";
  for (Vec3d& p : mesh.p) p *= random.uniform(.7, 1.3);
  return mesh;
}

// A grid of n by n quads over [0, 1]^2 with random heights up to `height`, jittered. Open.
inline TriangleMesh terrain(int n, double height, Random& random, double jitter = .3) {
  TriangleMesh mesh{"terrain", {}, {}, false};
  for (int y = 0; y <= n; ++y)
    for (int x = 0; x <= n; ++x) {
      const double z = height * random.uniform(-1, 1), along_y = y + jitter * random.uniform(-1, 1);
      mesh.p.emplace_back((x + jitter * random.uniform(-1, 1)) / n, along_y / n, z);
    }
  const auto at = [n](int x, int y) { return y * (n + 1) + x; };
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const int a = at(x, y), b = at(x + 1, y), c = at(x + 1, y + 1), d = at(x, y + 1);
      if (random.below(2) == 0)
        mesh.faces.insert(mesh.faces.end(), {{a, b, c}, {a, c, d}});
      else
        mesh.faces.insert(mesh.faces.end(), {{a, b, d}, {b, c, d}});
    }
  return mesh;
}

// A terrain stretched to slivers of aspect 1 : 1000.
inline TriangleMesh slivers(int n, Random& random) {
  TriangleMesh mesh = terrain(n, .01, random);
  mesh.name = "slivers";
  for (Vec3d& p : mesh.p) p.x *= 1000;
  return mesh;
}

// Random faces over few vertices: edges of many faces, vertices of many sheets, faces with equal corners.
inline TriangleMesh tangle(int vertices, int faces, Random& random) {
  TriangleMesh mesh{"tangle", {}, {}, false};
  for (int v = 0; v < vertices; ++v) mesh.p.push_back(random.in_cube(1));
  for (int f = 0; f < faces; ++f)
    mesh.faces.push_back({random.below(vertices), random.below(vertices), random.below(vertices)});
  return mesh;
}

inline std::vector<TriangleMesh> manifold_families(Random& random) {
  return {sphere(3), bumpy_sphere(3, random), terrain(12, .2, random), slivers(12, random)};
}

}  // namespace skinlight::test_meshes
