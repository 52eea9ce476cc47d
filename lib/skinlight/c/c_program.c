/* Strict C99 against the header: what its first comment shows. Called by c_test.cpp. */
#include <string.h>

#include "skinlight.h"

/* Two triangles bent by a second bone, which turns by a right angle about x. */
static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
static const uint32_t faces[] = {0, 1, 2, 2, 1, 3};
static const uint32_t bones[] = {0, 0, 1, 1};
static const float weights[] = {1, 1, 1, 1};
static const float pose[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, /**/ 1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0};

/* Judges the rest normals: they are wrong where the second bone moves. Returns the status. */
skinlight_status judge_from_c(double *max_error, char *id, size_t id_size) {
  static const float rest[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
  skinlight_judge_input in = {0};
  skinlight_report *report = NULL;
  skinlight_errors errors = {0};
  skinlight_fit best = {0};
  char message[200];
  skinlight_status status;

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
  in.normals = rest;
  status = skinlight_judge(&in, &report, message, sizeof message);
  if (status != SKINLIGHT_OK) return status;

  errors.struct_size = sizeof errors;
  status = skinlight_report_errors(report, SKINLIGHT_NORMALS, SKINLIGHT_RECOMPUTED, &errors);
  *max_error = errors.max;
  best.struct_size = sizeof best;
  if (status == SKINLIGHT_OK) status = skinlight_report_fit(report, SKINLIGHT_NORMALS, 0, &best);
  if (status == SKINLIGHT_OK) {
    strncpy(id, best.id, id_size - 1);
    id[id_size - 1] = '\0';
  }
  skinlight_report_free(report);
  return status;
}
