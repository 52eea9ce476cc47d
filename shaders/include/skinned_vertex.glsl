// A vertex on its way through a skinning kernel. Defines of a variant:
//   INFLUENCES  slots per vertex, at most 8: a vertex has 16 attributes
//   KERNEL      the call, as lbs_deform(x, f, rest); names: x, g, f, mean, rest, guard_limit and guard_kept
//   RIGID_BONES of methods that blend rotations: bones come as rigid motions; names: y and scaled for x and rest
//   TWIST_BONES bones come as twists; names: x and scaled for rest
//   VERTEX_CENTRES, SET_CENTRES  of methods that turn about a centre; name: centre, or r of the set of bones
//   DEFORM_VECTORS of kernels that read them; names: x and tau. They come from a buffer: any number of slots
#include "include/kernel_prelude.glsl"
#include "kernels/affine.glsl"
#include "kernels/vertex.glsl"
#include "kernels/morph.glsl"
#include "kernels/guards.glsl"
#include "kernels/lbs.glsl"
#include "kernels/deform_vectors.glsl"
#include "kernels/quaternion.glsl"
#include "kernels/turned.glsl"
#include "kernels/dqs.glsl"
#include "kernels/crs.glsl"
#include "kernels/sbs.glsl"
#include "kernels/log.glsl"

#define SLOT_GROUPS ((INFLUENCES + 3) / 4)

in vec4 rest_p;  // w: handedness of the rest frame
in vec4 rest_n;  // w: u
in vec4 rest_t;  // w: v
in vec3 rest_b;
in ivec4 slot_bone[SLOT_GROUPS];
in vec4 slot_weight[SLOT_GROUPS];
in vec4 slot_alpha[SLOT_GROUPS];
in vec4 slot_beta[SLOT_GROUPS];
in vec4 slot_smooth[SLOT_GROUPS];
in vec3 slot_gradient[INFLUENCES];
in int bone_set;

// Per bone three texels, the rows of its rest-to-pose transform, or two, a dual quaternion or a twist.
uniform samplerBuffer bones;
uniform samplerBuffer centres;  // three per vertex, its centre and the derivatives of that; or one per set of bones
uniform samplerBuffer slot_vectors;  // per vertex and slot three texels: (bone, weight, alpha, beta), t, b
uniform float rest_scale;     // of rest_scaled()
uniform vec2 side;            // of finish(): x + y * handedness
uniform vec3 pivot;           // what the bones are measured from
uniform float guard_limit;    // of guards.glsl: c, where it is a length times the scale of the pose
uniform float guard_kept;     // of guard_test_then_fix()

mat4x3 bone_transform(int bone) {
  return transpose(mat3x4(texelFetch(bones, 3 * bone), texelFetch(bones, 3 * bone + 1), texelFetch(bones, 3 * bone + 2)));
}

Quaternion bone_quaternion(int texel) {
  vec4 q = texelFetch(bones, texel);
  return Quaternion(q.w, q.xyz);
}
DualQuaternion bone_motion(int bone) {
  return DualQuaternion(bone_quaternion(2 * bone), bone_quaternion(2 * bone + 1));
}

Twist bone_twist(int bone) {
  return Twist(texelFetch(bones, 2 * bone).xyz, texelFetch(bones, 2 * bone + 1).xyz);
}

Centre vertex_centre(int vertex) {
  return Centre(texelFetch(centres, 3 * vertex).xyz, texelFetch(centres, 3 * vertex + 1).xyz,
                texelFetch(centres, 3 * vertex + 2).xyz);
}

PosedVertex pose_vertex() {
  RestVertex rest;
  rest.p = rest_p.xyz;
  rest.n = rest_n.xyz;
  rest.t = rest_t.xyz;
  rest.b = rest_b;
#if defined(RIGID_BONES) || defined(TWIST_BONES)
  RestVertex scaled = rest_scaled(rest, rest_scale);
#endif
#if defined(RIGID_BONES)
  RigidInfluences y;
#elif defined(TWIST_BONES)
  TwistInfluences x;
#else
  Influences x;
#endif
#if defined(VERTEX_CENTRES)
  Centre centre = centre_scaled(vertex_centre(gl_VertexID), rest_scale);
#elif defined(SET_CENTRES)
  vec3 r = texelFetch(centres, bone_set).xyz;  // where the scaled rest vertex lives already
#endif
#ifdef DEFORM_VECTORS
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
    x.xi[s] = bone_twist(bone);
    x.w[s] = slot_weight[s / 4][s % 4];
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
  PosedVertex v = finish(KERNEL, rest, side.x + side.y * rest_p.w);
  v.p = v.p + pivot;
  return v;
}
