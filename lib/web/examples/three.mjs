// A baked character in three.js with right normals: three.html?model=hero-baked.glb. Bundle it, or name `three` and
// `skinlight` in an import map.
import * as THREE from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import {GLTFLoader} from 'three/addons/loaders/GLTFLoader.js';
import {correctNormals} from 'skinlight/three';

const canvas = document.getElementById('view'), told = document.getElementById('told');
const renderer = new THREE.WebGLRenderer({canvas, antialias: true});
const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(30, innerWidth / innerHeight, 0.01, 1000);
scene.background = new THREE.Color(0xd8dde4);
const sun = new THREE.DirectionalLight(0xffffff, 3);
scene.add(new THREE.HemisphereLight(0xffffff, 0x445566, 1.5), sun);

const gltf = await new GLTFLoader().loadAsync(new URLSearchParams(location.search).get('model') ?? 'model.glb');
const {corrected, left} = correctNormals(gltf.scene);  // this is all
told.textContent = [`${corrected.length} meshes with right normals`, ...left.map(({mesh, reason}) => `${mesh.name} ${reason}`)].join('\n');
scene.add(gltf.scene);

const box = new THREE.Box3().setFromObject(gltf.scene, true), size = box.getSize(new THREE.Vector3()).length();
const controls = new OrbitControls(camera, canvas);
box.getCenter(controls.target);
camera.position.set(0.5, 0.3, 1).setLength(2 * size).add(controls.target);
camera.far = 10 * size;
sun.position.set(-1, 2, 2);
controls.update();

const mixer = new THREE.AnimationMixer(gltf.scene), clock = new THREE.Clock();
if (gltf.animations.length > 0) mixer.clipAction(gltf.animations[0]).play();
renderer.setAnimationLoop(() => {
  const {clientWidth, clientHeight} = canvas;
  renderer.setSize(clientWidth, clientHeight, false);
  camera.aspect = clientWidth / clientHeight;
  camera.updateProjectionMatrix();
  mixer.update(clock.getDelta());
  renderer.render(scene, camera);
});
