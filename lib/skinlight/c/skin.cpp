// Skinning, its truth and its errors.
#include "skinlight/skinning/skin.h"

#include "skinlight/c/detail/call.h"
#include "skinlight/c/detail/errors.h"
#include "skinlight/character/clip_error.h"

using namespace skinlight;

namespace {

NormalMode mode_of(std::int32_t constant, Method method) {
  if (constant == SKINLIGHT_USUAL_MODE) return method == Method::lbs ? NormalMode::deform : NormalMode::exact;
  constexpr std::array kModes = {NormalMode::standard,
                                 NormalMode::standard,
                                 NormalMode::inverse_transpose,
                                 NormalMode::cofactors,
                                 NormalMode::tangent_pair,
                                 NormalMode::deform_naive,
                                 NormalMode::deform,
                                 NormalMode::exact,
                                 NormalMode::smoothed,
                                 NormalMode::exact_fixed_centre,
                                 NormalMode::deform_vectors};
  return c::meaning(kModes, constant, "mode");
}

SkinOptions skin_options(const skinlight_skin_options* theirs, const Character& character) {
  const skinlight_skin_options own = c::own_version(theirs, "options");
  constexpr std::array kGuards = {Guard::none, Guard::clamp, Guard::joint, Guard::test_then_fix};
  SkinOptions options;
  options.method = c::method_of(own.method);
  options.mode = mode_of(own.mode, options.method);
  kernel_row(options.method, options.mode);  // throws where the method lacks the mode
  options.guard = row(c::meaning(kGuards, own.guard, "guard")).usual;
  if (own.own_guard != 0) {
    options.guard.c = own.guard_c;
    options.guard.k = own.guard_k;
  }
  options.threads = character.threads();
  return options;
}

Pose pose_of(const skinlight_array& pose, const Character& character) {
  try {
    return make_pose(c::transforms(pose, static_cast<std::size_t>(character.mesh().bone_count)));
  } catch (const InputError& e) {
    throw InputError("", "pose" + (e.element().empty() ? "" : ", " + e.element()), e.reason());
  }
}

template <class Real>
void skin_into(const skinlight_skin_output& out, const Character& character, const Pose& pose,
               const SkinOptions& options) {
  const SkinnedMesh<Real> posed =
      skin<Real>(character.mesh(), character.data(options.method, options.mode), pose, options);
  c::write(out.positions, posed.p, "positions");
  c::write(out.tangents, posed.t, "tangents");
  c::write(out.bitangents, posed.b, "bitangents");
  c::write(out.normals, posed.n, "normals");
}

// The type that all wanted outputs share.
std::int32_t type_of(const skinlight_skin_output& out) {
  std::int32_t type = -1;
  for (const skinlight_output& output : {out.positions, out.tangents, out.bitangents, out.normals}) {
    if (!c::wanted(output, false, "output")) continue;
    if (type != -1 && output.type != type) throw c::BadCall{"output: the types differ"};
    type = output.type;
  }
  if (type == -1) throw c::BadCall{"output: nothing is wanted"};
  return type;
}

}  // namespace

skinlight_errors c::errors_of(const NormalError& e) {
  skinlight_errors errors = {};
  errors.mean = e.mean;
  errors.rms = e.rms;
  errors.p95 = e.p95;
  errors.p99 = e.p99;
  errors.max = e.max;
  errors.worst_vertex = static_cast<std::uint64_t>(std::max(e.worst_vertex, 0));
  errors.flips = static_cast<std::uint64_t>(e.flips);
  return errors;
}

extern "C" {

skinlight_status skinlight_skin(const skinlight_rig* rig, skinlight_array pose,
                                const skinlight_skin_options* options, const skinlight_skin_output* output) {
  return c::call([&] {
    const Character& character = c::needed(rig, "rig").character;
    const skinlight_skin_output out = c::own_version(&c::needed(output, "output"), "output");
    const std::int32_t type = type_of(out);
    const SkinOptions own = skin_options(options, character);
    const Pose posed = pose_of(pose, character);
    if (type == SKINLIGHT_F32)
      skin_into<float>(out, character, posed, own);
    else
      skin_into<double>(out, character, posed, own);
  });
}

skinlight_status skinlight_truth(const skinlight_rig* rig, skinlight_array pose, std::int32_t method,
                                 const skinlight_truth_output* output) {
  return c::call([&] {
    const Character& character = c::needed(rig, "rig").character;
    const skinlight_truth_output out = c::own_version(&c::needed(output, "output"), "output");
    for (const skinlight_output& o : {out.positions, out.transported, out.recomputed, out.areas})
      c::wanted(o, false, "output");
    const PosedTruth truth = posed_truth(character, pose_of(pose, character), c::method_of(method));
    c::write(out.positions, truth.p, "positions");
    c::write(out.transported, truth.transported, "transported");
    c::write(out.recomputed, truth.recomputed, "recomputed");
    c::write(out.areas, truth.areas, 1, "areas");
  });
}

skinlight_status skinlight_angular_errors(std::size_t count, skinlight_array directions,
                                          skinlight_array truth, skinlight_array weights,
                                          skinlight_errors* errors) {
  return c::call([&] {
    c::require_struct(errors, "errors");
    c::count_of(count, "count");
    c::require_array(directions, "directions");
    c::require_array(truth, "truth");
    std::vector<double> share = c::numbers(weights, count, 1, "weights");
    if (share.empty()) share.assign(count, 1.0);
    c::give(c::errors_of(angular_error(c::vectors(directions, count, "directions"),
                                       c::vectors(truth, count, "truth"), share, "weights")),
            errors, "errors");
  });
}

skinlight_status skinlight_clip_errors(const skinlight_rig* rig, std::size_t clip, std::size_t frames,
                                       const skinlight_skin_options* options, std::int32_t truth,
                                       skinlight_errors* errors) {
  return c::call([&] {
    const Character& character = c::needed(rig, "rig").character;
    c::require_struct(errors, "errors");
    constexpr std::array kTruths = {Truth::transported, Truth::recomputed};
    const std::vector<Clip>& clips = character.model().clips;
    if (clip >= clips.size()) throw c::BadCall{"clip " + std::to_string(clip) + " does not exist"};
    const SkinOptions own = skin_options(options, character);
    const Truth against = c::meaning(kTruths, truth, "truth");
    const ClipError measured = clip_error(character, clips[clip], c::count_of(frames, "frames"), {&own, 1});
    c::give(c::errors_of(measured.of(0, against).error), errors, "errors");
  });
}

}  // extern "C"
