/* Writes what the library computes for a file to the standard output, number after number, for floats.test.mjs: the same
 * calls through the package must give the same bytes. Arguments: the file. */
#include <skinlight.h>
#include <stdio.h>
#include <stdlib.h>

static void need(skinlight_status status) {
  if (status == SKINLIGHT_OK) return;
  fprintf(stderr, "%s\n", skinlight_error_text());
  exit(2);
}

static void write(const void* data, size_t size) {
  if (fwrite(data, 1, size, stdout) != size) exit(2);
}

static void write_column(const skinlight_rig* rig, int32_t record, int32_t column, size_t numbers) {
  double* values = malloc(numbers * sizeof *values);
  need(skinlight_record_get(rig, record, column, skinlight_double_output(values)));
  write(values, numbers * sizeof *values);
  free(values);
}

int main(int count, char** arguments) {
  skinlight_rig* rig = NULL;
  skinlight_rig_info info = {0};
  skinlight_record_info record = {0};
  skinlight_truth_output truth = {0};
  double *pose, *doubles;
  float* floats;
  int32_t method, mode, guard;
  if (count != 2) return 2;
  need(skinlight_rig_read(arguments[1], NULL, &rig));
  info.struct_size = sizeof info;
  need(skinlight_rig_get_info(rig, &info));
  pose = malloc(12 * info.bone_count * sizeof *pose);
  floats = malloc(3 * info.vertex_count * sizeof *floats);
  doubles = malloc(3 * info.vertex_count * sizeof *doubles);
  need(skinlight_rig_get_pose(rig, 0, 0.3, skinlight_double_output(pose)));
  write(pose, 12 * info.bone_count * sizeof *pose);
  need(skinlight_rig_get(rig, SKINLIGHT_NORMALS, skinlight_double_output(doubles)));
  write(doubles, 3 * info.vertex_count * sizeof *doubles);

  record.struct_size = sizeof record;
  need(skinlight_record_get_info(rig, SKINLIGHT_FACTORS, &record));
  write_column(rig, SKINLIGHT_FACTORS, SKINLIGHT_ALPHA, info.vertex_count * record.slots);
  need(skinlight_record_get_info(rig, SKINLIGHT_VECTORS, &record));
  write_column(rig, SKINLIGHT_VECTORS, SKINLIGHT_ALONG_T, 3 * info.vertex_count * record.slots);

  /* Every pair of method and mode that exists; guards with those that they act on. */
  for (method = SKINLIGHT_LBS; method <= SKINLIGHT_DIB; ++method)
    for (mode = SKINLIGHT_STANDARD; mode <= SKINLIGHT_DEFORM_FRAMES; ++mode)
      for (guard = SKINLIGHT_NO_GUARD; guard <= SKINLIGHT_TEST_THEN_FIX; ++guard) {
        skinlight_skin_options options = {0};
        skinlight_skin_output out = {0};
        skinlight_status status;
        char told;
        options.struct_size = sizeof options;
        options.method = method;
        options.mode = mode;
        options.guard = guard;
        out.struct_size = sizeof out;
        out.normals = skinlight_float_output(floats);
        status = skinlight_skin(rig, skinlight_doubles(pose), &options, &out);
        told = (char)status;
        write(&told, 1);
        if (status == SKINLIGHT_OK) write(floats, 3 * info.vertex_count * sizeof *floats);
      }

  truth.struct_size = sizeof truth;
  truth.transported = skinlight_double_output(doubles);
  need(skinlight_truth(rig, skinlight_doubles(pose), SKINLIGHT_LBS, &truth));
  write(doubles, 3 * info.vertex_count * sizeof *doubles);
  skinlight_rig_free(rig);
  free(pose);
  free(floats);
  free(doubles);
  return 0;
}
