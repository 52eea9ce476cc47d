#include "repro/runner/close_up.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace skinlight::repro {

namespace {

constexpr double kNearlyAsEven = .01;  // of weight

// The vertex and all that share a face with it, seam twins too, `times` over.
std::set<int> around(const Character& character, int vertex, int times) {
  const Surface& surface = character.surface();
  std::set<int> here = {surface.vertex_of(vertex)};
  for (int ring = 0; ring < times; ++ring) {
    std::set<int> wider = here;
    for (const Face& face : character.mesh().faces) {
      const auto known = [&](int v) { return here.count(surface.vertex_of(v)) > 0; };
      if (std::any_of(face.begin(), face.end(), known))
        for (const int v : face) wider.insert(surface.vertex_of(v));
    }
    here = wider;
  }
  return here;
}

// By area, of the posed faces at the vertex; zero where they cancel.
Vec3d posed_normal(const Character& character, int vertex, std::span<const Vec3f> p) {
  const Surface& surface = character.surface();
  Vec3d sum(0.0);
  for (const Face& face : character.mesh().faces) {
    if (std::none_of(face.begin(), face.end(),
                     [&](int v) { return surface.vertex_of(v) == surface.vertex_of(vertex); }))
      continue;
    const auto at = [&](int corner) {
      return Vec3d(p[static_cast<std::size_t>(face[static_cast<std::size_t>(corner)])]);
    };
    sum += cross(at(1) - at(0), at(2) - at(0));
  }
  return sum;
}

// Straight at the vertex, from outside.
Framing framing_at(const Character& character, int vertex, std::span<const Vec3f> p, const Shot& shot) {
  Shot close = shot;
  close.width = close.height = kCloseUpPixels;
  const Vec3d n = posed_normal(character, vertex, p);
  if (length(n) > 0) {
    close.view.towards_eye = n;
    constexpr double kUpright = .8;  // cosine, far from what symmetric rigs have
    close.view.up = std::abs(n.y) < kUpright * length(n) ? Vec3d(0, 1, 0) : Vec3d(1, 0, 0);
  }
  std::vector<Vec3f> points;
  constexpr int kRings = 2;
  for (const int v : around(character, vertex, kRings))
    points.push_back(p[static_cast<std::size_t>(character.surface().representative(v))]);
  return framing_of(close, {points});
}

}  // namespace

int close_up_vertex(const RiggedMesh& mesh) {
  std::vector<double> shared;  // the share of all bones but the strongest
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const double* w = mesh.weight.data() + static_cast<std::ptrdiff_t>(v) * mesh.slots;
    shared.push_back(1 - *std::max_element(w, w + mesh.slots));
  }
  const double most = *std::max_element(shared.begin(), shared.end());
  const auto first =
      std::find_if(shared.begin(), shared.end(), [&](double s) { return s >= most - kNearlyAsEven; });
  return static_cast<int>(first - shared.begin());
}

Image8 close_up(const Experiment& experiment, const Subject& subject, const Pose& pose, Studio& studio,
                int threads) {
  PosedSubject posed(experiment, subject, pose, studio, threads);
  const int vertex = close_up_vertex(subject.mesh());
  Image8 strip(kCloseUpPixels * static_cast<int>(experiment.methods.size()), kCloseUpPixels, {255, 255, 255});
  int x = 0;
  for (const MethodCase& method : experiment.methods) {
    const Framing framing = framing_at(subject.character, vertex, posed.points(method.name), experiment.shot);
    paste(studio.reflection(posed.posed(method.name), framing, kCloseUpStripes), x, 0, strip);
    x += kCloseUpPixels;
  }
  return strip;
}

void draw_close_up(const Experiment& experiment, Studio& studio, int threads, const Progress& progress,
                   const std::filesystem::path& folder, std::vector<Output>& outputs) {
  if (experiment.rigs.empty() || experiment.poses.empty() || experiment.methods.empty()) return;
  progress("drawing close_up.png");
  const RigCase& rig =
      experiment.npy_rig.empty() ? experiment.rigs.front() : named(experiment.rigs, experiment.npy_rig);
  const PoseCase& pose = experiment.poses.back();
  const Subject subject = subject_of(rig, threads);
  write_png(folder / "close_up.png", close_up(experiment, subject, pose.make(), studio, threads));
  std::string caption = "Lines of reflection around one vertex, stripes of 6 degrees, ";
  caption.append(pose.name).append("; from left to right");
  const char* comma = ": ";
  for (const MethodCase& method : experiment.methods) {
    caption.append(comma).append(method.label);
    comma = ", ";
  }
  outputs.push_back({"close_up.png", "image", caption});
}

}  // namespace skinlight::repro
