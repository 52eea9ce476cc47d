// Runs in the browser: loads a file as an application of Babylon.js does, and reads back the normals that reach the light,
// vertex by vertex.
import {Engine} from '@babylonjs/core/Engines/engine.js';
import {Scene} from '@babylonjs/core/scene.js';
import {ArcRotateCamera} from '@babylonjs/core/Cameras/arcRotateCamera.js';
import {DirectionalLight} from '@babylonjs/core/Lights/directionalLight.js';
import {ShadowGenerator} from '@babylonjs/core/Lights/Shadows/shadowGenerator.js';
import '@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent.js';
import {Vector3} from '@babylonjs/core/Maths/math.vector.js';
import {LoadAssetContainerAsync} from '@babylonjs/core/Loading/sceneLoader.js';
import {Constants} from '@babylonjs/core/Engines/constants.js';
import {Material} from '@babylonjs/core/Materials/material.js';
import {MaterialPluginBase} from '@babylonjs/core/Materials/materialPluginBase.js';
import {RawTexture} from '@babylonjs/core/Materials/Textures/rawTexture.js';
import {RenderTargetTexture} from '@babylonjs/core/Materials/Textures/renderTargetTexture.js';
import {StandardMaterial} from '@babylonjs/core/Materials/standardMaterial.js';
import {CreateGround} from '@babylonjs/core/Meshes/Builders/groundBuilder.js';
import {SubMesh} from '@babylonjs/core/Meshes/subMesh.js';
import '@babylonjs/core/Animations/animatable.js';
import '@babylonjs/core/Engines/Extensions/engine.rawTexture.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import {correctNormals} from 'skinlight/babylon';

const WIDTH = 256;

// Draws the vertices as points, one per pixel, with their world normals as floats, or the tangents that normal maps turn by.
class Probe extends MaterialPluginBase {
  constructor(material, height, what) {
    super(material, 'Probe', 900, {PROBE: false}, true, true);
    Object.assign(this, {height, what});
  }
  getClassName() { return 'Probe'; }
  prepareDefines(defines) { defines.PROBE = true; }
  getUniforms() { return {ubo: [{name: 'probe_height', size: 1, type: 'float'}], vertex: 'uniform float probe_height;'}; }
  bindForSubMesh(uniforms) { uniforms.updateFloat('probe_height', this.height); }
  getCustomCode(shader) {
    return shader === 'vertex' ? {CUSTOM_VERTEX_DEFINITIONS: 'varying vec3 probed;',
      CUSTOM_VERTEX_MAIN_END: `probed = ${this.what === 'tangents' ? 'vTBN[0]' : 'vNormalW'};
        gl_Position = vec4((float(gl_VertexID % ${WIDTH}) + 0.5) / ${WIDTH / 2}.0 - 1.0, (float(gl_VertexID / ${WIDTH}) + 0.5) / (0.5 * probe_height) - 1.0, 0.0, 1.0);
        gl_PointSize = 1.0;`}
      : {CUSTOM_FRAGMENT_DEFINITIONS: 'varying vec3 probed;', CUSTOM_FRAGMENT_MAIN_END: 'gl_FragColor = vec4(probed, 1.0);'};
  }
}

