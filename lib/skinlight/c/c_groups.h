/* The programs of c_groups.c. */
#ifndef C_GROUPS_H
#define C_GROUPS_H

#include "skinlight.h"

#define C_VERTICES 6
#define C_FRAMES 4

#ifdef __cplusplus
extern "C" {
#endif

skinlight_status prepare_from_c(size_t* slots, float* alpha, double* centres);
skinlight_status skin_from_c(float* normals, double* mean_error);
skinlight_status clip_from_c(const char* path, char* name, size_t name_size, double* pose12,
                             double* standard_mean);
skinlight_status bones_from_c(const char* path, int32_t* parent, char* name, size_t name_size);
skinlight_status batch_from_c(float* normals, float* gaps, float* of_copy);
skinlight_status morph_from_c(double* positions_out, double* truth_out, size_t* moved);
skinlight_status compare_from_c(const char* path, double* seconds, double* means, double* standard_mean,
                                double* deform_mean);
skinlight_status check_from_c(const char* path, size_t* findings, char* first, size_t first_size);
skinlight_status bake_from_c(const char* in, const char* out, int32_t record, int32_t method, size_t* bytes);

#ifdef __cplusplus
}
#endif

#endif
