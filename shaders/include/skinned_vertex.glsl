// A vertex on its way through a skinning kernel. Defines of a variant:
//   INFLUENCES   slots per vertex, at most 8: a vertex has 16 attributes
//   KERNEL_FILE  of the method, as "kernels/lbs.glsl"
//   KERNEL       the call, as lbs_deform(x, f, rest); names: those of KernelInput of skinning/kernel_table.h, and
//                guard_limit and guard_kept
//   RIGID_BONES  of methods that blend rotations: bones come as rigid motions, y in the place of x; rest is scaled
//   TWIST_BONES  bones come as twists, z in the place of x; rest is scaled
//   VERTEX_CENTRES, SET_CENTRES  of methods that turn about a centre; of a set of bones only centre.c is there
//   DEFORM_FRAMES of kernels that read them; names: y or z, and frames. They come from a buffer: any number of slots
//   DEFORM_VECTORS of kernels that read them; names: x and tau. They come from a buffer: any number of slots
#include "include/kernel_prelude.glsl"
#include KERNEL_FILE

#define SLOT_GROUPS ((INFLUENCES + 3) / 4)

in vec4 rest_p;  // w: handedness of the rest frame
in vec4 rest_n;  // w: u
in vec4 rest_t;  // w: v
in vec4 rest_b;  // w: which group of vertices, those that the pose scales and mirrors alike
in ivec4 slot_bone[SLOT_GROUPS];
in vec4 slot_weight[SLOT_GROUPS];
in vec4 slot_alpha[SLOT_GROUPS];
in vec4 slot_beta[SLOT_GROUPS];
in vec4 slot_smooth[SLOT_GROUPS];
in vec3 slot_gradient[INFLUENCES];
in int bone_set;

// Per bone three texels, the rows of its rest-to-pose transform, or two, a dual quaternion or a twist; for each group of
// vertices. From group_texel on one texel per group: the side of finish(), x + y * handedness; the scale of rest_scaled();
// guard_limit, of guards.glsl: c, where it is a length times the scale of the pose.
uniform samplerBuffer bones;
uniform int group_texel;
uniform int group_bones;    // texels from the bones of one group to those of the next
uniform int group_centres;  // likewise of sets
uniform samplerBuffer centres;  // three per vertex, its centre and the derivatives of that; or one per set of bones
uniform samplerBuffer slot_vectors;  // per vertex and slot three texels: (bone, weight, alpha, beta), t, b
// Per vertex a texel for every slot, (bone, weight, what frames 0 and 1 change that by), and for every frame three: (t,
// alpha), (b, beta), centre.
uniform samplerBuffer vertex_frames;
uniform vec3 pivot;           // what the bones are measured from
uniform float guard_kept;     // of guard_test_then_fix()

mat4x3 bone_transform(int bone) {
  int texel = group_bones * int(rest_b.w) + 3 * bone;
  return transpose(mat3x4(texelFetch(bones, texel), texelFetch(bones, texel + 1), texelFetch(bones, texel + 2)));
}

#if defined(RIGID_BONES)
Quaternion bone_quaternion(int texel) {
  vec4 q = texelFetch(bones, texel);
  return Quaternion(q.w, q.xyz);
}
DualQuaternion bone_motion(int bone) {
  int texel = group_bones * int(rest_b.w) + 2 * bone;
  return DualQuaternion(bone_quaternion(texel), bone_quaternion(texel + 1));
}
#elif defined(TWIST_BONES)
Twist bone_twist(int bone) {
  int texel = group_bones * int(rest_b.w) + 2 * bone;
  return Twist(texelFetch(bones, texel).xyz, texelFetch(bones, texel + 1).xyz);
}
#endif

