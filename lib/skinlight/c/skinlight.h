/* skinlight for C, and for whatever can call C: right normals of skinned meshes, their truth and their errors,
 * the health of rigs, judgement of other programs' normals, and baking.
 *
 *   skinlight_rig_arrays arrays = {0};
 *   arrays.struct_size = sizeof arrays;
 *   arrays.vertex_count = ...;                     (what the arrays hold is described below)
 *   arrays.positions = skinlight_floats(positions);
 *   skinlight_rig *rig = NULL;
 *   if (skinlight_rig_create(&arrays, NULL, &rig) != SKINLIGHT_OK) fail(skinlight_error_text());
 *   skinlight_skin_output out = {0};
 *   out.struct_size = sizeof out;
 *   out.normals = skinlight_float_output(normals);
 *   if (skinlight_skin(rig, skinlight_floats(pose), NULL, &out) != SKINLIGHT_OK) fail(skinlight_error_text());
 *   skinlight_rig_free(rig);
 *
 * Errors. Functions that can fail return a status. When it is not SKINLIGHT_OK, nothing was written through the
 * pointers given (handles are set to NULL), and skinlight_error_text() of the same thread has one line that says
 * what is wrong. Functions never throw and never exit.
 *
 * Threads. All functions may be called at the same time, also with the same rig or report, which do not change
 * once they exist; only freeing must come last. A batch alone is one thread's at a time: copy it for another.
 * Arrays are read and written during the call only.
 *
 * Stable. Structs begin with their size as the caller knows it (struct_size = sizeof) and only grow at their
 * end; skinlight_array and skinlight_output never change. Constants keep their values. Members that are 0 or
 * NULL mean the usual; options may be NULL.
 *
 * V vertices, F faces, B bones, N influences per vertex, S slots, M morph targets. Axes may be right-handed or left-handed; faces
 * are counter-clockwise seen from where normals point. Lengths are in the unit of the positions. A pose is
 * B x 12: per bone the 3 x 4 matrix from rest to pose, row by row, acting on columns: the posed world matrix
 * times the inverse bind matrix.
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

/* "0.1.0" */
SKINLIGHT_API const char* skinlight_version(void);

/* ---- Errors ---- */

typedef int32_t skinlight_status;
#define SKINLIGHT_OK 0
#define SKINLIGHT_BAD_INPUT 1 /* a file, array or option cannot be used; the text names it and the entry */
#define SKINLIGHT_BAD_CALL 2  /* NULL where a pointer is needed, wrong struct_size, index out of range */
#define SKINLIGHT_OUT_OF_MEMORY 3
#define SKINLIGHT_INTERNAL 4 /* a defect of the library */

/* Of this thread's last call that did not return SKINLIGHT_OK; "" before any. They live until the next such call
 * of the thread. The text is "file: element: reason", without the parts that are "". */
SKINLIGHT_API const char* skinlight_error_text(void);
SKINLIGHT_API const char* skinlight_error_file(void);
SKINLIGHT_API const char* skinlight_error_element(void); /* "positions, vertex 12" */
SKINLIGHT_API const char* skinlight_error_reason(void);

/* ---- Arrays ---- */

#define SKINLIGHT_F32 0
#define SKINLIGHT_F64 1
#define SKINLIGHT_I32 2
#define SKINLIGHT_U8 3
#define SKINLIGHT_U16 4
#define SKINLIGHT_U32 5
#define SKINLIGHT_I64 6

/* Rows of numbers; the numbers of a row stand side by side. */
typedef struct skinlight_array {
  const void* data; /* NULL: there is none */
  size_t stride;    /* bytes from row to row; 0: rows are tightly packed */
  int32_t type;     /* SKINLIGHT_F32 ...; indices have any of the integers */
} skinlight_array;

/* The same to be filled. NULL: not wanted. */
typedef struct skinlight_output {
  void* data;
  size_t stride;
  int32_t type; /* SKINLIGHT_F32 or SKINLIGHT_F64; SKINLIGHT_I32 for indices */
} skinlight_output;

