// Runs in the browser: loads a file as an application does, and reads back the normals that reach the light, vertex by vertex.
import * as THREE from 'three';
import {MeshoptDecoder} from 'three/addons/libs/meshopt_decoder.module.js';
import {DRACOLoader} from 'three/addons/loaders/DRACOLoader.js';
import {GLTFLoader} from 'three/addons/loaders/GLTFLoader.js';
import {correctNormals} from 'skinlight/three';
import {shadowOf} from './three_shadow.mjs';

const WIDTH = 256;
const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).setDRACOLoader(new DRACOLoader().setDecoderPath('draco/'));

// Draws the vertices as points, one per pixel, with their world normals as floats.
function probe(material) {
  const {onBeforeCompile} = material, key = material.customProgramCacheKey();
  material.onBeforeCompile = (shader, renderer) => {
    onBeforeCompile.call(material, shader, renderer);
    shader.vertexShader = shader.vertexShader.replace('void main() {', 'out vec3 probed; uniform float probe_height;\nvoid main() {')
      .replace(/}\s*$/, `probed = normalize((vec4(transformedNormal, 0.0) * viewMatrix).xyz);
        gl_Position = vec4((float(gl_VertexID % ${WIDTH}) + 0.5) / ${WIDTH / 2}.0 - 1.0,
          (float(gl_VertexID / ${WIDTH}) + 0.5) / (0.5 * probe_height) - 1.0, 0.0, 1.0);
        gl_PointSize = 1.0; }`);
    shader.uniforms.probe_height = material.userData.height;
    shader.fragmentShader = 'in vec3 probed;\n' + shader.fragmentShader.replace(/}\s*$/, 'gl_FragColor = vec4(probed, 1.0); }');
  };
  material.customProgramCacheKey = () => `${key} probe`;
  material.userData.height = {value: 1};
  material.side = THREE.FrontSide;
  material.transparent = false;
  material.toneMapped = false;
  return material;
}

window.normals = async (url, {seconds, guard, material: kind, correct = true, first, normalMap = false, place = false, morphs = []}) => {
  const gltf = await loader.loadAsync(url);
  const renderer = new THREE.WebGLRenderer({canvas: document.createElement('canvas')});
  if (!renderer.getContext().getExtension('EXT_color_buffer_float')) throw new Error('no float targets');
  gltf.scene.traverse((o) => {
    if (!o.isSkinnedMesh) return;
    o.material = kind ? new THREE[kind]() : o.material.clone();
    if (normalMap) o.material.normalMap = new THREE.DataTexture(new Uint8Array([128, 128, 255, 255]), 1, 1);
  });
  // As people place characters: turned, moved and scaled as a whole.
  if (place) {
    gltf.scene.position.set(3, -2, 5);
    gltf.scene.rotation.set(0.3, 1.1, -0.4);
    gltf.scene.scale.setScalar(2.5);
  }
  if (first) correctNormals(gltf.scene, {guard: first});
  const {left, corrected} = correct ? correctNormals(gltf.scene, {guard}) : {left: [], corrected: []};
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
    mesh.material = probe(mesh.material);
    mesh.material.userData.height.value = height;
    mesh.isMesh = false;
    mesh.isPoints = true;
    mesh.frustumCulled = false;
    mesh.geometry.setIndex(null);
    for (const other of meshes) other.visible = other === mesh;
    const target = new THREE.WebGLRenderTarget(WIDTH, height, {type: THREE.FloatType, format: THREE.RGBAFormat});
    renderer.setRenderTarget(target);
    renderer.render(scene, camera);
    const pixels = new Float32Array(4 * WIDTH * height);
    renderer.readRenderTargetPixels(target, 0, 0, WIDTH, height, pixels);
    for (let v = 0; v < count; ++v) all.push(pixels[4 * v], pixels[4 * v + 1], pixels[4 * v + 2]);
    target.dispose();
  }
  renderer.dispose();
  const turn = new THREE.Quaternion();
  gltf.scene.getWorldQuaternion(turn).invert();
  if (place) {
    const n = new THREE.Vector3();
    for (let v = 0; v < all.length; v += 3) n.fromArray(all, v).applyQuaternion(turn).toArray(all, v);
  }
  return {normals: all, left: left.map(({reason}) => reason), corrected: corrected.length};
};

window.shadow = async (url, {correct = true, casts = true}) => {
  const renderer = new THREE.WebGLRenderer({canvas: document.createElement('canvas')}), {scene} = await loader.loadAsync(url);
  if (correct) correctNormals(scene);
  const found = await shadowOf(THREE, renderer, scene, casts, (target, pixels) => renderer.readRenderTargetPixels(target, 0, 0, target.width, target.height, pixels));
  renderer.dispose();
  return found;
};
