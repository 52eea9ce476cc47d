#include "repro/subject.h"

#include <cmath>

#include "skinlight/core/error.h"
#include "skinlight/truth/truth.h"

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

Subject subject_of(const PreparedRig& rig, const RigCase& rig_case) {
  Subject subject{rig.mesh(), rig.surface(), [&rig](const MethodCase& m) { return rig.data_of(m); }, {}, {}};
  if (rig.has_analytic_truth())
    subject.analytic = [&rig](const Pose& pose, Method method) { return rig.analytic_normals(pose, method); };
  if (rig_case.normal_map) subject.normal_map = rig_case.normal_map();
  return subject;
}

Subject subject_of(const PreparedModel& model) {
  return {model.model.mesh, model.surface, [&model](const MethodCase&) { return model.data(); }, {}, {}};
}

const Clip& clip_named(const Model& model, const std::string& clip) {
  std::string known;
  for (const Clip& c : model.clips) {
    if (c.name == clip) return c;
    known += (known.empty() ? "" : ", ") + c.name;
  }
  throw InputError(model.name, "clip '" + clip + "'", "is not in the file; it has " + known);
}

const SkinnedMesh<float>& PosedSubject::posed(const std::string& method) {
  const auto [entry, is_new] = posed_.try_emplace(method);
  if (is_new) {
    const MethodCase& m = named(experiment_.methods, method);
    entry->second = studio_.skin(mesh(), subject_.data(m), pose_, m.options);
  }
  return entry->second;
}

double PosedSubject::difference_from_cpu(const std::string& method) {
  const MethodCase& m = named(experiment_.methods, method);
  SkinOptions options = m.options;
  options.threads = threads_;
  const SkinnedMesh<float>& gpu = posed(method);
  const SkinnedMesh<float> cpu = skinlight::skin<float>(mesh(), subject_.data(m), pose_, options);
  return std::fmax(std::fmax(largest_difference(gpu.p, cpu.p), largest_difference(gpu.n, cpu.n)),
                   std::fmax(largest_difference(gpu.t, cpu.t), largest_difference(gpu.b, cpu.b)));
}

const SkinnedMesh<float>& PosedSubject::truth(const std::string& method) {
  const MethodCase& m = named(experiment_.methods, method);
  const auto [entry, is_new] = truth_.try_emplace(m.options.method);
  if (is_new) {
    const PosedTruth truth =
        posed_truth(mesh(), subject_.surface, subject_.data(m), pose_, m.options.method, threads_);
    const std::vector<Vec3d> n =
        subject_.analytic ? subject_.analytic(pose_, m.options.method) : truth.transported;
    const TangentFrames frames = posed_tangent_frames(mesh(), truth.p, n);
    entry->second = {posed(method).p, to_float(frames.t0), to_float(frames.b0), to_float(n)};
  }
  return entry->second;
}

SkinnedMesh<float> PosedSubject::rest() const {
  return {to_float(mesh().p0), to_float(mesh().t0), to_float(mesh().b0), to_float(mesh().n0)};
}

PosedMesh PosedSubject::view(const SkinnedMesh<float>& posed) const {
  PosedMesh mesh_view{mesh().faces, posed.p, posed.n};
  if (subject_.normal_map.width > 0) mesh_view.relief = {posed.t, posed.b, mesh().uv, &subject_.normal_map};
  return mesh_view;
}

}  // namespace skinlight::repro
