// A vertex on its way through a skinning kernel. Defines of a variant:
//   INFLUENCES  slots per vertex, at most 8: a vertex has 16 attributes
//   KERNEL      the call, as lbs_deform(x, f, rest); names: x, g, f, rest, guard_limit and guard_kept
//   RIGID_BONES of methods that blend rotations: bones come as rigid motions; names: y, f and scaled
#include "include/kernel_prelude.glsl"
#include "kernels/affine.glsl"
#include "kernels/vertex.glsl"
#include "kernels/morph.glsl"
#include "kernels/guards.glsl"
#include "kernels/lbs.glsl"
#include "kernels/deform_vectors.glsl"
#include "kernels/quaternion.glsl"
#include "kernels/dqs.glsl"

#define SLOT_GROUPS ((INFLUENCES + 3) / 4)

in vec4 rest_p;  // w: handedness of the rest frame
in vec3 rest_n;
in vec3 rest_t;
in vec3 rest_b;
in ivec4 slot_bone[SLOT_GROUPS];
in vec4 slot_weight[SLOT_GROUPS];
in vec4 slot_alpha[SLOT_GROUPS];
in vec4 slot_beta[SLOT_GROUPS];
in vec3 slot_gradient[INFLUENCES];

uniform samplerBuffer bones;  // per bone three texels, the rows of its rest-to-pose transform, or two, a dual quaternion
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

PosedVertex pose_vertex() {
  RestVertex rest;
  rest.p = rest_p.xyz;
  rest.n = rest_n;
  rest.t = rest_t;
  rest.b = rest_b;
#ifdef RIGID_BONES
  RigidInfluences y;
  RestVertex scaled = rest_scaled(rest, rest_scale);
#else
  Influences x;
#endif
  WeightGradients g;
  DeformFactors f;
  for (int s = 0; s < INFLUENCES; ++s) {
#ifdef RIGID_BONES
    y.q[s] = bone_motion(slot_bone[s / 4][s % 4]);
    y.w[s] = slot_weight[s / 4][s % 4];
#else
    x.M[s] = bone_transform(slot_bone[s / 4][s % 4]);
    x.w[s] = slot_weight[s / 4][s % 4];
#endif
    f.alpha[s] = slot_alpha[s / 4][s % 4];
    f.beta[s] = slot_beta[s / 4][s % 4];
    g.a[s] = slot_gradient[s];
  }
  PosedVertex v = finish(KERNEL, rest, side.x + side.y * rest_p.w);
  v.p = v.p + pivot;
  return v;
}