static inline skinlight_array skinlight_floats(const float* data) {
  skinlight_array array = {data, 0, SKINLIGHT_F32};
  return array;
}
static inline skinlight_array skinlight_doubles(const double* data) {
  skinlight_array array = {data, 0, SKINLIGHT_F64};
  return array;
}
static inline skinlight_array skinlight_indices(const uint32_t* data) {
  skinlight_array array = {data, 0, SKINLIGHT_U32};
  return array;
}
static inline skinlight_output skinlight_float_output(float* data) {
  skinlight_output output = {data, 0, SKINLIGHT_F32};
  return output;
}
static inline skinlight_output skinlight_double_output(double* data) {
  skinlight_output output = {data, 0, SKINLIGHT_F64};
  return output;
}
static inline skinlight_output skinlight_index_output(int32_t* data) {
  skinlight_output output = {data, 0, SKINLIGHT_I32};
  return output;
}

/* ---- Rigs ---- */

typedef struct skinlight_rig skinlight_rig;

typedef struct skinlight_rig_arrays {
  size_t struct_size;
  size_t vertex_count, face_count, bone_count, influences; /* V, F, B, N */
  skinlight_array positions;                               /* V x 3, rest pose, any unit */
  skinlight_array faces;                                   /* F x 3 vertex indices */
  skinlight_array bones;    /* V x N bone indices, in any order; unused slots have weight 0 */
  skinlight_array weights;  /* V x N, not negative, sum 1 */
  skinlight_array normals;  /* V x 3, any length but 0; or none: averaged from the faces by area */
  skinlight_array tangents; /* V x 4, w as in glTF (+1 or -1): b = w n x t; or none: from uv */
  skinlight_array uv;       /* V x 2, v running down as in glTF; or none */
  size_t morph_count;       /* M */
  skinlight_array morphs;   /* M V x 3: what target after target adds to the positions at weight 1; or none */
} skinlight_rig_arrays;

/* How faces count around a vertex. */
#define SKINLIGHT_USUAL_AVERAGING 0 /* mixed Voronoi areas for deform factors, area for deform vectors */
#define SKINLIGHT_MIXED_VORONOI 1
#define SKINLIGHT_AREA 2
#define SKINLIGHT_ANGLE 3
#define SKINLIGHT_ANGLE_AREA 4
#define SKINLIGHT_UNIFORM 5
#define SKINLIGHT_MAX1999 6
#define SKINLIGHT_COTANGENT 7

/* Normals of vertices that a file gives none. */
#define SKINLIGHT_USUAL_MISSING_NORMALS 0 /* flat of glTF, which says so; smooth of other formats */
#define SKINLIGHT_FLAT_MISSING_NORMALS \
  1 /* of the faces: every corner is a vertex where several planes meet */
#define SKINLIGHT_SMOOTH_MISSING_NORMALS 2 /* averaged over the faces around a position */

typedef struct skinlight_rig_options {
  size_t struct_size;
  int32_t influences;      /* of files: kept per vertex; 0: 4 */
  int32_t slots;           /* bones per vertex of what normals need, 1 .. 16; 0: 4, or as many as the rig's */
  int32_t averaging;       /* SKINLIGHT_USUAL_AVERAGING ... */
  int32_t threads;         /* 0: all cores; results do not depend on it */
  int32_t missing_normals; /* of files: SKINLIGHT_USUAL_MISSING_NORMALS ... */
} skinlight_rig_options;

SKINLIGHT_API skinlight_status skinlight_rig_create(const skinlight_rig_arrays* arrays,
                                                    const skinlight_rig_options* options,
                                                    skinlight_rig** rig);
/* glTF 2.0, FBX, Collada, MD5 and X. */
SKINLIGHT_API skinlight_status skinlight_rig_read(const char* path, const skinlight_rig_options* options,
                                                  skinlight_rig** rig);
SKINLIGHT_API void skinlight_rig_free(skinlight_rig* rig); /* NULL is fine */

