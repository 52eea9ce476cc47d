// Skinning, its truth and its errors.
#include "skinlight/skinning/skin.h"

#include <limits>

#include "skinlight/c/detail/errors.h"
#include "skinlight/c/detail/posing.h"
#include "skinlight/character/clip_error.h"
#include "skinlight/skinning/way.h"

using namespace skinlight;

namespace {

template <class Real>
void skin_into(const skinlight_skin_output& out, const RiggedMesh& rest, const Character& character,
               const Pose& pose, const SkinOptions& options) {
  SkinnedMesh<Real> posed = skin<Real>(rest, character.data(options.method, options.mode), pose, options);
  c::write(out.positions, posed.p, "positions");
  c::write(out.tangents, posed.t, "tangents");
  for (auto& b : posed.b) b = -b;  // as w has it, not along rising v
  c::write(out.bitangents, posed.b, "bitangents");
  c::write(out.normals, posed.n, "normals");
}

PosedTruth truth_of(const Character& character, const Pose& pose, Method method, const c::Morphed& morphed) {
  if (morphed.positions().empty()) return posed_truth(character, pose, method);
  const SkinOptions way{.method = method,
                        .mode = NormalMode::standard,
                        .threads = character.threads(),
                        .outputs = Outputs::positions};
  std::vector<Vec3d> p = skin<double>(morphed.rest(way.mode), character.data(method, way.mode), pose, way).p;
  return truth_of_positions(character.mesh(), character.surface(), pose, std::move(p), method,
                            morphed.positions());
}

Clip clip_at(const Model& model, std::size_t index) {
  if (index < model.clips.size()) return model.clips[index];
  if (index == model.clips.size() && model.skeleton.bone_count() > 0) return {};  // moves nothing
  throw c::BadCall{"clip " + std::to_string(index) + " does not exist"};
}

void require_area(const ClipError& measured) {
  if (!measured.is_measured())
    throw InputError("", "clip '" + measured.clip + "'", "the posed mesh has no area in any frame");
}

// A way to skin over a clip: its own morph weights move it.
SkinOptions clip_options(const skinlight_skin_options* theirs, const char* what, const Character& character) {
  const skinlight_skin_options own = c::own_version(theirs, what);
  if (own.morph_weights.data) throw c::BadCall{std::string(what) + ": morph weights are those of the clip"};
  return c::skin_options(own, character);
}

// angular_error() does not know which array a vertex is of.
void require_directions(std::span<const Vec3d> rows, const char* what) {
  for (std::size_t v = 0; v < rows.size(); ++v)
    if (!std::isfinite(rows[v].x) || !std::isfinite(rows[v].y) || !std::isfinite(rows[v].z) ||
        rows[v] == Vec3d(0.0))
      throw InputError("", std::string(what) + ", vertex " + std::to_string(v),
                       "is no direction: it is not finite, or has no length");
}

void require_weights(std::span<const double> weights) {
  for (std::size_t v = 0; v < weights.size(); ++v)
    if (!(weights[v] >= 0) || !std::isfinite(weights[v]))
      throw InputError("", "weights, vertex " + std::to_string(v), "is negative, or not finite");
  if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 0; }))
    throw InputError("", "weights", "sum to 0");
}

constexpr std::array kTruths = {Truth::transported, Truth::recomputed};

std::span<const Truth> truths_of(std::int32_t constant) {
  if (constant == SKINLIGHT_BOTH_TRUTHS) return kTruths;
  const Truth* one = std::find(kTruths.begin(), kTruths.end(), c::meaning(kTruths, constant, "truth"));
  return {one, 1};
}

static_assert(kUsualFrames == SKINLIGHT_USUAL_FRAMES);
int frames_of(std::size_t frames) { return frames == 0 ? kUsualFrames : c::count_of(frames, "frames"); }

// An entry of an array of structs, as large as the caller's version of them.
template <class T>
T* entry(T* first, std::size_t index) {
  using Bytes = std::conditional_t<std::is_const_v<T>, const char, char>;
  return reinterpret_cast<T*>(reinterpret_cast<Bytes*>(first) + index * first->struct_size);
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
    const std::int32_t type = c::type_of(out);
    const skinlight_skin_options way = c::own_version(options, "options");
    SkinOptions own = c::skin_options(way, character);
    own.outputs = c::outputs_of(out);
    const Pose posed = c::pose_of(pose, character);
    const c::Morphed morphed(character, way.morph_weights);
    if (type == SKINLIGHT_F32)
      skin_into<float>(out, morphed.rest(own.mode), character, posed, own);
    else
      skin_into<double>(out, morphed.rest(own.mode), character, posed, own);
  });
}

skinlight_status skinlight_way_warning(const skinlight_rig* rig, const skinlight_skin_options* options,
                                       skinlight_warning* warning) {
  return c::call([&] {
    const Character& character = c::needed(rig, "rig").character;
    c::require_struct(warning, "warning");
    const SkinOptions way = c::skin_options(c::own_version(options, "options"), character);
    thread_local Warning told;
    skinlight_warning own = {};
    if (auto found = morph_warning(character.model(), way)) {
      told = std::move(*found);
      own.element = told.element.c_str();
      own.reason = told.reason.c_str();
      own.count = static_cast<std::size_t>(told.count);
    }
    c::give(own, warning, "warning");
  });
}

