#include "skinlight/audit/findings.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace skinlight {

namespace {

constexpr std::array kKinds = {
    // Weights.
    FindingKind{"weights-not-finite", Severity::error, "", "has a weight that is not a number",
                "Export the weights again: these vertices cannot be posed."},
    FindingKind{"weights-negative", Severity::error, "below 0", "has a negative weight",
                "Set negative weights to 0 and normalise; they push a vertex away from its bone."},
    FindingKind{"weights-zero", Severity::error, "", "has no positive weight",
                "Bind these vertices to a bone: engines collapse them into the origin."},
    FindingKind{
        "weights-flag-missing", Severity::error, "", "has integer weights without the flag 'normalized'",
        "Set accessors[].normalized of WEIGHTS_n: readers take the integers for weights of up to 255 or 65535."},
    FindingKind{"weights-unnormalised", Severity::error, "off 1", "has weights that do not sum to 1",
                "Normalise the weights; engines that do not will shrink or inflate the mesh there."},
    FindingKind{
        "weights-rounded", Severity::note, "off 1", "has weights that sum to 1 less exactly than floats can",
        "Nothing to do, unless the mesh stands far from the origin; otherwise normalise the weights once more."},
    FindingKind{"joints-duplicate", Severity::warning, "of the weight", "has one bone in two slots",
                "Add the weights of equal bones up in one slot; the format forbids it, and it wastes slots."},
    FindingKind{"influences-over-limit", Severity::warning, "degrees",
                "has more influences than are kept per vertex",
                "Allow more influences (--influences), or prune the weights where they are painted."},
    FindingKind{"twins-split-weights", Severity::warning, "of the weight",
                "stands at one place with another vertex but has other weights",
                "Copy the weights across the seam: the surface tears open there when it bends."},
    FindingKind{"weights-jump", Severity::warning, "weights per mesh size",
                "has weights that jump along a very short edge",
                "Merge the two vertices, or give them the same weights."},
    // Mesh.
    FindingKind{"positions-split", Severity::note, "vertices at one place",
                "stands at a position that the file splits into several vertices",
                "Nothing to do; average normals and deform factors over positions, not over vertices."},
    FindingKind{"hard-edges", Severity::note, "degrees",
                "stands at a position whose vertices have different normals",
                "Nothing to do if the edges are meant to be hard; otherwise smooth the normals."},
    FindingKind{"triangles-degenerate", Severity::warning, "", "has no area",
                "Remove it: it has no normal and no weight gradient."},
    FindingKind{"triangles-sliver", Severity::warning, "times as long as high", "is very thin",
                "Collapse or retriangulate it: gradients of the weights explode across it."},
    FindingKind{"uv-missing", Severity::note, "", "has no texture coordinates and no tangents",
                "Add TEXCOORD_0 before a tangent-space normal map is used; shading without one is fine."},
    FindingKind{"uv-degenerate", Severity::note, "", "has no area in the texture",
                "Unwrap it before a tangent-space normal map is used; shading without one is fine."},
    FindingKind{"normals-missing", Severity::warning, "", "has no normal",
                "Export normals: readers disagree on making flat or smooth ones."},
    FindingKind{"normals-inverted", Severity::error, "% of the area",
                "has a normal that points into the mesh",
                "Turn the normals around: they are lit from the wrong side."},
    FindingKind{"winding-reversed", Severity::error, "% of the area",
                "has corners in the wrong order, against its normals",
                "Turn the order of the corners around: engines cull the front and show the back."},
    FindingKind{"normals-off-faces", Severity::error, "% of the area",
                "has a normal far from those of all its faces",
                "Recompute the normals: they belong to other vertices, or to another mesh."},
    FindingKind{
        "normals-against-faces", Severity::warning, "degrees", "has a normal against all its faces",
        "Look at the place: its faces may be turned around, or its normal averaged over both sides of a fold."},
    FindingKind{"normals-not-unit", Severity::error, "off 1", "has a normal that is not of length 1",
                "Normalise the normals: engines that do not shade too bright or too dark."},
    FindingKind{
        "tangents-missing", Severity::note, "", "has no tangent",
        "Nothing to do if every program makes them the same way (MikkTSpace); otherwise export them."},
    FindingKind{"tangents-handedness", Severity::error, "",
                "has a tangent whose handedness contradicts the texture coordinates",
                "Recompute the tangents: normal maps are lit from the wrong side there."},
    FindingKind{"tangents-not-unit", Severity::error, "off 1", "has a tangent that is not of length 1",
                "Normalise the tangents: engines that do not stretch what the normal map says."},
    FindingKind{"tangents-off-plane", Severity::warning, "degrees",
                "has a tangent that is not perpendicular to its normal",
                "Recompute the tangents from the normals that the file has."},
    // What reading did.
    FindingKind{"meshes-shared-by-skins", Severity::note, "skins",
                "belongs to a mesh that several skins move",
                "Nothing to do for drawing; bake gives all of them the joints of the skin with the fewest."},
    FindingKind{"bake-stale", Severity::warning, "", "was baked, but not as it is now",
                "Bake behind all tools that write the file, or bake the original file again."},
    FindingKind{"reader-repaired", Severity::note, "", "was repaired or left out when the file was read",
                "See whether it matters, and export the file again if it does."},
    // Skeleton.
    FindingKind{"bones-unused", Severity::note, "", "moves no vertex",
                "Remove it from the skin, unless something is attached to it."},
    FindingKind{"inverse-bind-missing", Severity::note, "", "has no inverse bind matrix",
                "Nothing to do if the mesh was modelled around the bones' origins; otherwise export them."},
    FindingKind{"mesh-node-transform", Severity::note, "",
                "shows a skinned mesh and has a transform, which skinning ignores",
                "Reset it, so that programs that heed it by mistake show the same."},
    // Over poses.
    FindingKind{"normals-flip", Severity::warning, "times the tangent",
                "has weights that vary so fast that its normal flips when the mesh bends",
                "Smooth the weights around it, or draw with the guard test-then-fix."},
    FindingKind{
        "standard-normals-off", Severity::note, "degrees", "is lit by standard skinned normals that are off",
        "See with skinlight compare which normals are right there, and bake those (skinlight bake --normals)."},
    FindingKind{"one-ring-overflow", Severity::warning, "% of the gradient",
                "touches more bones than there are slots for",
                "Keep more slots (--influences), or smooth the weights around it."},
    FindingKind{"one-ring-wider", Severity::note, "% of the gradient",
                "touches more bones than the rig has influences per vertex",
                "Deform factors need added slots of weight 0 there: skinlight bake adds them."},
    FindingKind{"blend-collapses", Severity::warning, "% of the volume",
                "collapses between bones that turn far against each other",
                "Add a twist bone, or skin with dual quaternions."},
    FindingKind{"bones-non-rigid", Severity::note, "strain", "is scaled or sheared unlike the others",
                "Nothing to do for linear blend skinning; dual quaternion skinning drops the stretch."},
    FindingKind{
        "bones-mirrored", Severity::note, "", "is mirrored by its bones",
        "Nothing to do if it is meant; skinning must turn cross products around there (orientations())."},
    FindingKind{
        "blend-crosses-mirror", Severity::note, "of the weight",
        "is blended from bones that mirror and bones that do not",
        "Look at it in that pose: linear blending flattens the surface between them; methods of rigid bones "
        "drop the mirror."},
    FindingKind{"precision-lost", Severity::warning, "degrees",
                "loses precision in float, far from the origin",
                "Pose relative to a point near the character: centred() in rig/pose.h."},
};

}  // namespace

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

std::span<const FindingKind> finding_kinds() { return kKinds; }

const FindingKind& finding_kind(std::string_view id) {
  const auto found =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const FindingKind& k) { return k.id == id; });
  if (found == kKinds.end()) throw std::out_of_range("no finding '" + std::string(id) + "'");
  return *found;
}

std::string_view name(Part part) {
  switch (part) {
    case Part::mesh:
      return "mesh";
    case Part::vertex:
      return "vertex";
    case Part::triangle:
      return "triangle";
    case Part::bone:
      return "bone";
    case Part::node:
      return "node";
  }
  return "";
}

}  // namespace skinlight
