/* What one call costs in C, for who calls it from elsewhere: prints the microseconds of processor time of skinlight_skin()
 * on one triangle, positions and normals in double, the outputs given. The smallest of many rounds. */
#include <stdio.h>
#include <time.h>

#include "skinlight.h"

enum { ROUNDS = 9, CALLS = 2000 };

int main(void) {
  const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, weights[] = {1, 0, .5, .5, 0, 1};
  const double pose[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, /**/ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  const uint32_t face[] = {0, 1, 2}, bones[] = {0, 1, 0, 1, 0, 1};
  double posed[9], normals[9], best = 0;
  skinlight_rig* rig = NULL;
  skinlight_rig_arrays arrays = {0};
  skinlight_rig_options options = {0};
  skinlight_skin_output out = {0};
  arrays.struct_size = sizeof arrays;
  arrays.vertex_count = 3;
  arrays.face_count = 1;
  arrays.bone_count = 2;
  arrays.influences = 2;
  arrays.positions = skinlight_doubles(positions);
  arrays.weights = skinlight_doubles(weights);
  arrays.faces = skinlight_indices(face);
  arrays.bones = skinlight_indices(bones);
  options.struct_size = sizeof options;
  options.threads = 1;
  out.struct_size = sizeof out;
  out.positions = skinlight_double_output(posed);
  out.normals = skinlight_double_output(normals);
  if (skinlight_rig_create(&arrays, &options, &rig) != SKINLIGHT_OK) {
    fprintf(stderr, "%s\n", skinlight_error_text());
    return 2;
  }
  for (int round = 0; round < ROUNDS; ++round) {
    const clock_t start = clock();
    for (int call = 0; call < CALLS; ++call)
      if (skinlight_skin(rig, skinlight_doubles(pose), NULL, &out) != SKINLIGHT_OK) return 2;
    const double each = 1e6 * (double)(clock() - start) / CLOCKS_PER_SEC / CALLS;
    if (round == 0 || each < best) best = each;
  }
  skinlight_rig_free(rig);
  printf("%.3f\n", best);
  return 0;
}
