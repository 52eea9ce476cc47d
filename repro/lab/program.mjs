// The vertex shader of what is chosen, to copy: complete in GLSL ES 3.00, with the library's own kernels.
import {kernels} from 'skinlight/kernels';
import {frame, posed, RECORDS, storedIn} from 'skinlight/record';

const METHODS = {deform: 'deform-factors', smoothed: 'smoothed', 'deform-vectors': 'deform-vectors'};
const GUARDED = ['none', 'joint', 'test-then-fix'];

// '' for what the engines' packages do not draw either.
export function vertexShader({method, mode, guard, format}) {
  const kind = METHODS[mode];
  if (method !== 'lbs' || !kind || !GUARDED.includes(guard)) return '';
  const {attributes} = RECORDS[kind];
  return `#version 300 es
// skinlight: ${method.toUpperCase()} with normals of ${mode}, guard ${guard}, record in ${format}.
precision highp float;
precision highp int;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;  // w: handedness, as in glTF
layout(location = 3) in uvec4 joints;
layout(location = 4) in vec4 weights;  // the largest first, as baked
${attributes.map((name, i) => `layout(location = ${5 + i}) in vec4 ${name.toLowerCase()};`).join('\n')}
uniform mat4x3 bones[48];      // rest to pose: posed world matrix times inverse bind matrix
uniform mat4 view_projection;
uniform vec3 skinlight_scale;  // extras.skinlight of the mesh: scale, weight_scale (else 1), vector_scale (else 1)
out vec3 world_normal;
out vec4 world_tangent;
${kernels}${storedIn(format)}
void main() {
  Influences skinlight_x;
  for (int s = 0; s < 4; ++s) {
    skinlight_x.M[s] = bones[joints[s]];
    skinlight_x.w[s] = weights[s];
  }
  RestVertex skinlight_rest;
  skinlight_rest.p = position;
  ${frame('normal', 'tangent')}
  ${posed({method: kind}, guard, 'tangent.w')}
  world_normal = skinlight_v.n;
  world_tangent = vec4(skinlight_v.t, skinlight_mirror * tangent.w);
  gl_Position = view_projection * vec4(skinlight_v.p, 1.0);
}
`;
}
