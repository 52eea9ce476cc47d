#include "repro/subject.h"

#include <cmath>

#include "repro/runner/model_catalogue.h"
#include "skinlight/core/error.h"

namespace skinlight::repro {

namespace {

template <class T>
double largest_difference(const std::vector<Vec3<T>>& a, const std::vector<Vec3<T>>& b) {
  double largest = 0;
  for (std::size_t v = 0; v < a.size(); ++v)
    for (int i = 0; i < 3; ++i)
      largest = std::fmax(largest, std::abs(static_cast<double>(a[v][i]) - b[v][i]));
  return largest;
}

}  // namespace

Subject subject_of(const RigCase& rig, int threads) {
  return {Character(rig.make(), {}, threads), rig.normal_map ? rig.normal_map() : Image8()};
}

Character character_of(const ModelCase& of, int threads) {
  Model loaded = load_model(model(of.name));
  if (!of.clips.empty()) {
    std::vector<Clip> clips;
    for (const std::string& clip : of.clips) clips.push_back(clip_named(loaded, clip));
    loaded.clips = std::move(clips);
  }
  if (of.max_influences == 0) return Character(std::move(loaded), {}, threads);
  limit_influences(loaded.mesh, of.max_influences);
  return Character(std::move(loaded), {.max_slots = of.max_influences}, threads);
}

const Clip& clip_named(const Model& model, const std::string& clip) {
  std::string known;
  for (const Clip& c : model.clips) {
    if (c.name == clip) return c;
    known += (known.empty() ? "" : ", ") + c.name;
  }
  throw InputError(model.name, "clip '" + clip + "'", "is not in the file; it has " + known);
}

const GpuSkin& Subject::on_gpu(const MethodCase& method, Studio& studio) const {
  const SkinData skinned_with = data_of(character, method);
  const std::array<const void*, 4> key = {skinned_with.factors, skinned_with.vectors, skinned_with.frames,
                                          skinned_with.centres};
  return rigs
      .try_emplace(key, studio.context(), mesh(), skinned_with, normal_map.width > 0 ? &normal_map : nullptr,
                   dress.on(mesh()))
      .first->second;
}

const SkinnedMesh<float>& PosedSubject::captured(const std::string& method) {
  const auto [entry, is_new] = captured_.try_emplace(method);
  if (is_new) {
    const MethodCase& m = named(experiment_.methods, method);
    entry->second = subject_.on_gpu(m, studio_).capture(pose_, m.options);
  }
  return entry->second;
}

double PosedSubject::difference_from_cpu(const std::string& method) {
  const MethodCase& m = named(experiment_.methods, method);
  SkinOptions options = m.options;
  options.threads = threads_;
  const SkinnedMesh<float>& gpu = captured(method);
  const SkinnedMesh<float> cpu =
      skinlight::skin<float>(mesh(), data_of(subject_.character, m), pose_, options);
  return std::fmax(std::fmax(largest_difference(gpu.p, cpu.p), largest_difference(gpu.n, cpu.n)),
                   std::fmax(largest_difference(gpu.t, cpu.t), largest_difference(gpu.b, cpu.b)));
}

const std::vector<Vec3f>& PosedSubject::points(const std::string& method) {
  const MethodCase& m = named(experiment_.methods, method);
  const auto [entry, is_new] = points_.try_emplace(m.options.method);
  if (is_new) {
    const SkinOptions options{.method = m.options.method, .mode = NormalMode::standard, .threads = threads_};
    entry->second = skinlight::skin<float>(mesh(), data_of(subject_.character, m), pose_, options).p;
  }
  return entry->second;
}

Sight PosedSubject::posed(const std::string& method) {
  const MethodCase& m = named(experiment_.methods, method);
  return SkinnedRig{subject_.on_gpu(m, studio_), pose_, m.options};
}

Sight PosedSubject::truth(const std::string& method) {
  const MethodCase& m = named(experiment_.methods, method);
  const auto [entry, is_new] = truth_.try_emplace(m.options.method);
  if (is_new) {
    const Character& character = subject_.character;
    const PosedTruth truth = posed_truth(character.with(m.preparation), pose_, m.options.method);
    const std::vector<Vec3d> n = character.has_exact_gradients()
                                     ? character.analytic_normals(pose_, m.options.method)
                                     : truth.transported;
    const TangentFrames frames = posed_tangent_frames(mesh(), truth.p, n);
    entry->second = {to_float(truth.p), to_float(frames.t0), to_float(frames.b0), to_float(n)};
  }
  return view(entry->second);
}

Sight PosedSubject::rest() {
  if (!rest_) rest_ = {to_float(mesh().p0), to_float(mesh().t0), to_float(mesh().b0), to_float(mesh().n0)};
  return view(*rest_);
}

PosedMesh PosedSubject::view(const SkinnedMesh<float>& posed) const {
  PosedMesh mesh_view{mesh().faces, posed.p, posed.n};
  if (subject_.normal_map.width > 0) mesh_view.relief = {posed.t, posed.b, mesh().uv, &subject_.normal_map};
  mesh_view.paint = subject_.dress.on(mesh());
  return mesh_view;
}

}  // namespace skinlight::repro
