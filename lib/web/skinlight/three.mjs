// Right normals for baked models in three.js (WebGLRenderer): one call on what GLTFLoader loaded.
//
//   const {left} = correctNormals(gltf.scene);
//
// The kernels are the library's own text, shaders/kernels/. What cannot be corrected keeps three's own normals, and `left`
// says why.
import {kernels} from './kernels.mjs';
import {frame, posed, RECORDS, requireGuard, scalesOf, storedIn} from './record.mjs';
import {corrected} from './three_fitting.mjs';

const declarations = ({method, format}) => `
#ifdef USE_SKINNING
#ifndef USE_TANGENT
attribute vec4 tangent;
#endif
${RECORDS[method].attributes.map((name) => `attribute vec4 ${name.toLowerCase()};`).join('\n')}
uniform vec3 skinlight_scale;  // of alpha and beta, of smooth weights, of vectors
${kernels}
${storedIn(format)}
#endif
`;

// Between these lines, by which a later call finds what an earlier one wrote.
const BEGIN = '// skinlight begins', END = '// skinlight ends';
const body = (mark, guard) => `${BEGIN}
#ifdef USE_SKINNING
{
  Influences skinlight_x;
  skinlight_x.M[0] = mat4x3(bindMatrixInverse * boneMatX * bindMatrix);
  skinlight_x.M[1] = mat4x3(bindMatrixInverse * boneMatY * bindMatrix);
  skinlight_x.M[2] = mat4x3(bindMatrixInverse * boneMatZ * bindMatrix);
  skinlight_x.M[3] = mat4x3(bindMatrixInverse * boneMatW * bindMatrix);
  for (int s = 0; s < 4; ++s) skinlight_x.w[s] = skinWeight[s];
  RestVertex skinlight_rest;
  skinlight_rest.p = position;
#ifdef USE_MORPHTARGETS
  skinlight_rest.p *= morphTargetBaseInfluence;
  for (int i = 0; i < MORPHTARGETS_COUNT; ++i) skinlight_rest.p += getMorph(gl_VertexID, i, 0).xyz * morphTargetInfluences[i];
#endif
  ${frame('objectNormal', 'tangent')}
  ${posed(mark, guard, 'tangent.w')}
  objectNormal = skinlight_v.n;
#ifdef USE_TANGENT
  objectTangent = skinlight_v.t;
#endif
}
#endif
${END}
`;

const HERE = '#include <skinnormal_vertex>', BEFORE = '#include <skinning_pars_vertex>';

function ownMaterial(material, mark, unit, guard) {
  const own = material.clone(), {onBeforeCompile} = material, key = material.customProgramCacheKey();
  const scales = {value: scalesOf(mark, unit)};
  own.onBeforeCompile = (shader, renderer) => {
    onBeforeCompile.call(own, shader, renderer);
    const {vertexShader: text} = shader, begin = text.indexOf(BEGIN);
    if (begin >= 0) {  // corrected before, with another guard perhaps
      shader.vertexShader = text.slice(0, begin) + body(mark, guard) + text.slice(text.indexOf(END, begin) + END.length);
      return;
    }
    // Materials without light have no normals to correct.
    if (!text.includes(HERE) || !text.includes(BEFORE)) return;
    shader.uniforms.skinlight_scale = scales;
    shader.vertexShader = text.replace(BEFORE, BEFORE + declarations(mark)).replace(HERE, body(mark, guard));
  };
  own.customProgramCacheKey = () => `${key} skinlight ${mark.method} ${mark.format} ${guard}`;
  return own;
}

export function correctNormals(root, {guard = 'none'} = {}) {
  requireGuard(guard);
  return corrected(root, (material, mesh, unit) => ownMaterial(material, mesh.userData.skinlight, unit, guard));
}