typedef struct skinlight_rig_info {
  size_t struct_size;                                      /* here and below set by the caller: sizeof */
  size_t vertex_count, face_count, bone_count, influences; /* weights descend within a vertex */
  size_t welded_count;                                     /* vertices of the surface, seams closed */
  size_t clip_count, morph_count, warning_count;
} skinlight_rig_info;
SKINLIGHT_API skinlight_status skinlight_rig_get_info(const skinlight_rig* rig, skinlight_rig_info* info);

#define SKINLIGHT_POSITIONS 0 /* V x 3 */
#define SKINLIGHT_NORMALS 1   /* V x 3, unit */
#define SKINLIGHT_TANGENTS 2  /* V x 4, at right angles to the normals, w as in glTF: b = w n x t */
#define SKINLIGHT_UV 3        /* V x 2; SKINLIGHT_BAD_CALL without uv */
#define SKINLIGHT_WEIGHTS 4   /* V x N */
#define SKINLIGHT_BONES 5     /* V x N indices */
#define SKINLIGHT_FACES 6     /* F x 3 indices */
SKINLIGHT_API skinlight_status skinlight_rig_get(const skinlight_rig* rig, int32_t what,
                                                 skinlight_output output);

typedef struct skinlight_clip_info {
  size_t struct_size;
  const char* name; /* lives as long as the rig */
  double duration;  /* seconds */
} skinlight_clip_info;
SKINLIGHT_API skinlight_status skinlight_rig_get_clip(const skinlight_rig* rig, size_t clip,
                                                      skinlight_clip_info* info);
/* The pose of a clip at a time; the file's own pose when `clip` is clip_count. Rigs of files only. */
SKINLIGHT_API skinlight_status skinlight_rig_get_pose(const skinlight_rig* rig, size_t clip, double seconds,
                                                      skinlight_output pose);

/* Rigs of files only. */
typedef struct skinlight_bone_info {
  size_t struct_size;
  const char* name; /* of its node; lives as long as the rig */
  int32_t parent;   /* the bone that its node hangs on, perhaps over other nodes; -1: none */
} skinlight_bone_info;
SKINLIGHT_API skinlight_status skinlight_rig_get_bone(const skinlight_rig* rig, size_t bone,
                                                      skinlight_bone_info* info);

typedef struct skinlight_morph_info {
  size_t struct_size;
  const char* name;    /* lives as long as the rig */
  double weight;       /* the file's own, where a clip does not animate it */
  size_t vertex_count; /* that it moves */
} skinlight_morph_info;
SKINLIGHT_API skinlight_status skinlight_rig_get_morph(const skinlight_rig* rig, size_t morph,
                                                       skinlight_morph_info* info);
/* The weights of a clip's morph targets at a time, M x 1; the file's own when `clip` is clip_count. */
SKINLIGHT_API skinlight_status skinlight_rig_get_morph_weights(const skinlight_rig* rig, size_t clip,
                                                               double seconds, skinlight_output weights);

/* What was repaired or lost when the rig was read or made. */
typedef struct skinlight_warning {
  size_t struct_size;
  const char *element, *reason; /* live as long as the rig */
  size_t count;
} skinlight_warning;
SKINLIGHT_API skinlight_status skinlight_rig_get_warning(const skinlight_rig* rig, size_t index,
                                                         skinlight_warning* warning);

/* ---- What normals need: computed once per rig, when first asked for ---- */

#define SKINLIGHT_FACTORS 0 /* deform factors: two scalars per slot, and smooth weights */
#define SKINLIGHT_VECTORS 1 /* deform vectors: two 4-vectors per slot, for coarse meshes */
/* Deform frames of the methods that blend rotations: two further blends per vertex, of five slots or more. */
#define SKINLIGHT_DQS_FRAMES 2
#define SKINLIGHT_CRS_FRAMES 3
#define SKINLIGHT_SBS_FRAMES 4
#define SKINLIGHT_LOG_FRAMES 5

