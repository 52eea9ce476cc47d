/* Judges normals from C through skinlight.h: a fold of two bones whose normals did not follow. */
#include <skinlight.h>
#include <stdio.h>

static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
static const uint32_t faces[] = {0, 1, 2, 2, 1, 3};
static const uint32_t bones[] = {0, 0, 1, 1};
static const float weights[] = {1, 1, 1, 1};
/* The second bone turns by a right angle about x. */
static const float pose[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0};
static const float normals[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};

int main(void) {
  skinlight_rig_arrays rig = {0};
  skinlight_judge_input in = {0};
  skinlight_report* report = NULL;
  skinlight_fit best = {0};

  rig.struct_size = sizeof rig;
  rig.vertex_count = 4;
  rig.face_count = 2;
  rig.bone_count = 2;
  rig.influences = 1;
  rig.positions = skinlight_floats(positions);
  rig.faces = skinlight_indices(faces);
  rig.bones = skinlight_indices(bones);
  rig.weights = skinlight_floats(weights);
  in.struct_size = sizeof in;
  in.rig = &rig;
  in.pose = skinlight_floats(pose);
  in.normals = skinlight_floats(normals);
  if (skinlight_judge(&in, &report) != SKINLIGHT_OK) {
    fprintf(stderr, "%s\n", skinlight_error_text());
    return 1;
  }
  best.struct_size = sizeof best;
  if (skinlight_report_fit(report, SKINLIGHT_NORMALS, 0, &best) != SKINLIGHT_OK) return 1;
  printf("skinlight %s: %s\n", skinlight_version(), best.id);
  skinlight_report_free(report);
  return 0;
}
