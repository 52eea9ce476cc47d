/* The programs of c_groups.c. */
#ifndef C_GROUPS_H
#define C_GROUPS_H

#include "skinlight.h"

#define C_VERTICES 6

#ifdef __cplusplus
extern "C" {
#endif

skinlight_status prepare_from_c(size_t* slots, float* alpha, double* centres);
skinlight_status skin_from_c(float* normals, double* mean_error);
skinlight_status clip_from_c(const char* path, char* name, size_t name_size, double* pose12,
                             double* standard_mean);
skinlight_status check_from_c(const char* path, size_t* findings, char* first, size_t first_size);
skinlight_status bake_from_c(const char* in, const char* out, size_t* bytes);

#ifdef __cplusplus
}
#endif

#endif