window.normals = async (url, {seconds, guard, material: kind, correct = true, normalMap = false, place = false, shadows = false, leftHanded = false, morphs = [], what, first,
  instances, cloned = false}) => {
  const canvas = document.createElement('canvas');
  const engine = new Engine(canvas, false), scene = new Scene(engine);
  scene.useRightHandedSystem = !leftHanded;
  new ArcRotateCamera('camera', 0, 1, 5, Vector3.Zero(), scene);
  const light = new DirectionalLight('light', new Vector3(0.3, -1, 0.2), scene);
  const container = await LoadAssetContainerAsync(url, scene, {pluginExtension: '.glb'});
  container.addAllToScene();
  let meshes = container.meshes.filter(({skeleton}) => skeleton), [root] = container.meshes, groups = container.animationGroups;
  for (const mesh of meshes) {
    mesh.material = kind === 'StandardMaterial' ? new StandardMaterial('standard', scene) : mesh.material.clone('own');
    if (normalMap) mesh.material.bumpTexture = RawTexture.CreateRGBATexture(new Uint8Array([128, 128, 255, 255]), 1, 1, scene);
  }
  if (shadows) {
    const generator = new ShadowGenerator(64, light);
    for (const mesh of meshes) {
      generator.addShadowCaster(mesh);
      mesh.receiveShadows = true;
    }
  }
  // As people place characters: turned, moved and scaled as a whole.
  if (place) {
    root.position.set(3, -2, 5);
    root.rotation = new Vector3(0.3, 1.1, -0.4);
    root.scaling.setAll(2.5);
  }
  if (instances) for (const mesh of meshes) mesh.createInstance('instance').position.x = 2;
  if (first) correctNormals(container.meshes, {guard: first});
  if (cloned) {
    const made = container.instantiateModelsToScene(undefined, true);
    [root] = made.rootNodes;
    groups = made.animationGroups;
    meshes = root.getChildMeshes().filter(({skeleton}) => skeleton);
  }
  const {left, corrected} = correct ? correctNormals(instances ? scene.meshes : cloned ? meshes : container.meshes, {guard}) : {left: [], corrected: []};
  const [group] = groups;
  if (group) {
    for (const other of groups) other.stop();
    group.start(false, 1);
    group.goToFrame(seconds * 60);
    group.pause();
  }
  for (const {morphTargetManager} of meshes) morphs.forEach((x, i) => { morphTargetManager.getTarget(i).influence = x; });
  const all = [];
  for (const mesh of meshes) {
    const count = mesh.getTotalVertices(), height = Math.ceil(count / WIDTH);
    new Probe(mesh.material, height, what);
    Object.assign(mesh.material, {pointsCloud: true, fillMode: Material.PointListDrawMode, backFaceCulling: false});
    mesh.isUnIndexed = true;
    mesh.alwaysSelectAsActiveMesh = true;
    mesh.releaseSubMeshes();
    new SubMesh(0, 0, count, 0, count, mesh);
    const target = new RenderTargetTexture('target', {width: WIDTH, height}, scene, {type: Constants.TEXTURETYPE_FLOAT, generateMipMaps: false,
      samplingMode: Constants.TEXTURE_NEAREST_SAMPLINGMODE, generateDepthBuffer: false});
    target.renderList = [mesh];
    target.noPrePassRenderer = true;
    await scene.whenReadyAsync();
    for (let i = 0; i < 500 && !mesh.isReady(true); ++i) await new Promise((resolve) => setTimeout(resolve, 20));
    scene.render();
    target.render();
    const pixels = await target.readPixels();
    for (let v = 0; v < count; ++v) all.push(pixels[4 * v], pixels[4 * v + 1], pixels[4 * v + 2]);
  }
  // Back into the space of the file.
  const world = root.computeWorldMatrix(true), n = new Vector3(), back = world.clone().invert();
  for (let v = 0; v < all.length; v += 3) {
    Vector3.TransformNormalFromFloatsToRef(all[v], all[v + 1], all[v + 2], back, n);
    n.normalize().toArray(all, v);
  }
  engine.dispose();
  return {normals: all, left: left.map(({reason}) => reason), corrected: corrected.length};
};

// How many pixels of a floor lie in the shadow of what was loaded.
window.shadow = async (url, {correct = true, casts = true}) => {
  const SIZE = 128, engine = new Engine(document.createElement('canvas'), false), scene = new Scene(engine);
  scene.useRightHandedSystem = true;
  scene.clearColor.set(1, 1, 1, 1);
  const container = await LoadAssetContainerAsync(url, scene, {pluginExtension: '.glb'});
  container.addAllToScene();
  for (const group of container.animationGroups) group.stop();
  if (correct) correctNormals(container.meshes);
  const meshes = container.meshes.filter(({skeleton}) => skeleton), {min, max} = container.meshes[0].getHierarchyBoundingVectors();
  const size = max.subtract(min).length(), middle = min.add(max).scale(0.5);
  const floor = CreateGround('floor', {width: 3 * size, height: 3 * size}, scene);
  floor.position.set(middle.x, min.y - 0.1 * size, middle.z);
  floor.receiveShadows = true;
  floor.material = new StandardMaterial('floor', scene);
  floor.material.specularColor.set(0, 0, 0);
  const light = new DirectionalLight('light', new Vector3(-0.3, -1, -0.2), scene), generator = new ShadowGenerator(256, light);
  light.position = middle.add(new Vector3(0.3, 1, 0.2).scale(size));
  for (const mesh of meshes) {
    mesh.alwaysSelectAsActiveMesh = true;
    mesh.material.disableColorWrite = true;
    mesh.material.disableDepthWrite = true;
    if (casts) generator.addShadowCaster(mesh);
  }
  const camera = new ArcRotateCamera('camera', 0, 0.001, 3 * size, middle, scene);
  Object.assign(camera, {mode: 1, orthoLeft: -size, orthoRight: size, orthoTop: size, orthoBottom: -size, minZ: 0.01 * size, maxZ: 10 * size});
  const target = new RenderTargetTexture('target', SIZE, scene, {generateMipMaps: false});
  Object.assign(target, {activeCamera: camera, renderList: [floor, ...meshes]});
  scene.customRenderTargets.push(target);
  await scene.whenReadyAsync();
  for (let i = 0; i < 3; ++i) scene.render();
  const pixels = await target.readPixels();
  let dark = 0;
  for (let i = 0; i < pixels.length; i += 4) dark += pixels[i] < 16;
  engine.dispose();
  return dark;
};
