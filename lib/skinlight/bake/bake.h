// Baking: what a character's normals need (deform factors, smooth weights, deform vectors or deform frames) as vertex
// attributes of its glTF file, for engines that skin on the GPU.
//
// Every skinned triangle primitive gets
//  - JOINTS_n, WEIGHTS_n in the slots of that record: slot 0 is the largest weight (the paper's s0), bones
//    that only the one-ring carries have weight 0 [TPS14 Sec. 3.2], unused slots joint 0 and weight 0;
//  - NORMAL and TANGENT where they are missing or unusable. The record belongs to the frame
//      n = normalize(NORMAL), t = normalize(TANGENT.xyz - n dot(n, TANGENT.xyz)), b = TANGENT.w cross(n, t),
//    with TANGENT as glTF has it: b points where normal maps have +Y, against v, which runs down the picture;
//  - of deform factors, alpha and beta [TPS14 Eq. 11] of slots 4 n .. 4 n + 3 as _DEFORM_ALPHA_n,
//    _DEFORM_BETA_n (VEC4), or (alpha, beta) of slot 1, 2, ... as the texture coordinate sets behind the
//    primitive's own (VEC2);
//  - of smooth weights, besides these, the weights as _DEFORM_SMOOTH_n (VEC4), or those of slots (1, 2),
//    (3, 4), ... as further texture coordinate sets, slot 0 where the last pair wants a second;
//  - of deform vectors, (t, alpha) of slot s = 1, 2, ... as _DEFORM_TAU_T_s and (b, beta) as _DEFORM_TAU_B_s
//    (VEC4); slot 0 closes the sums;
//  - of deform frames, two of them, what they change the weights of slots 1, 2, ... by, frame after frame, as
//    _DEFORM_FRAME_W_0, _DEFORM_FRAME_W_1, ... (VEC4, four of these numbers each, then zeros; slot 0 closes the sums), and
//    of frame k = 0, 1 (v, alpha) along t as _DEFORM_FRAME_T_k and along b as _DEFORM_FRAME_B_k (VEC4). But for f32,
//    _DEFORM_FRAME_SCALE (VEC2, floats) is what a vertex multiplies them by: x weights and v, y alpha, and the mark
//    has no scale. Bones have 5 slots unless more are asked for: JOINTS_1 holds the fifth, and joint 0 besides.
// What a reader of the file gets is turned into alpha and beta by `scale` and `offset` of extras.skinlight of
// the mesh: scale (value - offset); into t and b by vector_scale in the place of scale, into smooth weights
// by weight_scale. extras.skinlight of a primitive tells whether its record still fits when another tool has written
// the file: `extent` is the longest side of the box around the positions that its triangles use (where that changed, the
// unit of length did: alpha and beta are to be multiplied by extent then / extent now), with `extent_of` "triangles" where
// its other vertices reach further, `joint_sum` the sum of (slot + 1) joint over the slots of all corners (where that
// changed, slots are not those of the record), `frame` the mean of normal and tangent over all corners, six numbers, each
// corner with the weight 1 + its own sum (where that changed, the mesh was turned, or its normals or tangents are others).
// With f16 the value is first the half whose bits are the number stored, in UNSIGNED_SHORT,
// since glTF has no half type (texture coordinates: times 65535).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinlight/asset/read_options.h"
#include "skinlight/character/character.h"
#include "skinlight/core/number_format.h"
#include "skinlight/preprocess/normal_record.h"

