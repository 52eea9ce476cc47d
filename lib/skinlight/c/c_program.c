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
  skinlight_rig_arrays rig = {0};
  skinlight_judge_input in = {0};
  skinlight_report *report = NULL;
  skinlight_errors errors = {0};
  skinlight_fit best = {0};
  skinlight_status status;

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
  in.normals = skinlight_floats(rest);
  status = skinlight_judge(&in, &report);
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
