// Runs in the browser: as three.page.mjs, with WebGPURenderer on WebGL2.
import * as THREE from 'three/webgpu';
import {float, normalWorld, vec4, vertexIndex} from 'three/tsl';
import {GLTFLoader} from 'three/addons/loaders/GLTFLoader.js';
import {correctNormals} from 'skinlight/three-tsl';
import {shadowOf} from './three_shadow.mjs';

const WIDTH = 256;

// Draws the vertices as points, one per pixel, with their world normals as floats.
function probe(material, height) {
  const own = new THREE.MeshStandardNodeMaterial(), setupPosition = material.setupPosition ?? own.setupPosition;
  own.setupPosition = function (builder) {
    setupPosition.call(this, builder);
    const index = float(vertexIndex), row = index.add(0.5).div(WIDTH).floor();
    return vec4(index.sub(row.mul(WIDTH)).add(0.5).div(WIDTH / 2).sub(1), row.add(0.5).div(0.5 * height).sub(1), 0, 1);
  };
  own.fragmentNode = vec4(normalWorld, 1);
  return own;
}

window.normals = async (url, {seconds, guard, material: kind, correct = true, first, morphs = []}) => {
  const gltf = await new GLTFLoader().loadAsync(url);
  const renderer = new THREE.WebGPURenderer({canvas: document.createElement('canvas'), forceWebGL: true});
  await renderer.init();
  gltf.scene.traverse((o) => { if (o.isSkinnedMesh && kind) o.material = new THREE[kind](); });
  if (first) correctNormals(gltf.scene, {renderer, guard: first});
  const {left, corrected} = correct ? correctNormals(gltf.scene, {renderer, guard}) : {left: [], corrected: []};
  const scene = new THREE.Scene().add(gltf.scene, new THREE.DirectionalLight());
  if (gltf.animations.length > 0) {
    const mixer = new THREE.AnimationMixer(gltf.scene);
    mixer.clipAction(gltf.animations[0]).play();
    mixer.setTime(seconds);
  }
  gltf.scene.traverse(({morphTargetInfluences: own}) => { if (own) morphs.forEach((x, i) => { own[i] = x; }); });
  const camera = new THREE.PerspectiveCamera();
  camera.position.z = 5;
  scene.updateMatrixWorld(true);
  const meshes = [];
  gltf.scene.traverse((o) => { if (o.isSkinnedMesh) meshes.push(o); });
  const all = [];
  for (const mesh of meshes) {
    const count = mesh.geometry.attributes.position.count, height = Math.ceil(count / WIDTH);
    mesh.material = probe(mesh.material, height);
    Object.assign(mesh, {isMesh: false, isPoints: true, frustumCulled: false});
    mesh.geometry.setIndex(null);
    for (const other of meshes) other.visible = other === mesh;
    const target = new THREE.RenderTarget(WIDTH, height, {type: THREE.FloatType, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter, depthBuffer: false});
    renderer.setRenderTarget(target);
    await renderer.renderAsync(scene, camera);
    const pixels = await renderer.readRenderTargetPixelsAsync(target, 0, 0, WIDTH, height);
    for (let v = 0; v < count; ++v) all.push(pixels[4 * v], pixels[4 * v + 1], pixels[4 * v + 2]);
    target.dispose();
  }
  renderer.dispose();
  return {normals: all, left: left.map(({reason}) => reason), corrected: corrected.length};
};

window.shadow = async (url, {correct = true, casts = true}) => {
  const renderer = new THREE.WebGPURenderer({canvas: document.createElement('canvas'), forceWebGL: true}), {scene} = await new GLTFLoader().loadAsync(url);
  await renderer.init();
  if (correct) correctNormals(scene, {renderer});
  const found = await shadowOf(THREE, renderer, scene, casts, async (target, pixels) =>
    pixels.set(await renderer.readRenderTargetPixelsAsync(target, 0, 0, target.width, target.height)));
  renderer.dispose();
  return found;
};

// On the WebGPU backend: what becomes of the meshes, once they are drawn.
window.webgpu = async (url) => {
  const renderer = new THREE.WebGPURenderer({canvas: document.createElement('canvas')}), {scene} = await new GLTFLoader().loadAsync(url);
  await renderer.init();
  const {left, corrected} = correctNormals(scene, {renderer});
  await renderer.renderAsync(new THREE.Scene().add(scene, new THREE.DirectionalLight()), new THREE.PerspectiveCamera());
  const found = {isWebGPU: renderer.backend.isWebGPUBackend === true, left: left.map(({reason}) => reason), corrected: corrected.length};
  renderer.dispose();
  return found;
};