skinlight_status skinlight_truth(const skinlight_rig* rig, skinlight_array pose, std::int32_t method,
                                 const skinlight_truth_output* output) {
  return c::call([&] {
    const Character& character = c::needed(rig, "rig").character;
    const skinlight_truth_output out = c::own_version(&c::needed(output, "output"), "output");
    for (const skinlight_output& o : {out.positions, out.transported, out.recomputed, out.areas})
      c::wanted(o, false, "output");
    const PosedTruth truth = truth_of(character, c::pose_of(pose, character), c::method_of(method),
                                      c::Morphed(character, out.morph_weights));
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
    const std::vector<Vec3d> n = c::vectors(directions, count, "directions"),
                             of = c::vectors(truth, count, "truth");
    require_directions(n, "directions");
    require_directions(of, "truth");
    require_weights(share);
    c::give(c::errors_of(angular_error(n, of, share, "weights")), errors, "errors");
  });
}

skinlight_status skinlight_usual_way(std::int32_t method, std::size_t index, skinlight_skin_options* way) {
  return c::call([&] {
    c::require_struct(way, "way");
    const std::vector<SkinOptions> ways = usual_ways(c::method_of(method));
    if (index >= ways.size()) throw c::BadCall{"way " + std::to_string(index) + " does not exist"};
    skinlight_skin_options own = {};
    own.method = method;
    own.mode = c::constant_of(c::kModes, ways[index].mode) + SKINLIGHT_STANDARD;
    own.guard = c::constant_of(c::kGuards, ways[index].guard.guard);
    c::give(own, way, "way");
  });
}

std::size_t skinlight_usual_way_count(std::int32_t method) {
  if (method < 0 || static_cast<std::size_t>(method) >= c::kMethods.size()) return 0;
  return usual_ways(c::kMethods[static_cast<std::size_t>(method)]).size();
}

skinlight_status skinlight_clip_errors(const skinlight_rig* rig, std::size_t clip, std::size_t frames,
                                       const skinlight_skin_options* options, std::int32_t truth,
                                       skinlight_errors* errors) {
  return c::call([&] {
    const Character& character = c::needed(rig, "rig").character;
    c::require_struct(errors, "errors");
    const Clip of = clip_at(character.model(), clip);
    const SkinOptions own = clip_options(options, "options", character);
    const Truth against = c::meaning(kTruths, truth, "truth");
    const ClipError measured = clip_error(character, of, frames_of(frames), {&own, 1});
    require_area(measured);
    c::give(c::errors_of(measured.of(0, against).error), errors, "errors");
  });
}

skinlight_status skinlight_compare(const skinlight_rig* rig, const skinlight_comparison* comparison) {
  return c::call([&] {
    const Character& character = c::needed(rig, "rig").character;
    const skinlight_comparison own = c::own_version(&c::needed(comparison, "comparison"), "comparison");
    const Clip clip = clip_at(character.model(), own.clip);
    const std::span<const Truth> truths = truths_of(own.truth);
    const int frames = frames_of(own.frames);
    c::count_of(own.way_count, "way_count");
    c::needed(own.ways, "ways");
    std::vector<SkinOptions> ways;
    c::require_struct(own.ways, "ways");
    for (std::size_t w = 0; w < own.way_count; ++w) {
      if (entry(own.ways, w)->struct_size != own.ways->struct_size)
        throw c::BadCall{"ways: the sizes differ"};
      ways.push_back(clip_options(entry(own.ways, w), "ways", character));
    }
    if (own.errors) c::require_struct(own.errors, "errors");
    for (const skinlight_output& o : {own.seconds, own.means, own.max_seconds}) c::wanted(o, false, "output");
    const ClipError measured = clip_error(character, clip, frames, ways);
    require_area(measured);
    const std::size_t rows = ways.size() * truths.size();
    const auto measure_of = [&](std::size_t r) -> const ClipModeError& {
      return measured.of(r / truths.size(), truths[r % truths.size()]);
    };
    if (own.errors)
      for (std::size_t r = 0; r < rows; ++r) {
        skinlight_errors* one = entry(own.errors, r);
        one->struct_size = own.errors->struct_size;
        c::give(c::errors_of(measure_of(r).error), one, "errors");
      }
    c::write(own.seconds, measured.times, 1, "seconds");
    std::vector<double> means, max_seconds;
    for (std::size_t r = 0; r < rows; ++r) {
      for (const NormalError& frame : measure_of(r).frames)
        means.push_back(frame.worst_vertex < 0 ? std::numeric_limits<double>::quiet_NaN() : frame.mean);
      max_seconds.push_back(measured.times[static_cast<std::size_t>(measure_of(r).max_frame)]);
    }
    c::write(own.means, means, measured.times.size(), "means");
    c::write(own.max_seconds, max_seconds, 1, "max_seconds");
  });
}

}  // extern "C"