typedef struct skinlight_record_info {
  size_t struct_size;
  size_t slots;             /* S, per vertex; slot 0 is the largest weight */
  size_t overflow_vertices; /* of the surface: with more bones around than fit */
  size_t overflow_bones;    /* lost over all vertices */
  double overflow_share;    /* the largest of what was lost over the largest of its vertex */
  uint64_t worst_vertex;    /* of overflow_share */
  size_t flat_vertices;     /* without area around them */
} skinlight_record_info;
SKINLIGHT_API skinlight_status skinlight_record_get_info(const skinlight_rig* rig, int32_t record,
                                                         skinlight_record_info* info);

#define SKINLIGHT_SLOT_BONES 0    /* V x S indices */
#define SKINLIGHT_SLOT_WEIGHTS 1  /* V x S; 0 for bones that only the neighbours have */
#define SKINLIGHT_ALPHA 2         /* V x S, per unit of length; not of frames */
#define SKINLIGHT_BETA 3          /* V x S, per unit of length; along b = w n x t; not of frames */
#define SKINLIGHT_SMOOTH_WEIGHT 4 /* V x S; factors only */
#define SKINLIGHT_GRADIENT 5      /* V x 3 S; factors only */
#define SKINLIGHT_ALONG_T 6       /* V x 3 S; vectors only */
#define SKINLIGHT_ALONG_B 7       /* V x 3 S; vectors only */
/* Frames only, frame after frame. */
#define SKINLIGHT_FRAME_OFFSET 8 /* V x 2 S: what a frame changes the weights by; sums 0 */
#define SKINLIGHT_FRAME_T 9      /* V x 6: what it adds along t, as a vector */
#define SKINLIGHT_FRAME_B 10     /* V x 6: along b = w n x t */
#define SKINLIGHT_FRAME_ALPHA 11 /* V x 2, per unit of length: along t, as a share of how points move apart */
#define SKINLIGHT_FRAME_BETA 12  /* V x 2, per unit of length: along b */
#define SKINLIGHT_FRAME_CENTRE 13 /* V x 6: its centre of rotation from the vertex's own; CRS only */
SKINLIGHT_API skinlight_status skinlight_record_get(const skinlight_rig* rig, int32_t record, int32_t column,
                                                    skinlight_output output);

/* Centres of rotation, V x 3, in the rest pose. */
SKINLIGHT_API skinlight_status skinlight_centres_get(const skinlight_rig* rig, skinlight_output centres);

/* ---- Skinning ---- */

/* How bones move vertices. */
#define SKINLIGHT_LBS 0 /* linear blend skinning */
#define SKINLIGHT_DQS 1 /* dual quaternion skinning */
#define SKINLIGHT_CRS 2 /* about optimised centres of rotation, found from the rig */
#define SKINLIGHT_SBS 3 /* spherical blend skinning */
#define SKINLIGHT_LOG \
  4 /* log-matrix blending: tears what bones share where they turn past half a turn from rest on
                           either side; skinlight_judge() warns of such poses */
#define SKINLIGHT_DIB 5 /* dual quaternion iterative blending: logarithms about the dual quaternion blend */

/* How normals follow. Which of them a method has, skinlight_error_text() says of a wrong pair. */
#define SKINLIGHT_USUAL_MODE 0 /* the best that reads deform factors: DEFORM for LBS, else EXACT */
#define SKINLIGHT_STANDARD 1
#define SKINLIGHT_INVERSE_TRANSPOSE 2
#define SKINLIGHT_COFACTORS 3
#define SKINLIGHT_TANGENT_PAIR 4
#define SKINLIGHT_DEFORM_NAIVE 5
#define SKINLIGHT_DEFORM 6
#define SKINLIGHT_EXACT 7
#define SKINLIGHT_SMOOTHED 8
#define SKINLIGHT_EXACT_FIXED_CENTRE 9
#define SKINLIGHT_DEFORM_VECTORS 10
#define SKINLIGHT_DEFORM_EQ13 11
#define SKINLIGHT_DEFORM_FRAMES 12

/* Guards against flipped normals. Where none acts, as on standard normals, one that is asked for is SKINLIGHT_BAD_INPUT. */
#define SKINLIGHT_NO_GUARD 0
#define SKINLIGHT_CLAMP 1
#define SKINLIGHT_JOINT 2
#define SKINLIGHT_TEST_THEN_FIX 3

