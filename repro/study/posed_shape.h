// What [BTGM19] looks at when it compares skinning methods: where the skin goes, what happens to sections and
// volumes, how far the skin leaves the skeleton, and what of it can be seen.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "repro/experiment.h"
#include "repro/studio.h"
#include "repro/subject.h"

namespace skinlight::repro {

struct Skinning {
  Method method;
  const char* name;   // in tables and file names
  const char* label;  // for people
};

// The paper's three, then ours beside them.
inline constexpr std::array kSkinnings = {
    Skinning{Method::lbs, "lbs", "LBS"}, Skinning{Method::dqs, "dqs", "DQS"},
    Skinning{Method::crs, "crs", "CRS"}, Skinning{Method::sbs, "sbs", "SBS"},
    Skinning{Method::log, "log", "LOG"}};
inline constexpr std::size_t kPaperSkinnings = 3;

// The methods with their exact normals, under the names of kSkinnings; `count` of them.
std::vector<MethodCase> exact_methods(std::size_t count = kSkinnings.size());

// A rig or a model that an experiment's own code poses by every method.
class Stage {
 public:
  Stage(Character character, Workbench& bench) : subject_{std::move(character)}, bench_(bench) {}
  Stage(ProceduralRig rig, Workbench& bench) : Stage(Character(std::move(rig), {}, bench.threads), bench) {}

  const RiggedMesh& mesh() const { return subject_.mesh(); }
  // In double, #V by 3.
  std::vector<Vec3d> points(const Pose& pose, Method method) const;
  // Shaded with the method's exact normals.
  Image8 picture(const Pose& pose, const Skinning& skinning, const Framing& framing) const;
  // The camera that sees the poses under all the methods.
  Framing framing(const Shot& shot, std::span<const Pose> poses) const;
  // The largest difference between the GPU's captured vertices and the CPU's in float over all methods.
  double gpu_difference(const Pose& pose) const;

 private:
  Subject subject_;
  Workbench& bench_;
};

// The weight of a bone at a vertex, 0 when it has no slot.
double weight_of(const RiggedMesh& mesh, int vertex, int bone);

// Between vertices of two meshes, #V by 3 each.
double largest_distance(std::span<const Vec3d> a, std::span<const Vec3d> b);

// The volume inside a closed surface; p: #V by 3.
double enclosed_volume(std::span<const Face> faces, std::span<const Vec3d> p);

// The area inside the ring of vertices that lie at height z at rest, around the z axis: half the length of
// the ring's vector area, which is the area itself while the ring stays plane. rest, posed: #V by 3. Throws
// std::logic_error when there are not three such vertices.
double section_area(std::span<const Vec3d> rest, std::span<const Vec3d> posed, double z);

// A bone as a line segment of the rest pose.
struct BoneLine {
  Vec3d from, to;
  int bone;
};

// Bones along the z axis that meet at the heights in between the ends. z: ascending, #bones + 1.
std::vector<BoneLine> bones_along_z(std::span<const double> z);

// Where the origin of a bone's own frame lies at rest. Throws InputError when its inverse bind matrix cannot
// be inverted.
Vec3d joint_at_rest(const Skeleton& skeleton, int bone);

// From each bone of a model to those that hang on it. Throws as joint_at_rest().
std::vector<BoneLine> bones_of(const Skeleton& skeleton);

double distance_to_bones(Vec3d p, std::span<const BoneLine> bones);

// By how much each vertex is farther from the posed skeleton than it was from the skeleton at rest, the
// nearest bone counting: #V. rest, posed: #V by 3.
std::vector<double> distance_gained(std::span<const Vec3d> rest, std::span<const Vec3d> posed,
                                    std::span<const BoneLine> bones, const Pose& pose);

// The largest of them: the bulge.
double bulge(std::span<const Vec3d> rest, std::span<const Vec3d> posed, std::span<const BoneLine> bones,
             const Pose& pose);

}  // namespace skinlight::repro
