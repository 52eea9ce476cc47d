/* Strict C99 against the header: one small program per group of functions. Called by c_groups_test.cpp. Each returns
 * the status of what failed first. */
#include "c_groups.h"

#include <string.h>

/* Two quads bent by a second bone, which turns by a right angle about x. */
static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0};
static const uint32_t faces[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
static const uint32_t bones[] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
static const float weights[] = {1, 0, 1, 0, .5f, .5f, .5f, .5f, 0, 1, 0, 1};
static const float pose[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, /**/ 1, 0, 0, 0, 0, 0, -1, 1, 0, 1, 0, -1};

static skinlight_rig_arrays quads(void) {
  skinlight_rig_arrays arrays = {0};
  arrays.struct_size = sizeof arrays;
  arrays.vertex_count = C_VERTICES;
  arrays.face_count = 4;
  arrays.bone_count = 2;
  arrays.influences = 2;
  arrays.positions = skinlight_floats(positions);
  arrays.faces = skinlight_indices(faces);
  arrays.bones = skinlight_indices(bones);
  arrays.weights = skinlight_floats(weights);
  return arrays;
}

static skinlight_status make_rig(skinlight_rig **rig) {
  const skinlight_rig_arrays arrays = quads();
  skinlight_rig_options options = {0};
  options.struct_size = sizeof options;
  options.slots = 3;
  options.threads = 1;
  return skinlight_rig_create(&arrays, &options, rig);
}

/* Rig from arrays, deform factors, centres. */
skinlight_status prepare_from_c(size_t *slots, float *alpha, double *centres) {
  skinlight_rig *rig = NULL;
  skinlight_record_info info = {0};
  skinlight_status status = make_rig(&rig);
  info.struct_size = sizeof info;
  if (status == SKINLIGHT_OK) status = skinlight_record_get_info(rig, SKINLIGHT_FACTORS, &info);
  if (status == SKINLIGHT_OK)
    status = skinlight_record_get(rig, SKINLIGHT_FACTORS, SKINLIGHT_ALPHA, skinlight_float_output(alpha));
  if (status == SKINLIGHT_OK) status = skinlight_centres_get(rig, skinlight_double_output(centres));
  *slots = info.slots;
  skinlight_rig_free(rig);
  return status;
}

/* Skinning, the truth of the same pose, the error between both. */
skinlight_status skin_from_c(float *normals, double *mean_error) {
  skinlight_rig *rig = NULL;
  skinlight_skin_options options = {0};
  skinlight_skin_output out = {0};
  skinlight_truth_output truth_out = {0};
  skinlight_errors errors = {0};
  double truth[3 * C_VERTICES], areas[C_VERTICES];
  skinlight_status status = make_rig(&rig);

  options.struct_size = sizeof options;
  options.method = SKINLIGHT_LBS;
  options.mode = SKINLIGHT_DEFORM_VECTORS;
  out.struct_size = sizeof out;
  out.normals = skinlight_float_output(normals);
  if (status == SKINLIGHT_OK) status = skinlight_skin(rig, skinlight_floats(pose), &options, &out);
  truth_out.struct_size = sizeof truth_out;
  truth_out.transported = skinlight_double_output(truth);
  truth_out.areas = skinlight_double_output(areas);
  if (status == SKINLIGHT_OK) status = skinlight_truth(rig, skinlight_floats(pose), SKINLIGHT_LBS, &truth_out);
  errors.struct_size = sizeof errors;
  if (status == SKINLIGHT_OK)
    status = skinlight_angular_errors(C_VERTICES, skinlight_floats(normals), skinlight_doubles(truth),
                                      skinlight_doubles(areas), &errors);
  *mean_error = errors.mean;
  skinlight_rig_free(rig);
  return status;
}

/* A file: its clip, a pose of it, the errors over it. */
skinlight_status clip_from_c(const char *path, char *name, size_t name_size, double *pose12,
                             double *standard_mean) {
  skinlight_rig *rig = NULL;
  skinlight_clip_info clip = {0};
  skinlight_skin_options options = {0};
  skinlight_errors errors = {0};
  skinlight_status status = skinlight_rig_read(path, NULL, &rig);

  clip.struct_size = sizeof clip;
  if (status == SKINLIGHT_OK) status = skinlight_rig_get_clip(rig, 0, &clip);
  if (status == SKINLIGHT_OK) {
    strncpy(name, clip.name, name_size - 1);
    name[name_size - 1] = '\0';
    status = skinlight_rig_get_pose(rig, 0, clip.duration, skinlight_double_output(pose12));
  }
  options.struct_size = sizeof options;
  options.mode = SKINLIGHT_STANDARD;
  errors.struct_size = sizeof errors;
  if (status == SKINLIGHT_OK)
    status = skinlight_clip_errors(rig, 0, 3, &options, SKINLIGHT_TRANSPORTED, &errors);
  *standard_mean = errors.mean;
  skinlight_rig_free(rig);
  return status;
}

/* The parent of a file's last bone, and the beginning of its name. */
skinlight_status bones_from_c(const char *path, int32_t *parent, char *name, size_t name_size) {
  skinlight_rig *rig = NULL;
  skinlight_rig_info info = {0};
  skinlight_bone_info bone = {0};
  skinlight_status status = skinlight_rig_read(path, NULL, &rig);

  info.struct_size = sizeof info;
  bone.struct_size = sizeof bone;
  if (status == SKINLIGHT_OK) status = skinlight_rig_get_info(rig, &info);
  if (status == SKINLIGHT_OK) status = skinlight_rig_get_bone(rig, info.bone_count - 1, &bone);
  if (status == SKINLIGHT_OK) {
    strncpy(name, bone.name, name_size - 1);
    name[name_size - 1] = '\0';
  }
  *parent = bone.parent;
  skinlight_rig_free(rig);
  return status;
}

/* Two frames posed by a batch of normals, the second into rows with gaps, and by a copy of it. */
skinlight_status batch_from_c(float *normals, float *gaps, float *of_copy) {
  skinlight_rig *rig = NULL;
  skinlight_batch *batch = NULL, *copy = NULL;
  skinlight_batch_options options = {0};
  skinlight_skin_output out = {0};
  skinlight_status status = make_rig(&rig);

  options.struct_size = sizeof options;
  options.outputs = SKINLIGHT_UP_TO_NORMALS;
  options.threads = 1;
  if (status == SKINLIGHT_OK) status = skinlight_batch_create(rig, &options, &batch);
  skinlight_rig_free(rig);
  out.struct_size = sizeof out;
  out.normals = skinlight_float_output(normals);
  if (status == SKINLIGHT_OK) status = skinlight_batch_skin(batch, skinlight_floats(pose), &out);
  out.normals.data = gaps;
  out.normals.stride = 4 * sizeof(float);
  if (status == SKINLIGHT_OK) status = skinlight_batch_skin(batch, skinlight_floats(pose), &out);
  if (status == SKINLIGHT_OK) status = skinlight_batch_copy(batch, &copy);
  skinlight_batch_free(batch);
  out.normals = skinlight_float_output(of_copy);
  if (status == SKINLIGHT_OK) status = skinlight_batch_skin(copy, skinlight_floats(pose), &out);
  skinlight_batch_free(copy);
  return status;
}

/* A morph target that lifts the last row: skinned at half its weight, and the truth of that. */
skinlight_status morph_from_c(double *positions_out, double *truth_out, size_t *moved) {
  static const float lift[3 * C_VERTICES] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1};
  static const double half = .5;
  skinlight_rig_arrays arrays = quads();
  skinlight_rig *rig = NULL;
  skinlight_morph_info info = {0};
  skinlight_skin_options options = {0};
  skinlight_skin_output out = {0};
  skinlight_truth_output truth = {0};
  skinlight_status status;

  arrays.morph_count = 1;
  arrays.morphs = skinlight_floats(lift);
  status = skinlight_rig_create(&arrays, NULL, &rig);
  info.struct_size = sizeof info;
  if (status == SKINLIGHT_OK) status = skinlight_rig_get_morph(rig, 0, &info);
  *moved = info.vertex_count;
  options.struct_size = sizeof options;
  options.morph_weights = skinlight_doubles(&half);
  out.struct_size = sizeof out;
  out.positions = skinlight_double_output(positions_out);
  if (status == SKINLIGHT_OK) status = skinlight_skin(rig, skinlight_floats(pose), &options, &out);
  truth.struct_size = sizeof truth;
  truth.positions = skinlight_double_output(truth_out);
  truth.morph_weights = options.morph_weights;
  if (status == SKINLIGHT_OK) status = skinlight_truth(rig, skinlight_floats(pose), SKINLIGHT_LBS, &truth);
  skinlight_rig_free(rig);
  return status;
}