typedef struct skinlight_skin_options {
  size_t struct_size;
  int32_t method, mode, guard;
  int32_t own_guard;       /* 1: with guard_c and guard_k, of a guard; 0: with the guard's usual numbers */
  double guard_c, guard_k; /* may be infinite; in [0, 1) */
  skinlight_array
      morph_weights; /* M x 1: move the rest pose before the bones do; or none: nothing is moved. Not all
                        normals follow: skinlight_way_warning() */
} skinlight_skin_options;

/* V x 3 each. All of one type: SKINLIGHT_F32 computes as a GPU does, SKINLIGHT_F64 in double. */
typedef struct skinlight_skin_output {
  size_t struct_size;
  skinlight_output positions, tangents, bitangents, normals;
} skinlight_skin_output;

SKINLIGHT_API skinlight_status skinlight_skin(const skinlight_rig* rig, skinlight_array pose,
                                              const skinlight_skin_options* options,
                                              const skinlight_skin_output* output);

/* What a way to skin does not do for a rig. Normals of INVERSE_TRANSPOSE, COFACTORS, TANGENT_PAIR, DEFORM_VECTORS and
 * DEFORM_FRAMES know the faces of the rest shape only: where morph targets move those, by morph weights or in a clip, the
 * normals are wrong. Where there is nothing to tell, count is 0 and the strings are NULL. They live until the thread's next
 * call. */
SKINLIGHT_API skinlight_status skinlight_way_warning(const skinlight_rig* rig,
                                                     const skinlight_skin_options* options,
                                                     skinlight_warning* warning);

/* A rig prepared for one way to skin: the same numbers in SKINLIGHT_F32, many times faster when it is posed every
 * frame. It outlives its rig. Outputs are written in place where their rows are tight; with one thread and linear
 * blending nothing of the size of the mesh is allocated, only what is of the size of the pose. */
typedef struct skinlight_batch skinlight_batch;

/* What is computed: each with those before it. */
#define SKINLIGHT_ALL_OUTPUTS 0
#define SKINLIGHT_ONLY_POSITIONS 1
#define SKINLIGHT_UP_TO_NORMALS 2
#define SKINLIGHT_UP_TO_TANGENTS 3

typedef struct skinlight_batch_options {
  size_t struct_size;
  const skinlight_skin_options* skin; /* morph weights too are those of all frames */
  int32_t outputs;                    /* SKINLIGHT_ALL_OUTPUTS ... */
  int32_t threads;                    /* 0: those of the rig */
} skinlight_batch_options;

SKINLIGHT_API skinlight_status skinlight_batch_create(const skinlight_rig* rig,
                                                      const skinlight_batch_options* options,
                                                      skinlight_batch** batch);
/* Shares what is prepared. */
SKINLIGHT_API skinlight_status skinlight_batch_copy(const skinlight_batch* batch, skinlight_batch** copy);
SKINLIGHT_API void skinlight_batch_free(skinlight_batch* batch); /* NULL is fine */
/* SKINLIGHT_BAD_CALL for an output that the batch does not compute or that is not SKINLIGHT_F32. */
SKINLIGHT_API skinlight_status skinlight_batch_skin(skinlight_batch* batch, skinlight_array pose,
                                                    const skinlight_skin_output* output);

/* ---- Truth and errors ---- */

/* The truth that errors are measured against. */
#define SKINLIGHT_TRANSPORTED 0 /* rest vectors carried by the posed triangles: honours authored normals */
#define SKINLIGHT_RECOMPUTED 1  /* computed from the posed triangles alone; of normals only */

typedef struct skinlight_truth_output {
  size_t struct_size;
  skinlight_output positions, transported, recomputed; /* V x 3 */
  skinlight_output areas;                              /* V x 1: each vertex's share of the deformed area */
  skinlight_array morph_weights;                       /* as in skinlight_skin_options */
} skinlight_truth_output;

