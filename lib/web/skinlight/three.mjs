// Right normals for baked models in three.js (WebGLRenderer): one call on what GLTFLoader loaded.
//
//   const {left} = correctNormals(gltf.scene);
//
// The kernels are the library's own text, shaders/kernels/. What cannot be corrected keeps three's own normals, and `left`
// says why.
import {kernels} from './kernels.mjs';
import {fitting, frame, posed, RECORDS, requireGuard, scalesOf, storedIn} from './record.mjs';

const NAMES = {POSITION: 'position', NORMAL: 'normal', TANGENT: 'tangent', JOINTS_0: 'skinIndex', WEIGHTS_0: 'skinWeight'};

function fittingOf({geometry, userData}) {
  return fitting({mark: userData.skinlight, fit: geometry.userData.skinlight, engine: 'three.js', index: geometry.index?.array,
    attribute: (name) => {
      const found = geometry.attributes[NAMES[name] ?? name.toLowerCase()];
      return found && {type: (found.isInterleavedBufferAttribute ? found.data.array : found.array).constructor.name,
        normalized: !!found.normalized, count: found.count, at: (v, c) => found.getComponent(v, c)};
    }});
}

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

const body = (mark, guard) => `
#ifdef USE_SKINNING
{
  Influences skinlight_x;
  skinlight_x.M[0] = mat4x3(bindMatrixInverse * boneMatX * bindMatrix);
  skinlight_x.M[1] = mat4x3(bindMatrixInverse * boneMatY * bindMatrix);
  skinlight_x.M[2] = mat4x3(bindMatrixInverse * boneMatZ * bindMatrix);
  skinlight_x.M[3] = mat4x3(bindMatrixInverse * boneMatW * bindMatrix);
  for (int s = 0; s < INFLUENCES; ++s) skinlight_x.w[s] = skinWeight[s];
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
`;

const HERE = '#include <skinnormal_vertex>', BEFORE = '#include <skinning_pars_vertex>';

function corrected(material, mark, unit, guard) {
  const own = material.clone(), {onBeforeCompile} = material, key = material.customProgramCacheKey();
  const scales = {value: scalesOf(mark, unit)};
  own.onBeforeCompile = (shader, renderer) => {
    onBeforeCompile.call(own, shader, renderer);
    // Materials without light have no normals to correct.
    if (!shader.vertexShader.includes(HERE) || !shader.vertexShader.includes(BEFORE)) return;
    shader.uniforms.skinlight_scale = scales;
    shader.vertexShader = shader.vertexShader.replace(BEFORE, BEFORE + declarations(mark)).replace(HERE, body(mark, guard));
  };
  own.customProgramCacheKey = () => `${key} skinlight ${mark.method} ${mark.format} ${guard}`;
  return own;
}

export function correctNormals(root, {guard = 'none'} = {}) {
  requireGuard(guard);
  const done = {corrected: [], left: []};
  root.traverse((mesh) => {
    if (!mesh.isSkinnedMesh) return;
    const {reason, unit} = fittingOf(mesh);
    if (reason) {
      done.left.push({mesh, reason});
      return;
    }
    const own = (material) => corrected(material, mesh.userData.skinlight, unit, guard);
    mesh.material = Array.isArray(mesh.material) ? mesh.material.map(own) : own(mesh.material);
    done.corrected.push(mesh);
  });
  return done;
}