/* Two ways to skin, over the frames of a file's first clip. */
skinlight_status compare_from_c(const char *path, double *seconds, double *means, double *standard_mean,
                                double *deform_mean) {
  skinlight_rig *rig = NULL;
  skinlight_skin_options ways[2] = {{0}, {0}};
  skinlight_errors errors[2] = {{0}, {0}};
  skinlight_comparison comparison = {0};
  skinlight_status status = skinlight_rig_read(path, NULL, &rig);

  ways[0].struct_size = ways[1].struct_size = sizeof ways[0];
  ways[0].mode = SKINLIGHT_STANDARD;
  ways[1].mode = SKINLIGHT_DEFORM;
  errors[0].struct_size = sizeof errors[0];
  comparison.struct_size = sizeof comparison;
  comparison.frames = C_FRAMES;
  comparison.way_count = 2;
  comparison.ways = ways;
  comparison.errors = errors;
  comparison.seconds = skinlight_double_output(seconds);
  comparison.means = skinlight_double_output(means);
  if (status == SKINLIGHT_OK) status = skinlight_compare(rig, &comparison);
  *standard_mean = errors[0].mean;
  *deform_mean = errors[1].mean;
  skinlight_rig_free(rig);
  return status;
}

/* The health of a file. */
skinlight_status check_from_c(const char *path, size_t *findings, char *first, size_t first_size) {
  skinlight_health *health = NULL;
  skinlight_finding finding = {0};
  skinlight_status status = skinlight_check(path, NULL, &health);
  finding.struct_size = sizeof finding;
  *findings = skinlight_health_count(health);
  if (status == SKINLIGHT_OK) status = skinlight_health_get(health, 0, &finding);
  if (status == SKINLIGHT_OK) {
    strncpy(first, finding.kind, first_size - 1);
    first[first_size - 1] = '\0';
  }
  skinlight_health_free(health);
  return status;
}

/* Baking a file. */
skinlight_status bake_from_c(const char *in, const char *out, int32_t record, int32_t method, size_t *bytes) {
  skinlight_bake_options options = {0};
  skinlight_bake_report report = {0};
  skinlight_status status;
  options.struct_size = sizeof options;
  options.format = SKINLIGHT_FORMAT_SNORM16;
  options.record = record;
  options.method = method;
  report.struct_size = sizeof report;
  status = skinlight_bake(in, out, &options, &report);
  *bytes = report.bytes;
  return status;
}