/* What is true of a pose under a method, in double, whatever the type of the outputs. */
SKINLIGHT_API skinlight_status skinlight_truth(const skinlight_rig* rig, skinlight_array pose, int32_t method,
                                               const skinlight_truth_output* output);

/* Of skinlight_compare() only: errors, means and max_seconds of a way are two, against either truth, in this order. */
#define SKINLIGHT_BOTH_TRUTHS 2

/* Degrees. */
typedef struct skinlight_errors {
  size_t struct_size;
  double mean, rms;
  double p95, p99; /* the angle that covers 95, 99 % of the weight */
  double max;
  uint64_t worst_vertex; /* of max */
  uint64_t flips;        /* vertices more than 90 degrees off */
} skinlight_errors;

/* Angles between two arrays of directions, count x 3, any length but 0; weights: count x 1, or none: alike. */
SKINLIGHT_API skinlight_status skinlight_angular_errors(size_t count, skinlight_array directions,
                                                        skinlight_array truth, skinlight_array weights,
                                                        skinlight_errors* errors);

/* What `skinlight compare` measures without being told: so many frames of a clip, and these ways to skin: standard normals,
 * those of deform factors, also with a guard, those for coarse meshes, as far as the method has them. */
#define SKINLIGHT_USUAL_FRAMES 24
/* Fills method, mode and guard of one of them; SKINLIGHT_BAD_CALL behind the last. */
SKINLIGHT_API skinlight_status skinlight_usual_way(int32_t method, size_t index, skinlight_skin_options* way);
SKINLIGHT_API size_t skinlight_usual_way_count(int32_t method); /* 0 of no method */

/* The normals of a way to skin over `frames` of a clip (0: SKINLIGHT_USUAL_FRAMES), evenly from its first to its last second, every frame
 * alike, every vertex by its share of the deformed area. worst_vertex is one of the frame that holds max. Frames in which the
 * posed mesh has no area do not count; a clip of nothing else is SKINLIGHT_BAD_INPUT. */
SKINLIGHT_API skinlight_status skinlight_clip_errors(const skinlight_rig* rig, size_t clip, size_t frames,
                                                     const skinlight_skin_options* options, int32_t truth,
                                                     skinlight_errors* errors);

/* Several ways to skin over the same frames: the truth is computed once for all of them. Those that do not follow the morph
 * targets of the clip count as wrong: skinlight_way_warning(). */
typedef struct skinlight_comparison {
  size_t struct_size;
  size_t clip;                        /* clip_count: the file's own pose */
  size_t frames, way_count;           /* frames 0: SKINLIGHT_USUAL_FRAMES */
  const skinlight_skin_options* ways; /* way_count, each as large as the first one's struct_size */
  int32_t truth;                      /* SKINLIGHT_TRANSPORTED ... SKINLIGHT_BOTH_TRUTHS */
  skinlight_errors* errors;           /* way_count, each as large as the first one's struct_size; or NULL */
  skinlight_output seconds;           /* frames x 1 */
  skinlight_output means;             /* way_count x frames: degrees; NaN in a frame without area */
  skinlight_output max_seconds;       /* way_count x 1: of the frame that holds max */
} skinlight_comparison;
SKINLIGHT_API skinlight_status skinlight_compare(const skinlight_rig* rig,
                                                 const skinlight_comparison* comparison);

/* ---- Health of rigs ---- */

typedef struct skinlight_health skinlight_health;

typedef struct skinlight_check_options {
  size_t struct_size;
  int32_t influences; /* that the target engine keeps per vertex; 0: 4 */
  int32_t threads;
  int32_t missing_normals; /* SKINLIGHT_USUAL_MISSING_NORMALS ... */
} skinlight_check_options;

#define SKINLIGHT_NOTE 0
#define SKINLIGHT_WARNING 1
#define SKINLIGHT_ERROR 2

