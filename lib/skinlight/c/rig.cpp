// Rigs, and what is computed once for them.
#include "skinlight/asset/model_file.h"
#include "skinlight/c/detail/call.h"
#include "skinlight/c/detail/posing.h"
#include "skinlight/preprocess/bitangent_side.h"

using namespace skinlight;

namespace {

std::size_t size(int count) { return static_cast<std::size_t>(count); }

struct RigOptions {
  ReadOptions read;
  Preparation how;
  int threads = 0;
};

RigOptions rig_options(const skinlight_rig_options* theirs) {
  const skinlight_rig_options own = c::own_version(theirs, "options");
  RigOptions options;
  if (own.influences != 0) options.read.max_influences = own.influences;
  if (options.read.max_influences < 1 || options.read.max_influences > kMaxSlots)
    throw InputError("", "influences", std::to_string(own.influences) + " is out of range");
  if (own.slots < 0 || own.slots > kMaxSlots)
    throw InputError("", "slots", std::to_string(own.slots) + " is out of range");
  options.how.max_slots = own.slots;
  options.how.averaging = c::averaging_of(own.averaging);
  options.threads = c::threads_of(own.threads);
  options.read.missing_normals = c::meaning(c::kMissingNormals, own.missing_normals, "missing_normals");
  return options;
}

// Slots that were not asked for are four, or as many as the mesh has.
skinlight_rig* new_rig(Model model, RigOptions options) {
  if (options.how.max_slots == 0) options.how.max_slots = std::max(Preparation().max_slots, model.mesh.slots);
  return new skinlight_rig{Character(std::move(model), options.how, options.threads)};
}

template <class Rows>
const auto& row_at(const Rows& rows, std::size_t index) {
  if (index >= rows.size()) throw c::BadCall{"index " + std::to_string(index) + " does not exist"};
  return rows[index];
}

// The first bone above a node, or -1. default_pose() and pose_at() tell of cycles; here none is followed for ever.
std::int32_t parent_bone(const Skeleton& skeleton, int node) {
  for (std::size_t steps = 0; steps < skeleton.nodes.size(); ++steps) {
    node = skeleton.nodes[size(node)].parent;
    if (node < 0) return -1;
    const auto bone = std::find(skeleton.bone_node.begin(), skeleton.bone_node.end(), node);
    if (bone != skeleton.bone_node.end()) return static_cast<std::int32_t>(bone - skeleton.bone_node.begin());
  }
  return -1;
}

// Four numbers a row.
double tangent_number(const RiggedMesh& mesh, std::size_t v, std::size_t k) {
  return k < 3 ? mesh.t0[v][static_cast<int>(k)] : gltf_w(mesh.handedness[v]);
}

void get(const RiggedMesh& mesh, std::int32_t what, const skinlight_output& output) {
  switch (what) {
    case SKINLIGHT_POSITIONS:
      return c::write(output, mesh.p0, "output");
    case SKINLIGHT_NORMALS:
      return c::write(output, mesh.n0, "output");
    case SKINLIGHT_TANGENTS:
      return c::write(output, mesh.p0.size(), 4, "output",
                      [&](std::size_t v, std::size_t k) { return tangent_number(mesh, v, k); });
    case SKINLIGHT_UV:
      if (mesh.uv.empty()) throw c::BadCall{"the rig has no uv"};
      return c::write(output, mesh.uv.size(), 2, "output",
                      [&](std::size_t v, std::size_t k) { return k == 0 ? mesh.uv[v].x : mesh.uv[v].y; });
    case SKINLIGHT_WEIGHTS:
      return c::write(output, mesh.weight, size(mesh.slots), "output");
    case SKINLIGHT_BONES:
      return c::write(output, mesh.bone, size(mesh.slots), "output");
    case SKINLIGHT_FACES:
      return c::write(output, mesh.faces.size(), 3, "output",
                      [&](std::size_t f, std::size_t k) { return mesh.faces[f][k]; });
    default:
      throw c::BadCall{"the rig has nothing of number " + std::to_string(what)};
  }
}

void get(const NormalRecord& record, std::int32_t column, const skinlight_output& output) {
  const std::size_t slots = size(record.slots);
  if (column == SKINLIGHT_SLOT_BONES) return c::write(output, record.bone, slots, "output");
  if (column == SKINLIGHT_SLOT_WEIGHTS) return c::write(output, record.weight, slots, "output");
  constexpr std::array kQuantities = {Quantity::alpha,    Quantity::beta,    Quantity::smooth_weight,
                                      Quantity::gradient, Quantity::along_t, Quantity::along_b};
  if (column >= SKINLIGHT_FRAME_OFFSET && column <= SKINLIGHT_FRAME_CENTRE)
    throw c::BadCall{"the record has no column " + std::to_string(column) + ", which is of frames"};
  const auto place = c::place_of(kQuantities, column, SKINLIGHT_ALPHA);
  if (!place) throw c::BadCall{"column " + std::to_string(column) + " is unknown"};
  const Quantity quantity = kQuantities[*place];
  visit_column(record, quantity, [&](const auto& entries) {
    if (entries.empty()) throw c::BadCall{"the record has no " + std::string(row(quantity).name)};
    const auto components = static_cast<std::size_t>(row(quantity).components());
    c::write(output, entries.size() / slots, slots * components, "output", [&](std::size_t v, std::size_t k) {
      return file_side(quantity) *
             component(entries[v * slots + k / components], static_cast<int>(k % components));
    });
  });
}

// Numbers of all frames of a vertex side by side.
void get(const FrameRecord& record, std::int32_t column, const skinlight_output& output) {
  const std::size_t frames = size(record.frames);
  const auto write_vectors = [&](const std::vector<Vec3d>& vectors, double side) {
    if (vectors.empty()) throw c::BadCall{"the frames have no centres"};
    c::write(output, vectors.size() / frames, 3 * frames, "output", [&](std::size_t v, std::size_t k) {
      return side * vectors[v * frames + k / 3][static_cast<int>(k % 3)];
    });
  };
  const double side_of_b = file_side(Quantity::beta);
  switch (column) {
    case SKINLIGHT_FRAME_OFFSET:
      return c::write(output, record.frame_offset, frames * size(record.slots), "output");
    case SKINLIGHT_FRAME_T:
      return write_vectors(record.frame_t, 1);
    case SKINLIGHT_FRAME_B:
      return write_vectors(record.frame_b, side_of_b);
    case SKINLIGHT_FRAME_ALPHA:
      return c::write(output, record.frame_alpha, frames, "output");
    case SKINLIGHT_FRAME_BETA:
      return c::write(
          output, record.frame_beta.size() / frames, frames, "output",
          [&](std::size_t v, std::size_t k) { return side_of_b * record.frame_beta[v * frames + k]; });
    case SKINLIGHT_FRAME_CENTRE:
      return write_vectors(record.frame_centre, 1);
    default:
      return get(static_cast<const NormalRecord&>(record), column, output);
  }
}

// The methods of SKINLIGHT_DQS_FRAMES and those behind it.
constexpr std::array kFrameMethods = {Method::dqs, Method::crs, Method::sbs, Method::log};

// visit(record), of frames or of other normals.
template <class Visit>
void visit_record(const skinlight_rig* rig, std::int32_t record, const Visit& visit) {
  const Character& character = c::needed(rig, "rig").character;
  if (record == SKINLIGHT_FACTORS) return visit(character.factors());
  if (record == SKINLIGHT_VECTORS) return visit(character.vectors());
  const std::int64_t frames = std::int64_t{record} - SKINLIGHT_DQS_FRAMES;
  if (frames >= 0 && frames < static_cast<std::int64_t>(kFrameMethods.size()))
    return visit(character.frames(kFrameMethods[static_cast<std::size_t>(frames)]));
  throw c::BadCall{"record " + std::to_string(record) + " is unknown"};
}

}  // namespace