namespace skinlight {

enum class FactorLayout {
  attributes,  // _DEFORM_ALPHA_n and so on
  texcoord,    // TEXCOORD_n that are free: for engines that drop attributes with an underscore
};

// "attributes", "texcoord"
std::string_view name(FactorLayout layout);

// The inverse of name(). Throws InputError listing the names.
FactorLayout factor_layout_from_name(std::string_view name);

// The inverse of row(format).name. Throws InputError listing the names.
NumberFormat number_format_from_name(std::string_view name);

// What a record takes of a vertex. An attribute, of up to four numbers, occupies one location of the vertex
// shader, of which every GPU has 16 and some no more.
struct RecordCost {
  int attributes = 0, bytes = 0;
};

// Throws InputError for deform vectors as texture coordinates: those are VEC2, so they would take four sets
// per slot.
RecordCost record_cost(RecordKind kind, FactorLayout layout, NumberFormat format, int slots);

// The same of deform frames as attributes.
RecordCost frame_cost(NumberFormat format, int slots);

// Bones per vertex are 4 or this.
inline constexpr int kMostInfluences = 8;

struct BakeOptions {
  RecordKind kind = RecordKind::deform_factors;
  std::optional<Method> frames = {};  // in the place of `kind`: deform frames of dqs, sbs or log
  FactorLayout layout = FactorLayout::attributes;
  NumberFormat format = NumberFormat::f32;
  // 4 or 8 per vertex; 0: 4 when no vertex has weights of more bones, else 8. Of deform frames 5 to 8; 0: 5 or 8. With 0, what
  // was baked with the other options already keeps its number.
  int influences = 0;
  std::optional<Averaging> averaging = {};  // mixed_voronoi; of deform vectors and frames area
  bool force = false;                       // allow to replace the input, or files that are no earlier result
  int threads = 0;                          // 0: all cores
  MissingNormals missing_normals =
      MissingNormals::as_the_format_says;  // of primitives without NORMAL, written
};

// Vertices whose numbers are stored with one pair of scales.
struct StoredRange {
  int first = 0, count = 0;
  PerUnit largest;  // sizes of the numbers of the mesh
};

struct BakeReport {
  bool unchanged = false;         // the input was baked with these options already
  Character character;            // as read
  std::vector<Warning> warnings;  // of reading and writing
  int primitives = 0, meshes = 0;
  int normals = 0, tangents = 0, influences = 0;  // primitives whose NORMAL, TANGENT, JOINTS_n were written
  int attributes = 0;                             // the most that a baked primitive has, its own included
  RecordKind kind = RecordKind::deform_factors;
  std::optional<Method> frames = {};           // whose deform frames were written, in the place of `kind`
  std::vector<StoredRange> ranges;             // but for deform frames
  std::vector<std::filesystem::path> written;  // the glTF file last

  // The character's record where the skin of a mesh lacks bones that another mesh, met along a seam, bends it with: they
  // count in slot 0.
  std::optional<FrameRecord> of_own_joints = {};

  const FrameRecord& frame_record() const {
    return of_own_joints ? *of_own_joints : character.frames(*frames);
  }
  // Exact, with the columns of its kind.
  const NormalRecord& record() const {
    if (of_own_joints) return *of_own_joints;
    if (frames) return frame_record();
    return kind == RecordKind::deform_vectors ? character.vectors() : character.factors();
  }
};

// Writes `in` with the record added to `out`, .gltf or .glb; "-" is standard output, as .glb. All else survives: what is not about skinned
// triangles is copied, indices into arrays of the file stay valid. A file that was baked with these options,
// and not edited since, comes out as it is.
// A mesh that several skins move gets the joints of the skin with the fewest.
// Skinned primitives that Draco compressed are written back uncompressed, those that flat normals split with a vertex per
// corner and without indices.
// `progress` is told what goes on. Throws InputError as read_gltf() does, and, before it works, when `out` cannot be written,
// another run is writing it, or it is there and no earlier result; nothing is written then.
BakeReport bake_gltf(const std::filesystem::path& in, const std::filesystem::path& out,
                     const BakeOptions& options = {},
                     const std::function<void(const std::string&)>& progress = {});

// The record of a bake as a reader of a file baked in `format` gets it; slot 0 closes the sums. mesh: has the
// tangents that deform vectors sum to.
NormalRecord stored_record(NormalRecord record, const RiggedMesh& mesh, std::span<const StoredRange> ranges,
                           NumberFormat format);

}  // namespace skinlight
