#version 330 core
// A mesh that is skinned while it is drawn.
#include "include/skinned_vertex.glsl"
#include "include/view.glsl"

void main() {
  PosedVertex v = pose_vertex();
  show(v.p, v.t, v.b, v.n, vec2(rest_n.w, rest_t.w));
}