/* Strings live as long as the health. */
typedef struct skinlight_finding {
  size_t struct_size;
  const char* kind;   /* stable: "weights-unnormalised", ...; `skinlight check --help` lists them */
  const char* part;   /* "vertex", "triangle", "bone", "node", "mesh" */
  const char* name;   /* of the worst element, as the file has it */
  const char* says;   /* what is found, of one element */
  const char* detail; /* more about the worst one, or "" */
  const char* advice; /* what to do */
  const char* unit;   /* of size, or "" */
  int32_t severity;   /* SKINLIGHT_NOTE ... */
  int32_t index;      /* of the worst element; -1: the mesh as a whole */
  size_t count, of;   /* elements found, and looked at */
  double size;        /* of the worst one */
} skinlight_finding;

/* Worst severity first. */
SKINLIGHT_API skinlight_status skinlight_check(const char* path, const skinlight_check_options* options,
                                               skinlight_health** health);
SKINLIGHT_API void skinlight_health_free(skinlight_health* health); /* NULL is fine */
SKINLIGHT_API size_t skinlight_health_count(const skinlight_health* health);
SKINLIGHT_API skinlight_status skinlight_health_get(const skinlight_health* health, size_t index,
                                                    skinlight_finding* finding);

/* ---- Judging other programs' normals ---- */

typedef struct skinlight_report skinlight_report;

typedef struct skinlight_judge_input {
  size_t struct_size;
  const skinlight_rig_arrays* rig; /* slots in the order of your file */
  skinlight_array pose;
  skinlight_array posed_positions; /* V x 3, yours, or none: posed by `method` */
  skinlight_array normals;         /* V x 3, yours, posed; any length but 0 */
  skinlight_array tangents;        /* V x 4, yours, posed, or none. Needs the rig's tangents or uv */
  int32_t method;                  /* SKINLIGHT_LBS ... SKINLIGHT_DIB */
  int32_t threads;                 /* 0: all cores */
  double tolerance;                /* degrees within which an explanation fits; 0: the usual 0.5 */
  int32_t slots; /* bones per vertex of the deform factors: influences .. 16; 0: 4, or as many as are kept */
  skinlight_array morph_weights; /* as in skinlight_skin_options, of the rig's targets */
  int32_t influences;            /* bones per vertex that you keep, the strongest; 0: all of the rig's */
} skinlight_judge_input;

SKINLIGHT_API skinlight_status skinlight_judge(const skinlight_judge_input* input, skinlight_report** report);
SKINLIGHT_API void skinlight_report_free(skinlight_report* report); /* NULL is fine */

/* Everything as text, several lines, as `skinlight judge` prints it. NULL for NULL. */
SKINLIGHT_API const char* skinlight_report_text(const skinlight_report* report);

/* What an explanation is. */
#define SKINLIGHT_CORRECT 0
#define SKINLIGHT_APPROXIMATION 1
#define SKINLIGHT_MISTAKE 2
#define SKINLIGHT_UNEXPLAINED 3 /* of verdicts only */

