// Batches: a rig prepared once, posed every frame.
#include "skinlight/skinning/batch/batch.h"

#include "skinlight/c/detail/posing.h"

using namespace skinlight;

// What skinlight.h calls a batch.
struct skinlight_batch {
  Character character;  // for the number of bones
  SkinBatch batch;
  Outputs outputs;
  SkinnedMesh<float> own = {};  // for what cannot be written in place
};

namespace {

// One of the outputs, in the order of Outputs.
struct Wanted {
  const skinlight_output& output;
  std::vector<Vec3f>& own;
  const char* what;
};

// Where the batch writes it: the caller's memory, or that of the batch where rows have gaps or nobody asked.
float* place(const Wanted& wanted, std::size_t vertices) {
  const skinlight_output& o = wanted.output;
  // Rows of floats at an odd address are written byte by byte.
  if (o.data && (o.stride == 0 || o.stride == sizeof(Vec3f)) &&
      reinterpret_cast<std::uintptr_t>(o.data) % alignof(float) == 0)
    return static_cast<float*>(o.data);
  wanted.own.resize(vertices);
  return &wanted.own.front().x;
}

}  // namespace

extern "C" {

skinlight_status skinlight_batch_create(const skinlight_rig* rig, const skinlight_batch_options* options,
                                        skinlight_batch** batch) {
  if (batch) *batch = nullptr;
  return c::call([&] {
    c::needed(batch, "batch");
    const Character& character = c::needed(rig, "rig").character;
    const skinlight_batch_options own = c::own_version(options, "options");
    const skinlight_skin_options way = c::own_version(own.skin, "options, skin");
    constexpr std::array kOutputs = {Outputs::frame, Outputs::positions, Outputs::normals, Outputs::tangents};
    SkinOptions how = c::skin_options(way, character);
    how.outputs = c::meaning(kOutputs, own.outputs, "outputs");
    if (own.threads != 0) how.threads = c::threads_of(own.threads);
    const c::Morphed morphed(character, way.morph_weights);
    SkinBatch made(morphed.rest(how.mode), character.data(how.method, how.mode), how);
    *batch = new skinlight_batch{character, std::move(made), how.outputs};
  });
}

skinlight_status skinlight_batch_copy(const skinlight_batch* batch, skinlight_batch** copy) {
  if (copy) *copy = nullptr;
  return c::call([&] {
    c::needed(copy, "copy");
    const skinlight_batch& known = c::needed(batch, "batch");
    *copy = new skinlight_batch{known.character, known.batch, known.outputs};
  });
}

void skinlight_batch_free(skinlight_batch* batch) { delete batch; }

skinlight_status skinlight_batch_skin(skinlight_batch* batch, skinlight_array pose,
                                      const skinlight_skin_output* output) {
  return c::call([&] {
    skinlight_batch& of = c::needed(batch, "batch");
    const skinlight_skin_output out = c::own_version(&c::needed(output, "output"), "output");
    if (c::type_of(out) != SKINLIGHT_F32) throw c::BadCall{"output: a batch poses in SKINLIGHT_F32"};
    if (c::outputs_of(out) > of.outputs) throw c::BadCall{"output: more than the batch computes"};
    const Pose posed = c::pose_of(pose, of.character);
    const std::array<Wanted, 4> all = {{{out.positions, of.own.p, "positions"},
                                        {out.normals, of.own.n, "normals"},
                                        {out.tangents, of.own.t, "tangents"},
                                        {out.bitangents, of.own.b, "bitangents"}}};
    std::array<float*, 4> places = {};
    const auto count = static_cast<std::size_t>(of.batch.vertex_count());
    for (std::size_t i = 0; i < static_cast<std::size_t>(of.outputs); ++i) places[i] = place(all[i], count);
    of.batch.skin(posed, PosedArrays{places[0], places[1], places[2], places[3]});
    // Along rising v, while callers have w as glTF: b = w n x t.
    if (of.outputs == Outputs::frame)
      for (std::size_t i = 0; i < 3 * count; ++i) places[3][i] = -places[3][i];
    for (std::size_t i = 0; i < static_cast<std::size_t>(of.outputs); ++i)
      if (places[i] != all[i].output.data) c::write(all[i].output, all[i].own, all[i].what);
  });
}

}  // extern "C"
