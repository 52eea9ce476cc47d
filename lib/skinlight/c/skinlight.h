/* skinlight for C, and for whatever can call C: judges the normals and tangents that a program of your own
 * makes of a skinned mesh in a pose. It tells how many degrees they are off the truth, and which of the usual
 * mistakes explains them.
 *
 *   skinlight_judge_input in = {0};
 *   in.struct_size = sizeof in;
 *   in.vertex_count = ...;                         (the arrays are described below)
 *   skinlight_report *report = NULL;
 *   char message[200];
 *   if (skinlight_judge(&in, &report, message, sizeof message) != SKINLIGHT_OK) fail(message);
 *   puts(skinlight_report_text(report));
 *   skinlight_report_free(report);
 *
 * Stable: structs only grow at their end and begin with their size as the caller knows it (struct_size =
 * sizeof), so that programs built against an older header keep working; constants keep their values.
 * Functions never throw and never exit, and are thread-safe on different reports. Arrays are read during the
 * call only.
 *
 * V vertices, F faces, B bones, N influences per vertex. Arrays are tightly packed, row by row. Axes may be
 * right-handed or left-handed; faces are counter-clockwise seen from where normals point.
 */
#ifndef SKINLIGHT_H
#define SKINLIGHT_H

/* C has no <cstddef> and no `using`. NOLINTBEGIN(modernize-*) */
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define SKINLIGHT_API __attribute__((visibility("default")))
#else
#define SKINLIGHT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What functions return. */
typedef int32_t skinlight_status;
#define SKINLIGHT_OK 0
#define SKINLIGHT_BAD_INPUT 1 /* an array or option cannot be used; the message names it and the entry */
#define SKINLIGHT_BAD_CALL 2  /* NULL where a pointer is needed, wrong struct_size, index out of range */
#define SKINLIGHT_OUT_OF_MEMORY 3
#define SKINLIGHT_INTERNAL 4 /* a defect of the library */

/* How bones move vertices. */
#define SKINLIGHT_LBS 0 /* linear blend skinning */
#define SKINLIGHT_DQS 1 /* dual quaternion skinning */
#define SKINLIGHT_CRS 2 /* about optimised centres of rotation, found from the rig */
#define SKINLIGHT_SBS 3 /* spherical blend skinning */
#define SKINLIGHT_LOG 4 /* log-matrix blending */

typedef struct skinlight_judge_input {
  size_t struct_size; /* sizeof(skinlight_judge_input) */

  size_t vertex_count, face_count, bone_count, influences; /* V, F, B, N */
  const float* positions;                                  /* V x 3, rest pose, any unit */
  const uint32_t* faces;                                   /* F x 3 vertex indices */
  const uint32_t* bones; /* V x N bone indices, in any order; unused slots have weight 0 */
  const float* weights;  /* V x N, sum 1 */
  const float* pose; /* B x 12: per bone the 3 x 4 matrix from rest to pose, row by row, acting on columns:
                        the posed world matrix times the inverse bind matrix */
  const float* rest_normals;    /* V x 3, or NULL: averaged from the faces by area */
  const float* rest_tangents;   /* V x 4, w = sign of the bitangent (+1 or -1), or NULL: from uv */
  const float* uv;              /* V x 2, or NULL */
  const float* posed_positions; /* V x 3, yours, or NULL: posed by `method` */

  const float* normals;  /* V x 3, yours, posed; any length but 0 */
  const float* tangents; /* V x 4, yours, posed, w as above; or NULL. Needs rest_tangents or uv */

  int32_t method;   /* SKINLIGHT_LBS ... SKINLIGHT_LOG */
  int32_t threads;  /* 0: all cores */
  double tolerance; /* degrees within which an explanation fits; 0: the usual 0.5 */
} skinlight_judge_input;

/* What a report is about. */
#define SKINLIGHT_NORMALS 0
#define SKINLIGHT_TANGENTS 1

/* The truth that errors are measured against. */
#define SKINLIGHT_TRANSPORTED 0 /* rest vectors carried by the posed triangles: honours authored normals */
#define SKINLIGHT_RECOMPUTED 1  /* computed from the posed triangles alone; of normals only */

