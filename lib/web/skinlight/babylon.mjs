// Right normals for baked models in Babylon.js (WebGL2): import it before loading, then one call on what was loaded.
//
//   const container = await LoadAssetContainerAsync('hero-baked.glb', scene);
//   const {left} = correctNormals(container.meshes);
//
// The kernels are the library's own text, shaders/kernels/. What cannot be corrected keeps Babylon's own normals, and `left`
// says why.
import {Material} from '@babylonjs/core/Materials/material.js';
import {MaterialPluginBase} from '@babylonjs/core/Materials/materialPluginBase.js';
import {VertexBuffer} from '@babylonjs/core/Buffers/buffer.js';
import {registerGLTFExtension} from '@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js';
import {kernels} from './kernels.mjs';
import {fitting, FORMATS, frame, posed, RECORDS, requireGuard, scalesOf, storedIn} from './record.mjs';

const NAME = 'SKINLIGHT_record';
const loaded = new WeakMap();  // of geometries: extras.skinlight of mesh and primitive

// Babylon's loader knows no attributes of one's own: this hands them over as they are stored.
registerGLTFExtension(NAME, false, (loader) => ({
  name: NAME, enabled: true, dispose() {},
  _loadVertexDataAsync(context, primitive, mesh) {
    const own = Object.entries(primitive.attributes ?? {}).filter(([name]) => name.startsWith('_DEFORM_'));
    const {meshes, accessors} = loader.gltf;
    const mark = meshes.find(({primitives}) => primitives.includes(primitive))?.extras?.skinlight;
    if (own.length === 0 && !mark) return null;
    return loader._loadVertexDataAsync(context, primitive, mesh).then(async (geometry) => {
      for (const [name, index] of own) {
        const accessor = accessors[index];
        if (accessor.bufferView === undefined && !accessor.sparse) continue;  // compressed in a way that keeps nothing of it
        geometry.setVerticesBuffer(await loader._loadVertexAccessorAsync(`/accessors/${index}`, accessor, name.toLowerCase()), accessor.count);
      }
      loaded.set(geometry, {mark, fit: primitive.extras?.skinlight});
      return geometry;
    });
  },
}));

const KINDS = {POSITION: VertexBuffer.PositionKind, NORMAL: VertexBuffer.NormalKind, TANGENT: VertexBuffer.TangentKind,
  JOINTS_0: VertexBuffer.MatricesIndicesKind, WEIGHTS_0: VertexBuffer.MatricesWeightsKind};
const TYPES = {[VertexBuffer.BYTE]: 'Int8Array', [VertexBuffer.UNSIGNED_BYTE]: 'Uint8Array', [VertexBuffer.SHORT]: 'Int16Array',
  [VertexBuffer.UNSIGNED_SHORT]: 'Uint16Array', [VertexBuffer.FLOAT]: 'Float32Array'};
const MATERIALS = ['StandardMaterial', 'PBRMaterial', 'PBRMetallicRoughnessMaterial', 'PBRSpecularGlossinessMaterial'];

// Of the triangles, as bake counts them: Babylon keeps strips and fans.
function cornersOf(mesh) {
  const index = mesh.isUnIndexed ? null : mesh.getIndices(), mode = mesh.material?.fillMode;
  const strip = mode === Material.TriangleStripDrawMode;
  if (!strip && mode !== Material.TriangleFanDrawMode) return index;
  const drawn = index ?? Array.from({length: mesh.getTotalVertices()}, (_, v) => v);
  return Array.from(drawn).slice(2).flatMap((last, i) => [drawn[strip ? i : 0], drawn[i + 1], last]);
}

function fittingOf(mesh) {
  const {geometry, material} = mesh, {mark, fit} = loaded.get(geometry) ?? {};
  const engine = mesh.getScene().getEngine();
  if (engine.isWebGPU || engine.version < 2) return {reason: 'is drawn without WebGL2'};
  const {reason, unit} = fitting({mark, fit, engine: 'Babylon.js', index: cornersOf(mesh),
    attributeCount: geometry.getVerticesDataKinds().length,
    attribute: (name) => {
      const buffer = geometry.getVertexBuffer(KINDS[name] ?? name.toLowerCase());
      if (!buffer) return undefined;
      const width = buffer.getSize(), count = geometry.getTotalVertices();
      let values;
      return {type: TYPES[buffer.type], normalized: buffer.normalized, count,
        at: (v, c) => (values ??= buffer.getFloatData(count))[v * width + c]};
    }});
  if (reason) return {reason};
  if (!mesh.computeBonesUsingShaders) return {reason: 'is posed on the CPU'};
  if (!MATERIALS.includes(material?.getClassName())) return {reason: `has a ${material?.getClassName() ?? 'missing material'}, which takes no other normals`};
  return {mark, unit};
}

