#include "skinlight/skinning/way.h"

namespace skinlight {

std::string way_name(const SkinOptions& way) {
  std::string of(row(way.mode).name);
  if (way.guard.guard != Guard::none) of.append("+").append(row(way.guard.guard).name);
  return of;
}

std::vector<SkinOptions> usual_ways(Method method, Guard guard) {
  std::vector<SkinOptions> ways;
  for (const NormalMode mode : row(method).modes) {
    if (!row(mode).usual) continue;
    ways.push_back({.method = method, .mode = mode});
    // With a guard besides, the best mode whose weights are the mesh's own.
    if (mode == row(method).derivative && guard != Guard::none && kernel_row(method, mode).guards)
      ways.push_back({.method = method, .mode = mode, .guard = row(guard).usual});
  }
  return ways;
}

std::string why_unguarded(Method method, NormalMode mode) {
  if (kernel_row(method, mode).guards) return {};
  return "guards do not act on mode '" + std::string(row(mode).name) + "' of method '" +
         std::string(row(method).name) + "'" +
         (mode == NormalMode::deform_frames
              ? ": its normals turn over where the triangles do, and guards turn them back"
              : "");
}

std::optional<Warning> morph_warning(const Model& model, const SkinOptions& way) {
  const KernelReads& reads = kernel_row(way.method, way.mode).traits.reads;
  if (model.morphs.empty() || (!reads.gradients && !reads.vectors && !reads.frames)) return std::nullopt;
  return Warning{"normals '" + way_name(way) + "'",
                 "read the rest shape's faces only, which morph targets change: they count as wrong", 1};
}

}  // namespace skinlight
