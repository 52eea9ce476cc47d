// Judges normals that another program computed: how far they are off, and which mistake explains them. The "other program"
// is the function my_normals(), with a mistake that is often made.
//
//   judge_normals hero.glb
#include <cstdio>
#include <exception>

#include "skinlight/asset/model_file.h"
#include "skinlight/audit/judge.h"
#include "skinlight/character/clip_error.h"

using namespace skinlight;

// The rest normals, moved by the strongest bone alone.
std::vector<Vec3d> my_normals(const RiggedMesh& mesh, const Pose& pose) {
  std::vector<Vec3d> normals;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Mat4x3d& bone = pose.M[static_cast<std::size_t>(mesh.bones_of(v)[0])];
    const Vec3d n = mesh.n0[static_cast<std::size_t>(v)];
    normals.push_back(bone[0] * n.x + bone[1] * n.y + bone[2] * n.z);
  }
  return normals;
}

int main(int argc, char** argv) try {
  if (argc != 2) return std::puts("usage: judge_normals MODEL"), 2;
  const Model hero = read_model(argv[1]);
  const Clip clip = clips_or_default_pose(hero).front();
  const Pose pose = pose_at(hero.skeleton, clip, clip.duration / 2);

  // Everything as arrays, as any program has them.
  JudgeInput input;
  input.rig.positions = hero.mesh.p0;
  input.rig.faces = hero.mesh.faces;
  input.rig.influences = hero.mesh.slots;
  input.rig.bones = hero.mesh.bone;
  input.rig.weights = hero.mesh.weight;
  input.rig.rest_normals = hero.mesh.n0;
  input.pose = pose.M;
  input.normals = my_normals(hero.mesh, pose);
  std::fputs(judgement_text(judge(input)).c_str(), stdout);
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 2;
}