extern "C" {

skinlight_status skinlight_rig_create(const skinlight_rig_arrays* arrays,
                                      const skinlight_rig_options* options, skinlight_rig** rig) {
  if (rig) *rig = nullptr;
  return c::call([&] {
    c::needed(rig, "rig");
    const skinlight_rig_arrays own = c::own_version(&c::needed(arrays, "arrays"), "arrays");
    Model model;
    model.mesh = rigged_mesh(c::rig_arrays(own), c::count_of(own.bone_count, "bone_count"), model.warnings);
    model.morphs = c::morph_targets(own);
    model.morph_weights.assign(model.morphs.size(), 0.0);
    *rig = new_rig(std::move(model), rig_options(options));
  });
}

skinlight_status skinlight_rig_read(const char* path, const skinlight_rig_options* options,
                                    skinlight_rig** rig) {
  if (rig) *rig = nullptr;
  return c::call([&] {
    c::needed(rig, "rig");
    const RigOptions own = rig_options(options);
    *rig = new_rig(read_model(&c::needed(path, "path"), own.read), own);
  });
}

void skinlight_rig_free(skinlight_rig* rig) { delete rig; }

skinlight_status skinlight_rig_get_info(const skinlight_rig* rig, skinlight_rig_info* info) {
  return c::call([&] {
    const Character& character = c::needed(rig, "rig").character;
    const Model& model = character.model();
    c::require_struct(info, "info");
    skinlight_rig_info own = {};
    own.vertex_count = model.mesh.p0.size();
    own.face_count = model.mesh.faces.size();
    own.bone_count = size(model.mesh.bone_count);
    own.influences = size(model.mesh.slots);
    own.welded_count = size(character.surface().vertex_count());
    own.clip_count = model.clips.size();
    own.morph_count = model.morphs.size();
    own.warning_count = model.warnings.size();
    c::give(own, info, "info");
  });
}

skinlight_status skinlight_rig_get(const skinlight_rig* rig, std::int32_t what, skinlight_output output) {
  return c::call([&] { get(c::needed(rig, "rig").character.mesh(), what, output); });
}

skinlight_status skinlight_rig_get_clip(const skinlight_rig* rig, std::size_t clip,
                                        skinlight_clip_info* info) {
  return c::call([&] {
    const Clip& known = row_at(c::needed(rig, "rig").character.model().clips, clip);
    skinlight_clip_info own = {};
    own.name = known.name.c_str();
    own.duration = known.duration;
    c::give(own, info, "info");
  });
}

skinlight_status skinlight_rig_get_pose(const skinlight_rig* rig, std::size_t clip, double seconds,
                                        skinlight_output pose) {
  return c::call([&] {
    const Model& model = c::needed(rig, "rig").character.model();
    if (model.skeleton.bone_count() == 0)
      throw c::BadCall{"the rig has no skeleton: it was made from arrays"};
    const Pose posed = clip == model.clips.size()
                           ? default_pose(model.skeleton)
                           : pose_at(model.skeleton, row_at(model.clips, clip), seconds);
    c::write(pose, posed.M.size(), 12, "pose", [&](std::size_t b, std::size_t k) {
      const Vec3d column = posed.M[b][static_cast<int>(k % 4)] + (k % 4 == 3 ? posed.pivot : Vec3d(0.0));
      return column[static_cast<int>(k / 4)];
    });
  });
}

skinlight_status skinlight_rig_get_bone(const skinlight_rig* rig, std::size_t bone,
                                        skinlight_bone_info* info) {
  return c::call([&] {
    const Skeleton& skeleton = c::needed(rig, "rig").character.model().skeleton;
    const int node = row_at(skeleton.bone_node, bone);
    skinlight_bone_info own = {};
    own.name = skeleton.nodes[size(node)].name.c_str();
    own.parent = parent_bone(skeleton, node);
    c::give(own, info, "info");
  });
}

skinlight_status skinlight_rig_get_morph(const skinlight_rig* rig, std::size_t morph,
                                         skinlight_morph_info* info) {
  return c::call([&] {
    const Model& model = c::needed(rig, "rig").character.model();
    const MorphTarget& known = row_at(model.morphs, morph);
    skinlight_morph_info own = {};
    own.name = known.name.c_str();
    own.weight = morph < model.morph_weights.size() ? model.morph_weights[morph] : 0;
    own.vertex_count = known.vertex.size();
    c::give(own, info, "info");
  });
}

skinlight_status skinlight_rig_get_morph_weights(const skinlight_rig* rig, std::size_t clip, double seconds,
                                                 skinlight_output weights) {
  return c::call([&] {
    const Model& model = c::needed(rig, "rig").character.model();
    const std::vector<double> known =
        clip == model.clips.size()
            ? model.morph_weights
            : morph_weights_at(model.morph_weights, row_at(model.clips, clip), seconds);
    c::write(weights, known, 1, "weights");
  });
}

skinlight_status skinlight_rig_get_warning(const skinlight_rig* rig, std::size_t index,
                                           skinlight_warning* warning) {
  return c::call([&] {
    const Warning& known = row_at(c::needed(rig, "rig").character.model().warnings, index);
    skinlight_warning own = {};
    own.element = known.element.c_str();
    own.reason = known.reason.c_str();
    own.count = size(known.count);
    c::give(own, warning, "warning");
  });
}

skinlight_status skinlight_record_get_info(const skinlight_rig* rig, std::int32_t record,
                                           skinlight_record_info* info) {
  return c::call([&] {
    c::require_struct(info, "info");
    skinlight_record_info own = {};
    visit_record(rig, record, [&](const NormalRecord& known) {
      own.slots = size(known.slots);
      own.overflow_vertices = size(known.overflow.vertices);
      own.overflow_bones = size(known.overflow.bones);
      own.overflow_share = known.overflow.largest_share;
      own.worst_vertex = size(std::max(known.overflow.worst_vertex, 0));
      own.flat_vertices = size(known.flat_vertices);
    });
    c::give(own, info, "info");
  });
}

skinlight_status skinlight_record_get(const skinlight_rig* rig, std::int32_t record, std::int32_t column,
                                      skinlight_output output) {
  return c::call([&] { visit_record(rig, record, [&](const auto& known) { get(known, column, output); }); });
}

skinlight_status skinlight_centres_get(const skinlight_rig* rig, skinlight_output centres) {
  return c::call([&] {
    if (!c::wanted(centres, false, "centres")) throw c::BadCall{"centres: data is NULL"};
    c::write(centres, c::needed(rig, "rig").character.centres().centre, "centres");
  });
}

}  // extern "C"
