// The arithmetics that kernels are measured in.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "skinlight/stability/subjects.h"
#include "skinlight/stability/vertex_case.h"

namespace skinlight::stability {

// What a subject made of a case: unit t, b and n.
struct Result {
  Vec3d p, t, b, n;
  bool miss = false;  // something on the way was not a finite number
};

struct KernelTape;  // detail/kernel_tape.h

// Cases that scalars with lanes take at once.
inline constexpr std::size_t kCaseLanes = 8;

struct ScalarRow {
  std::string_view name;
  std::string_view label;  // for people
  bool all_quantities;     // tangents and positions have cells too, not normals alone
  bool random;             // draws its roundings: any change of a kernel draws them anew
  double length;           // how far from 1 the lengths of its unit vectors may be
  // Subjects on one case, by kernels compiled for the scalar. results: #chosen, in their order; those of rivals only in
  // float. Null: cases are replayed.
  void (*run)(const VertexCase& c, std::span<const Subject> chosen, std::span<Result> results) = nullptr;
  // The kernels of a tape on cases of its number of slots. results: [case][subject].
  void (*replay)(const KernelTape& tape, std::span<const VertexCase> cases,
                 std::span<Result> results) = nullptr;
  // The same bits for kCaseLanes cases at once, on machines with AVX2.
  void (*replay_avx2)(const KernelTape& tape, std::span<const VertexCase> cases,
                      std::span<Result> results) = nullptr;
};

std::span<const ScalarRow> scalars();

// Throws InputError naming the nearest one.
const ScalarRow& scalar_from_name(std::string_view name);

}  // namespace skinlight::stability
