/* Judges normals from C with the installed skinlight.h: a fold of two bones whose normals forgot to follow. */
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
  skinlight_judge_input in = {0};
  skinlight_report *report = NULL;
  skinlight_fit best = {0};
  char message[200];

  in.struct_size = sizeof in;
  in.vertex_count = 4;
  in.face_count = 2;
  in.bone_count = 2;
  in.influences = 1;
  in.positions = positions;
  in.faces = faces;
  in.bones = bones;
  in.weights = weights;
  in.pose = pose;
  in.normals = normals;
  if (skinlight_judge(&in, &report, message, sizeof message) != SKINLIGHT_OK) {
    fprintf(stderr, "%s\n", message);
    return 1;
  }
  best.struct_size = sizeof best;
  if (skinlight_report_fit(report, SKINLIGHT_NORMALS, 0, &best) != SKINLIGHT_OK) return 1;
  printf("skinlight %s: %s\n", skinlight_version(), best.id);
  skinlight_report_free(report);
  return 0;
}
