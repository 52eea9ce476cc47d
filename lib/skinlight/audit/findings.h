// What can be wrong with a rig: the kinds of findings, and single findings.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skinlight {

enum class Severity {
  note,     // worth knowing; nothing is wrong
  warning,  // looks wrong in some poses or with some methods
  error,    // breaks a rule of the format; engines differ in what they make of it
};

std::string_view name(Severity severity);

// One row per kind. The ids are stable: scripts rely on them.
struct FindingKind {
  std::string_view id;
  Severity severity;
  std::string_view unit;    // of Finding::size; empty: no size
  std::string_view says;    // what is found, of one of `count` elements
  std::string_view advice;  // what to do, one sentence
};

std::span<const FindingKind> finding_kinds();

// Throws std::out_of_range when there is none: a mistake of the caller.
const FindingKind& finding_kind(std::string_view id);

enum class Part { mesh, vertex, triangle, bone, node };

std::string_view name(Part part);

struct Finding {
  const FindingKind* kind = nullptr;
  Part part = Part::mesh;
  int index = -1;      // of the worst element, in the model; -1: the mesh as a whole
  std::string name;    // of the worst element, as the file calls it
  int count = 0;       // elements found
  int of = 0;          // elements looked at
  double size = 0;     // of the worst element, in kind->unit; finite
  std::string detail;  // more about the worst one; may be empty
};

// Counts elements and keeps the one of the largest size (the first of equals).
struct Tally {
  int count = 0, index = -1;
  double size = -std::numeric_limits<double>::infinity();
  void add(int element, double element_size) {
    ++count;
    if (element_size > size) {
      size = element_size;
      index = element;
    }
  }
};

}  // namespace skinlight
