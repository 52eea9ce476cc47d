#include "skinlight/asset/md5_check.h"

#include <array>
#include <sstream>
#include <string>

#include "skinlight/core/error.h"

namespace skinlight::assimp {

namespace {

// What the header and the mesh have announced so far.
struct Counts {
  long long joints = 0, vertices = 0, triangles = 0, weights = 0;
};

void require_index(long long index, long long count, const std::string& element, const char* what) {
  if (index < 0 || index >= count)
    throw InputError("", element,
                     std::string(what) + " " + std::to_string(index) + " of " + std::to_string(count));
}

// One line: a keyword and its numbers, between which stand brackets.
void require_line(const std::string& keyword, std::istringstream& line, int mesh, Counts& counts) {
  long long index = 0;
  if (!(line >> index)) return;
  const std::string element = "mesh " + std::to_string(mesh) + " " + keyword + " " + std::to_string(index);
  if (keyword == "numJoints") counts.joints = index;
  if (keyword == "numverts") counts.vertices = index;
  if (keyword == "numtris") counts.triangles = index;
  if (keyword == "numweights") counts.weights = index;
  if (keyword == "vert") require_index(index, counts.vertices, element, "vertex");
  if (keyword == "tri") {
    require_index(index, counts.triangles, element, "triangle");
    for (long long corner = 0; line >> corner;) require_index(corner, counts.vertices, element, "vertex");
  }
  if (keyword == "weight") {
    require_index(index, counts.weights, element, "weight");
    if (long long joint = 0; line >> joint) require_index(joint, counts.joints, element, "joint");
  }
}

}  // namespace

void require_md5_indices(std::string_view text) {
  std::istringstream lines{std::string(text)};
  Counts counts;
  int mesh = -1;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string keyword;
    if (!(words >> keyword)) continue;
    if (keyword == "mesh") {
      ++mesh;
      counts = {counts.joints, 0, 0, 0};
    }
    require_line(keyword, words, mesh, counts);
  }
}

}  // namespace skinlight::assimp
