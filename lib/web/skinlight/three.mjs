// Right normals for baked models in three.js (WebGLRenderer): one call on what GLTFLoader loaded.
//
//   const {left} = correctNormals(gltf.scene);
//
// The kernels are the library's own text, shaders/kernels/. What cannot be corrected keeps three's own normals, and `left`
// says why.
import {kernels} from './kernels.mjs';

const RECORD_VERSION = 2, INFLUENCES = 4;
// What each format stores, as three.js has it.
const FORMATS = {
  f32: {array: Float32Array, normalized: false}, f16: {array: Uint16Array, normalized: false},
  snorm16: {array: Int16Array, normalized: true}, snorm8: {array: Int8Array, normalized: true}};
const slots = Array.from({length: INFLUENCES - 1}, (_, i) => i + 1);
const RECORDS = {
  'deform-factors': {attributes: ['_DEFORM_ALPHA_0', '_DEFORM_BETA_0'], call: 'lbs_deform$(skinlight_x, skinlight_f, skinlight_rest)'},
  smoothed: {attributes: ['_DEFORM_ALPHA_0', '_DEFORM_BETA_0', '_DEFORM_SMOOTH_0'],
    call: 'lbs_smoothed$(skinlight_x, skinlight_f, skinlight_mean, skinlight_rest)'},
  'deform-vectors': {attributes: slots.flatMap((s) => [`_DEFORM_TAU_T_${s}`, `_DEFORM_TAU_B_${s}`]),
    call: 'lbs_deform_vectors$(skinlight_x, skinlight_tau, skinlight_rest)'}};
const GUARDS = {
  none: (call) => call.replace('$', ''),
  joint: (call) => `joined(guard_joint(${call.replace('$', '_terms')}, 0.9))`,
  'test-then-fix': (call) => `joined(guard_test_then_fix(${call.replace('$', '_terms')}, 1e30, 0.1))`};

const arrayOf = (attribute) => attribute.isInterleavedBufferAttribute ? attribute.data.array : attribute.array;
const is = (attribute, {array, normalized}) => arrayOf(attribute) instanceof array && !!attribute.normalized === normalized;

// Why a mesh cannot be corrected, or ''. Tools that edit a baked file leave their traces: what normals need is then gone,
// or no longer what it was.
function damage(mesh) {
  const mark = mesh.userData.skinlight, {attributes} = mesh.geometry;
  if (!mark) return 'is not baked';
  if (mark.record !== RECORD_VERSION || !RECORDS[mark.method] || !FORMATS[mark.format]) return 'was baked by another version of skinlight';
  if (mark.layout !== 'attributes') return `has its record in the layout ${mark.layout}; bake it with attributes`;
  if (mark.influences !== INFLUENCES) return `has ${mark.influences} influences per vertex, of which three.js poses ${INFLUENCES}`;
  for (const name of ['position', 'normal', 'tangent', 'skinIndex', 'skinWeight'])
    if (!attributes[name]) return `has lost its ${name}s`;
  for (const name of ['position', 'normal', 'tangent', 'skinWeight'])
    if (!is(attributes[name], FORMATS.f32)) return `was quantised after baking: its ${name}s are no floats`;
  for (const name of RECORDS[mark.method].attributes) {
    const attribute = attributes[name.toLowerCase()];
    if (!attribute) return `has lost ${name}`;
    if (!is(attribute, FORMATS[mark.format])) return `was quantised after baking: ${name} is no longer ${mark.format}`;
  }
  if (!Number.isFinite(mark.scale)) return 'has lost the scale of its record';
  return '';
}

function declarations({method, format}) {
  const stored = format === 'f16'
    ? 'vec4 skinlight_stored(vec4 bits) { return vec4(unpackHalf2x16(uint(bits.x)).x, unpackHalf2x16(uint(bits.y)).x, unpackHalf2x16(uint(bits.z)).x, unpackHalf2x16(uint(bits.w)).x); }'
    : 'vec4 skinlight_stored(vec4 number) { return number; }';
  return `
#ifdef USE_SKINNING
#ifndef USE_TANGENT
attribute vec4 tangent;
#endif
${RECORDS[method].attributes.map((name) => `attribute vec4 ${name.toLowerCase()};`).join('\n')}
uniform vec3 skinlight_scale;  // of alpha and beta, of smooth weights, of vectors
${kernels}
${stored}
#endif
`;
}

function body({method}, guard) {
  const fill = method === 'deform-vectors'
    ? `DeformVectors skinlight_tau;
${slots.map((s) => ['t', 'b'].map((d) => `  vec4 skinlight_${d}${s} = skinlight_stored(_deform_tau_${d}_${s});
  skinlight_tau.${d}[${s}] = skinlight_${d}${s}.xyz * skinlight_scale.z;
  skinlight_tau.${d === 't' ? 'alpha' : 'beta'}[${s}] = skinlight_${d}${s}.w * skinlight_scale.x;`).join('\n')).join('\n')}`
    : `DeformFactors skinlight_f;
  vec4 skinlight_alpha = skinlight_scale.x * skinlight_stored(_deform_alpha_0);
  vec4 skinlight_beta = skinlight_scale.x * skinlight_stored(_deform_beta_0);
  for (int s = 0; s < INFLUENCES; ++s) {
    skinlight_f.alpha[s] = skinlight_alpha[s];
    skinlight_f.beta[s] = skinlight_beta[s];
  }
  ${method === 'smoothed' ? `SmoothWeights skinlight_mean;
  vec4 skinlight_smooth = skinlight_scale.y * skinlight_stored(_deform_smooth_0);
  for (int s = 0; s < INFLUENCES; ++s) skinlight_mean.w[s] = skinlight_smooth[s];` : ''}`;
  return `
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
  skinlight_rest.n = objectNormal;
  skinlight_rest.t = tangent.xyz;
  skinlight_rest.b = cross(objectNormal, tangent.xyz) * tangent.w;
  ${fill}
  float skinlight_mirror = determinant(mat3(skinlight_x.M[0])) < 0.0 ? -1.0 : 1.0;
  PosedVertex skinlight_v = finish(${GUARDS[guard](RECORDS[method].call)}, skinlight_rest, skinlight_mirror * tangent.w);
  objectNormal = skinlight_v.n;
#ifdef USE_TANGENT
  objectTangent = skinlight_v.t;
#endif
}
#endif
`;
}

const HERE = '#include <skinnormal_vertex>', BEFORE = '#include <skinning_pars_vertex>';

function corrected(material, mark, guard) {
  const own = material.clone(), {onBeforeCompile} = material, key = material.customProgramCacheKey();
  const scales = {value: [mark.scale, mark.weight_scale ?? 1, mark.vector_scale ?? 1]};
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
  if (!GUARDS[guard]) throw new TypeError(`skinlight: guard '${guard}' is none of ${Object.keys(GUARDS).join(', ')}`);
  const done = {corrected: [], left: []};
  root.traverse((mesh) => {
    if (!mesh.isSkinnedMesh) return;
    const reason = damage(mesh);
    if (reason) {
      done.left.push({mesh, reason});
      return;
    }
    const mark = mesh.userData.skinlight;
    mesh.material = Array.isArray(mesh.material) ? mesh.material.map((material) => corrected(material, mark, guard))
      : corrected(mesh.material, mark, guard);
    done.corrected.push(mesh);
  });
  return done;
}
