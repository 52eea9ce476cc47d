// Skins a character with right normals, frame by frame, and says what they are worth.
//
//   skin_character hero.glb
#include <cstdio>
#include <exception>

#include "skinlight/asset/model_file.h"
#include "skinlight/character/character.h"
#include "skinlight/character/clip_error.h"
#include "skinlight/skinning/batch/batch.h"

using namespace skinlight;

int main(int argc, char** argv) try {
  if (argc != 2) return std::puts("usage: skin_character MODEL"), 2;

  // Once per character. factors() are the deform factors: the derivatives of the bones' weights along both tangents.
  const Character hero(read_model(argv[1]));
  const SkinOptions right{.guard = kRecommendedGuard};
  SkinBatch batch(hero.mesh(), hero.factors(), right);

  // Per frame: a pose, then positions, normals and tangents of all vertices, in float as a GPU computes them.
  const Clip clip = clips_or_default_pose(hero.model()).front();
  constexpr int kFrames = 21;
  SkinnedMesh<float> posed;  // keeps its memory from frame to frame
  for (int frame = 0; frame < kFrames; ++frame) {
    batch.skin(pose_at(hero.model().skeleton, clip, clip.duration * frame / (kFrames - 1)), posed);
    // Here an engine draws posed.p, posed.n, posed.t and posed.b, one entry per vertex of the file.
  }
  std::printf("%d frames of '%s', %d vertices\n", kFrames, clip.name.c_str(), batch.vertex_count());

  // How far are they from the truth, which is the rest normals carried along by the posed triangles?
  const SkinOptions ways[] = {{.mode = NormalMode::standard}, right};
  const ClipError error = clip_error(hero, clip, kFrames, ways);
  std::printf("standard normals are %.2f degrees off on average\n",
              error.of(0, Truth::transported).error.mean);
  std::printf("with deform factors it is %.2f degrees\n", error.of(1, Truth::transported).error.mean);
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 2;
}