/* One explanation and how well it fits. Strings live as long as the report. */
typedef struct skinlight_fit {
  size_t struct_size;
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
#define SKINLIGHT_CONSTANT 1       /* one other length: a scale or an integer format */
#define SKINLIGHT_NOT_NORMALISED 2 /* those of a transformed vector that was not normalised: a mistake */
#define SKINLIGHT_UNEXPLAINED_LENGTHS 3

typedef struct skinlight_verdict {
  size_t struct_size;
  int32_t kind;      /* SKINLIGHT_CORRECT .. SKINLIGHT_UNEXPLAINED */
  int32_t clear;     /* 1: whatever is not the same is more than three times as far */
  uint64_t fit;      /* index of the fit that it names; 0, the nearest, when unexplained */
  double next;       /* degrees to the nearest fit that is not the same; 0: there is none */
  int32_t undecided; /* 1: a fit of another kind is the same here: judge another pose */
  int32_t lengths;   /* SKINLIGHT_UNIT .. SKINLIGHT_UNEXPLAINED_LENGTHS */
  double min_length, max_length;
  uint64_t wrong_signs; /* of tangents: vertices whose w is wrong */
} skinlight_verdict;

/* SKINLIGHT_BAD_CALL when `subject` (SKINLIGHT_NORMALS or SKINLIGHT_TANGENTS) was not judged, or has no such
 * truth or fit. Fits are sorted, the best first; their count is 0 for what was not judged. */
SKINLIGHT_API skinlight_status skinlight_report_errors(const skinlight_report* report, int32_t subject,
                                                       int32_t truth, skinlight_errors* errors);
SKINLIGHT_API skinlight_status skinlight_report_verdict(const skinlight_report* report, int32_t subject,
                                                        skinlight_verdict* verdict);
SKINLIGHT_API size_t skinlight_report_fit_count(const skinlight_report* report, int32_t subject);
SKINLIGHT_API skinlight_status skinlight_report_fit(const skinlight_report* report, int32_t subject,
                                                    size_t index, skinlight_fit* fit);

/* ---- Baking ---- */

#define SKINLIGHT_BAKE_FACTORS 0
#define SKINLIGHT_BAKE_SMOOTHED 1 /* deform factors and smooth weights */
#define SKINLIGHT_BAKE_VECTORS 2
#define SKINLIGHT_BAKE_FRAMES 3 /* deform frames of `method`, as attributes */

#define SKINLIGHT_ATTRIBUTES 0 /* _DEFORM_ALPHA_n and so on */
#define SKINLIGHT_TEXCOORDS 1  /* free TEXCOORD_n */

#define SKINLIGHT_FORMAT_F32 0
#define SKINLIGHT_FORMAT_F16 1
#define SKINLIGHT_FORMAT_SNORM16 2
#define SKINLIGHT_FORMAT_SNORM8 3

typedef struct skinlight_bake_options {
  size_t struct_size;
  int32_t record, layout, format;
  int32_t influences; /* 4 or 8 per vertex, of frames 5 to 8; 0: 4, or 5, when the file has no more, else 8 */
  int32_t averaging;  /* SKINLIGHT_USUAL_AVERAGING ... */
  int32_t force;      /* 1: replace the input, or files in the way */
  int32_t threads;
  int32_t missing_normals; /* SKINLIGHT_USUAL_MISSING_NORMALS ...; they are written */
  int32_t method;          /* of frames: SKINLIGHT_DQS, SKINLIGHT_SBS or SKINLIGHT_LOG; 0: SKINLIGHT_DQS */
} skinlight_bake_options;

typedef struct skinlight_bake_report {
  size_t struct_size;
  int32_t unchanged;                                  /* 1: baked with these options already; copied */
  size_t vertex_count, welded_count, primitive_count; /* of skinned meshes */
  size_t slots;                                       /* bones per vertex */
  size_t attributes, bytes;                           /* more per vertex */
  size_t overflow_vertices;                           /* of the surface: with more bones around than fit */
} skinlight_bake_report;

/* Writes the glTF file `in` with what right normals need to `out`, .gltf or .glb. report may be NULL. */
SKINLIGHT_API skinlight_status skinlight_bake(const char* in, const char* out,
                                              const skinlight_bake_options* options,
                                              skinlight_bake_report* report);

/* ---- Names of constants ---- */

#define SKINLIGHT_METHODS 0 /* SKINLIGHT_LBS: "lbs" ... */
#define SKINLIGHT_MODES 1   /* SKINLIGHT_USUAL_MODE: "usual", SKINLIGHT_STANDARD: "standard" ... */
#define SKINLIGHT_GUARDS 2
#define SKINLIGHT_AVERAGINGS \
  3 /* SKINLIGHT_USUAL_AVERAGING: "usual", SKINLIGHT_MIXED_VORONOI: "mixed-voronoi" ... */
#define SKINLIGHT_BAKED_RECORDS 4 /* as the mode that reads them */
#define SKINLIGHT_LAYOUTS 5
#define SKINLIGHT_FORMATS 6
#define SKINLIGHT_MISSING_NORMALS 7 /* SKINLIGHT_USUAL_MISSING_NORMALS: "usual" ... */

/* What the program `skinlight` calls a constant; NULL for one that does not exist: they count from 0. */
SKINLIGHT_API const char* skinlight_name(int32_t of, int32_t constant);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*) */

#endif