PosedVertex pose_vertex() {
  RestVertex at_rest;
  at_rest.p = rest_p.xyz;
  at_rest.n = rest_n.xyz;
  at_rest.t = rest_t.xyz;
  at_rest.b = rest_b.xyz;
  vec4 group = texelFetch(bones, group_texel + int(rest_b.w));
  float rest_scale = group.z;
  float guard_limit = group.w;
#if defined(RIGID_BONES)
  RestVertex rest = rest_scaled(at_rest, rest_scale);
  RigidInfluences y;
#elif defined(TWIST_BONES)
  RestVertex rest = rest_scaled(at_rest, rest_scale);
  TwistInfluences z;
#else
  RestVertex rest = at_rest;
  Influences x;
#endif
#if defined(VERTEX_CENTRES)
  Centre centre;
  centre.c = texelFetch(centres, 3 * gl_VertexID).xyz;
  centre.along_t = texelFetch(centres, 3 * gl_VertexID + 1).xyz;
  centre.along_b = texelFetch(centres, 3 * gl_VertexID + 2).xyz;
  centre = centre_scaled(centre, rest_scale);
#elif defined(SET_CENTRES)
  Centre centre;
  centre.c = texelFetch(centres, group_centres * int(rest_b.w) + bone_set).xyz;  // where the scaled rest vertex lives already
#endif
#if defined(DEFORM_VECTORS)
  DeformVectors tau;
  for (int s = 0; s < INFLUENCES; ++s) {
    int texel = 3 * (gl_VertexID * INFLUENCES + s);
    vec4 slot = texelFetch(slot_vectors, texel);
    x.M[s] = bone_transform(int(slot.x));
    x.w[s] = slot.y;
    tau.alpha[s] = slot.z;
    tau.beta[s] = slot.w;
    tau.t[s] = texelFetch(slot_vectors, texel + 1).xyz;
    tau.b[s] = texelFetch(slot_vectors, texel + 2).xyz;
  }
#elif defined(DEFORM_FRAMES)
  DeformFrames frames;
  int texel = gl_VertexID * (INFLUENCES + 3 * FRAMES);
  for (int s = 0; s < INFLUENCES; ++s) {
    vec4 slot = texelFetch(vertex_frames, texel + s);
#if defined(RIGID_BONES)
    y.q[s] = bone_motion(int(slot.x));
    y.w[s] = slot.y;
#else
    z.xi[s] = bone_twist(int(slot.x));
    z.w[s] = slot.y;
#endif
    frames.w[s] = slot.z;
    frames.w[INFLUENCES + s] = slot.w;
  }
  for (int k = 0; k < FRAMES; ++k) {
    vec4 t = texelFetch(vertex_frames, texel + INFLUENCES + 3 * k);
    vec4 b = texelFetch(vertex_frames, texel + INFLUENCES + 3 * k + 1);
    frames.t[k] = t.xyz;
    frames.alpha[k] = t.w;
    frames.b[k] = b.xyz;
    frames.beta[k] = b.w;
    frames.centre[k] = texelFetch(vertex_frames, texel + INFLUENCES + 3 * k + 2).xyz;
  }
  frames = frames_scaled(frames, rest_scale);
#else
  WeightGradients g;
  DeformFactors f;
  SmoothWeights mean;
  for (int s = 0; s < INFLUENCES; ++s) {
    int bone = slot_bone[s / 4][s % 4];
#if defined(RIGID_BONES)
    y.q[s] = bone_motion(bone);
    y.w[s] = slot_weight[s / 4][s % 4];
#elif defined(TWIST_BONES)
    z.xi[s] = bone_twist(bone);
    z.w[s] = slot_weight[s / 4][s % 4];
#else
    x.M[s] = bone_transform(bone);
    x.w[s] = slot_weight[s / 4][s % 4];
#endif
    f.alpha[s] = slot_alpha[s / 4][s % 4];
    f.beta[s] = slot_beta[s / 4][s % 4];
    g.a[s] = slot_gradient[s];
    mean.w[s] = slot_smooth[s / 4][s % 4];
  }
#endif
  PosedVertex v = finish(KERNEL, at_rest, group.x + group.y * rest_p.w);
  v.p = v.p + pivot;
  return v;
}
