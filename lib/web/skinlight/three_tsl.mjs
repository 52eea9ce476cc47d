// Right normals for baked models in three.js with WebGPURenderer on its WebGL2 backend: one call on what GLTFLoader loaded.
//
//   const {left} = correctNormals(gltf.scene, {renderer});
//
// The kernels are the library's own text, shaders/kernels/, which is GLSL: on the WebGPU backend everything is `left`.
import {Node, Vector3} from 'three/webgpu';
import {attribute, code, glslFn, nodeObject, normalGeometry, normalLocal, positionGeometry, positionLocal, reference, referenceBuffer, tangentLocal,
  uniform, vec3} from 'three/tsl';
import {kernels} from './kernels.mjs';
import {frame, posed, RECORDS, requireGuard, scalesOf, storedIn} from './record.mjs';
import {corrected} from './three_fitting.mjs';

// Posed normal and tangent as columns of a matrix.
function poser(mark, guard) {
  const {attributes} = RECORDS[mark.method];
  return glslFn(`mat3 skinlight_pose(vec3 p, vec3 n, vec4 tangent, mat4 X, mat4 Y, mat4 Z, mat4 W, vec4 weights, vec3 skinlight_scale, ${
    attributes.map((_, i) => `vec4 record${i}`).join(', ')}) {
  Influences skinlight_x;
  skinlight_x.M[0] = mat4x3(X);
  skinlight_x.M[1] = mat4x3(Y);
  skinlight_x.M[2] = mat4x3(Z);
  skinlight_x.M[3] = mat4x3(W);
  for (int s = 0; s < 4; ++s) skinlight_x.w[s] = weights[s];
  RestVertex skinlight_rest;
  skinlight_rest.p = p;
  ${frame('n', 'tangent')}
  ${posed(mark, guard, 'tangent.w', (name) => `record${attributes.indexOf(name)}`)}
  return mat3(skinlight_v.n, skinlight_v.t, vec3(0.0));
}`, [code(`${kernels}\n${storedIn(mark.format)}`, [], 'glsl')]);
}

// The vertex that is to be posed: copies of what three's morph targets leave, taken when the node is set up.
class Morphed extends Node {
  static get type() { return 'SkinlightMorphed'; }
  constructor() { super('void'); }
  setup() { Object.assign(this, {place: vec3(positionLocal).toVar(), normal: vec3(normalLocal).toVar()}); }
  generate() {}
}

// Behind three's own skinning in the vertex stage: as that, a node that assigns when it is set up. rest: {place, normal} by then.
class PosedNormals extends Node {
  static get type() { return 'SkinlightPosedNormals'; }
  constructor(mesh, unit, guard, rest) {
    super('void');
    Object.assign(this, {mesh, rest, scales: scalesOf(mesh.userData.skinlight, unit), pose: poser(mesh.userData.skinlight, guard)});
  }
  setup() {
    const {mesh: {skeleton, userData: {skinlight}}} = this, index = attribute('skinIndex', 'uvec4');
    const bones = referenceBuffer('skeleton.boneMatrices', 'mat4', skeleton.bones.length);
    const bind = reference('bindMatrix', 'mat4'), back = reference('bindMatrixInverse', 'mat4');
    const moved = ['x', 'y', 'z', 'w'].map((slot) => back.mul(bones.element(index[slot])).mul(bind));
    const found = this.pose(this.rest.place, this.rest.normal, attribute('tangent', 'vec4'), ...moved, attribute('skinWeight', 'vec4'),
      uniform(new Vector3(...this.scales)), ...RECORDS[skinlight.method].attributes.map((name) => attribute(name.toLowerCase(), 'vec4'))).toVar();
    normalLocal.assign(found.element(0));
    tangentLocal.assign(found.element(1));
  }
  generate(builder, output) { return output === 'void' ? undefined : normalLocal.build(builder, output); }
}

// Puts a node between three's morph targets and its skinning, which come in this order in the stack that three adds for both.
function beforeSkinning(builder, node) {
  const {addStack} = builder;
  builder.addStack = () => {
    delete builder.addStack;
    addStack.call(builder);
    const {stack} = builder, {add} = stack;
    stack.add = (other) => {
      if (other.skinnedMesh) {
        delete stack.add;
        add.call(stack, nodeObject(node));
      }
      return add.call(stack, other);
    };
  };
}

function ownMaterial(material, mesh, unit, guard) {
  const own = material.clone(), hasMorphs = Object.keys(mesh.geometry.morphAttributes).length > 0;
  own.setupPosition = function (builder) {
    const rest = hasMorphs ? new Morphed() : {place: positionGeometry, normal: normalGeometry};
    if (hasMorphs) beforeSkinning(builder, rest);
    // What is appended as the stack of the vertex stage ends comes last in it.
    builder.removeStack = () => {
      delete builder.removeStack;
      nodeObject(new PosedNormals(mesh, unit, guard, rest)).append();
      return builder.removeStack();
    };
    return Object.getPrototypeOf(this).setupPosition.call(this, builder);
  };
  return own;
}

export function correctNormals(root, {renderer, guard = 'none'} = {}) {
  requireGuard(guard);
  const backend = renderer?.backend?.isWebGPUBackend ? 'is drawn by the WebGPU backend, whose shaders are no GLSL' : '';
  return corrected(root, (material, mesh, unit) => ownMaterial(material, mesh, unit, guard), () => backend);
}