const METHODS = Object.keys(RECORDS);
const DEFINE = 'SKINLIGHT';  // what a shader is compiled for

class RightNormals extends MaterialPluginBase {
  constructor(material, mark, unit, guard) {
    super(material, 'SkinlightNormals', 250, {[DEFINE]: '0'}, false);
    Object.assign(this, {mark, scales: scalesOf(mark, unit), guard, doNotSerialize: true});
    this.variant = `${METHODS.indexOf(mark.method) + 1}${FORMATS.indexOf(mark.format)}${['none', 'joint', 'test-then-fix'].indexOf(guard)}`;
    this._pluginManager._addPlugin(this);
    this._enable(true);
  }
  getClassName() { return 'SkinlightNormals'; }
  prepareDefines(defines) { defines[DEFINE] = this.variant; }
  getAttributes(attributes) { attributes.push(...RECORDS[this.mark.method].attributes.map((name) => name.toLowerCase())); }
  getUniforms() { return {ubo: [{name: 'skinlight_scale', size: 3, type: 'vec3'}], vertex: 'uniform vec3 skinlight_scale;'}; }
  bindForSubMesh(uniforms) { uniforms.updateFloat3('skinlight_scale', ...this.scales); }
  getCustomCode(shader) {
    if (shader !== 'vertex') return null;
    return {
      CUSTOM_VERTEX_DEFINITIONS: `
#if NUM_BONE_INFLUENCERS>0
${RECORDS[this.mark.method].attributes.map((name) => `attribute vec4 ${name.toLowerCase()};`).join('\n')}
${kernels}
${storedIn(this.mark.format)}
#ifdef BONETEXTURE
#define skinlight_bone(s) readMatrixFromRawSampler(boneSampler,matricesIndices[s])
#else
#define skinlight_bone(s) mBones[int(matricesIndices[s])]
#endif
#endif
`,
      CUSTOM_VERTEX_UPDATE_WORLDPOS: `
#if NUM_BONE_INFLUENCERS>0
vec3 skinlight_tangent;
{
  Influences skinlight_x;
  skinlight_x.M[0] = mat4x3(skinlight_bone(0));
  skinlight_x.M[1] = mat4x3(skinlight_bone(1));
  skinlight_x.M[2] = mat4x3(skinlight_bone(2));
  skinlight_x.M[3] = mat4x3(skinlight_bone(3));
  for (int s = 0; s < 4; ++s) skinlight_x.w[s] = matricesWeights[s];
  RestVertex skinlight_rest;
  skinlight_rest.p = positionUpdated;
  ${frame('normalUpdated', 'tangentUpdated')}
  ${posed(this.mark, this.guard, 'tangentUpdated.w')}
#ifdef INSTANCES
  mat3 skinlight_world = mat3(mat4(world0, world1, world2, world3));
#ifdef THIN_INSTANCES
  skinlight_world = mat3(world) * skinlight_world;
#endif
#else
  mat3 skinlight_world = mat3(world);
#endif
  vNormalW = normalize(transposeMat3(inverseMat3(skinlight_world)) * skinlight_v.n);
  skinlight_tangent = skinlight_world * skinlight_v.t;
}
#endif
`,
      CUSTOM_VERTEX_MAIN_END: `
#if NUM_BONE_INFLUENCERS>0
#if defined(BUMP) || defined(PARALLAX) || defined(CLEARCOAT_BUMP) || defined(ANISOTROPIC)
#if defined(TANGENT) && defined(NORMAL)
{
  vec3 skinlight_t = normalize(skinlight_tangent - vNormalW * dot(vNormalW, skinlight_tangent));
  float skinlight_side = determinant(mat3(finalWorld)) < 0.0 ? -tangentUpdated.w : tangentUpdated.w;
  vTBN = mat3(skinlight_t, cross(vNormalW, skinlight_t) * skinlight_side, vNormalW);
}
#endif
#endif
#endif
`};
  }
}

export function correctNormals(meshes, {guard = 'none'} = {}) {
  requireGuard(guard);
  const done = {corrected: [], left: []};
  for (const mesh of meshes) {
    if (!mesh.skeleton || !mesh.geometry || mesh.isAnInstance) continue;  // instances have the material of their source
    const {reason, mark, unit} = fittingOf(mesh);
    if (reason) {
      done.left.push({mesh, reason});
      continue;
    }
    mesh.numBoneInfluencers = 4;
    mesh.material = mesh.material.clone(mesh.material.name);
    // Light from the surroundings is else taken before the normals are right.
    if ('forceIrradianceInFragment' in mesh.material) mesh.material.forceIrradianceInFragment = true;
    new RightNormals(mesh.material, mark, unit, guard);
    done.corrected.push(mesh);
  }
  return done;
}