/* Degrees, weighted by each vertex's share of the deformed area. */
typedef struct skinlight_errors {
  size_t struct_size; /* set by the caller: sizeof(skinlight_errors) */
  double mean, rms;
  double p95, p99; /* the angle that covers 95, 99 % of the area */
  double max;
  uint64_t worst_vertex; /* of max */
  uint64_t flips;        /* vertices more than 90 degrees off */
} skinlight_errors;

/* What an explanation is. */
#define SKINLIGHT_CORRECT 0
#define SKINLIGHT_APPROXIMATION 1
#define SKINLIGHT_MISTAKE 2
#define SKINLIGHT_UNEXPLAINED 3 /* of verdicts only */

/* One explanation and how well it fits. Strings live as long as the report. */
typedef struct skinlight_fit {
  size_t struct_size;    /* set by the caller: sizeof(skinlight_fit) */
  const char* id;        /* stable: "standard", "rest", "transposed", "one-bone", "twice", ... */
  const char* what;      /* one line for people */
  const char* advice;    /* what to change, or "" */
  int32_t kind;          /* SKINLIGHT_CORRECT .. SKINLIGHT_MISTAKE */
  int32_t same;          /* 1: as good as the one that the verdict names; this pose cannot tell them apart */
  double mean, p95, max; /* its distance from yours, degrees */
  double share;          /* of the area, 0 .. 1, that is within the tolerance */
} skinlight_fit;

/* Lengths of your vectors. */
#define SKINLIGHT_UNIT 0
#define SKINLIGHT_CONSTANT 1 /* one other length: a scale or an integer format */
#define SKINLIGHT_NOT_NORMALISED \
  2 /* those of a transformed vector that was not normalised again: a mistake */
#define SKINLIGHT_UNEXPLAINED_LENGTHS 3

typedef struct skinlight_verdict {
  size_t struct_size; /* set by the caller: sizeof(skinlight_verdict) */
  int32_t kind;       /* SKINLIGHT_CORRECT .. SKINLIGHT_UNEXPLAINED */
  int32_t clear;      /* 1: whatever is not the same is more than three times as far */
  uint64_t fit;       /* index of the fit that it names; 0, the nearest, when unexplained */
  double next;        /* degrees to the nearest fit that is not the same; 0: there is none */
  int32_t undecided;  /* 1: a fit of another kind is the same here: judge another pose */
  int32_t lengths;    /* SKINLIGHT_UNIT .. SKINLIGHT_UNEXPLAINED_LENGTHS */
  double min_length, max_length;
  uint64_t wrong_signs; /* of tangents: vertices whose w is wrong */
} skinlight_verdict;

typedef struct skinlight_report skinlight_report;

/* "0.1.0" */
SKINLIGHT_API const char* skinlight_version(void);

/* Judges. On success *report is a new report, to be freed; otherwise it is NULL, and message (message_size
 * bytes; may be NULL) receives one line, cut to fit, that names what is wrong. */
SKINLIGHT_API skinlight_status skinlight_judge(const skinlight_judge_input* input, skinlight_report** report,
                                               char* message, size_t message_size);

/* NULL is fine. */
SKINLIGHT_API void skinlight_report_free(skinlight_report* report);

/* Everything as text, several lines, as `skinlight judge` prints it. NULL for NULL. */
SKINLIGHT_API const char* skinlight_report_text(const skinlight_report* report);

/* These fill *out as far as its struct_size goes. SKINLIGHT_BAD_CALL when `subject` (SKINLIGHT_NORMALS or
 * SKINLIGHT_TANGENTS) was not judged, or has no such truth or fit. */
SKINLIGHT_API skinlight_status skinlight_report_errors(const skinlight_report* report, int32_t subject,
                                                       int32_t truth, skinlight_errors* out);
SKINLIGHT_API skinlight_status skinlight_report_verdict(const skinlight_report* report, int32_t subject,
                                                        skinlight_verdict* out);
/* Fits are sorted, the best first. The count is 0 for what was not judged. */
SKINLIGHT_API size_t skinlight_report_fit_count(const skinlight_report* report, int32_t subject);
SKINLIGHT_API skinlight_status skinlight_report_fit(const skinlight_report* report, int32_t subject,
                                                    size_t index, skinlight_fit* out);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*) */

#endif
