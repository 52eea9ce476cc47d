// node pose_by_three.mjs OUT FILE...: poses glTF and FBX files with three.js and writes what it makes of their skinned vertices. OUT
// gets a line of JSON per file:
//   {file, error} or {file, poses: [{clip, time, meshes: [{mesh, primitive, skin, first, count}]}]}
// and OUT.bin, in doubles, the positions in the space of the scene: `count` by 3 from number `first` on. `time` counts in
// seconds; the default pose is that of clip -1. Packages are looked for along NODE_PATH; ci/setup.sh installs them.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const three = join(dirname(require.resolve('three')), '..');
const load = (path) => import(pathToFileURL(join(three, path)));
const THREE = await load('build/three.module.js');
const { GLTFLoader } = await load('examples/jsm/loaders/GLTFLoader.js');
const { FBXLoader } = await load('examples/jsm/loaders/FBXLoader.js');
const { MeshoptDecoder } = await load('examples/jsm/libs/meshopt_decoder.module.js');

// What browsers have.
globalThis.self = globalThis.window = globalThis;
globalThis.document = { createElementNS: () => ({ addEventListener() {}, removeEventListener() {} }) };  // images
console.warn = console.error = () => {};

const SHARES = [0, 0.29, 0.5, 0.83, 1];  // of a clip
const OF_FBX = [0];  // its loader joins the keys of angles by lines, which no program that writes FBX does

// One buffer without materials and images, one scene with all nodes: joints may stand outside of those that are shown.
function bare(file) {
  const bytes = readFileSync(file);
  let json = bytes, chunk;
  if (bytes.toString('latin1', 0, 4) === 'glTF') {
    const size = bytes.readUInt32LE(12);
    json = bytes.subarray(20, 20 + size);
    if (bytes.length > 28 + size) chunk = bytes.subarray(28 + size, 28 + size + bytes.readUInt32LE(20 + size));
  }
  const gltf = JSON.parse(json.toString('utf8'));
  for (const key of ['materials', 'textures', 'images', 'samplers']) delete gltf[key];
  for (const mesh of gltf.meshes ?? [])
    for (const primitive of mesh.primitives) delete primitive.material;
  // three.js gives the nodes that share a mesh one association; userData tells them apart.
  (gltf.nodes ?? []).forEach((node, index) => { node.extras = { nodeIndex: index }; });
  for (const of of [...(gltf.meshes ?? []), ...(gltf.meshes ?? []).flatMap((mesh) => mesh.primitives)]) delete of.extras;
  const children = new Set((gltf.nodes ?? []).flatMap((node) => node.children ?? []));
  gltf.scenes = [{ nodes: (gltf.nodes ?? []).map((_, n) => n).filter((n) => !children.has(n)) }];
  gltf.scene = 0;
  const parts = [];
  let size = 0;
  const start = (gltf.buffers ?? []).map((buffer, index) => {
    const data = !buffer.uri ? (index === 0 ? chunk : Buffer.alloc(0))  // a fallback has none
      : buffer.uri.startsWith('data:') ? Buffer.from(buffer.uri.slice(buffer.uri.indexOf(',') + 1), 'base64')
      : readFileSync(join(dirname(file), decodeURIComponent(buffer.uri)));
    const at = size;
    parts.push(data, Buffer.alloc((8 - (data.length % 8)) % 8));
    size += data.length + parts.at(-1).length;
    return at;
  });
  for (const view of gltf.bufferViews ?? []) {
    for (const of of [view, view.extensions?.EXT_meshopt_compression ?? { buffer: 0 }]) {
      of.byteOffset = (of.byteOffset ?? 0) + start[of.buffer];
      of.buffer = 0;
    }
  }
  const all = Buffer.concat(parts);
  gltf.buffers = [{ byteLength: all.length }];
  const text = Buffer.from(JSON.stringify(gltf));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const word = (...words) => Buffer.from(new Uint32Array(words).buffer);
  const glb = Buffer.concat([
    word(0x46546c67, 2, 28 + padded.length + all.length, padded.length, 0x4e4f534a), padded,
    word(all.length, 0x004e4942), all]);
  return { gltf, glb: glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.length) };
}

// Every corner of a triangle is a vertex there, and a mesh follows its node.
function readFbx(file) {
  const bytes = readFileSync(file);
  const scene = new FBXLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
  const name = () => ({ mesh: 0, primitive: 0, skin: 0 });
  return { scenes: [scene], clips: scene.animations, name, shares: OF_FBX, followsNode: true };
}

async function read(file) {
  if (file.endsWith('.fbx')) return readFbx(file);
  const { gltf, glb } = bare(file);
  const { scenes, animations, parser } = await new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).parseAsync(glb, '');
  const name = (object) => {
    const { meshes, primitives } = parser.associations.get(object);
    let node = object;
    while (node.userData.nodeIndex === undefined) node = node.parent;
    return { mesh: meshes, primitive: primitives ?? 0, skin: gltf.nodes[node.userData.nodeIndex].skin };
  };
  for (const scene of scenes)
    scene.traverse((object) => {
      // In the scene's space from the start, instead of through the node's transform, which may be flat, and back.
      if (object.isSkinnedMesh) object.bindMode = THREE.DetachedBindMode;
    });
  // Keys are unit, says the format; three.js leaves it to files, which round them.
  for (const track of animations.flatMap((clip) => clip.tracks)) {
    const { times, values } = track;
    if (!track.name.endsWith('.quaternion') || values.length !== 4 * times.length) continue;
    for (let i = 0; i < values.length; i += 4) {
      const norm = Math.hypot(...values.subarray(i, i + 4));
      for (let k = 0; k < 4; ++k) values[i + k] /= norm;
    }
  }
  return { scenes, clips: animations, name, shares: SHARES, followsNode: false };
}

const numbers = [];

function posed({ scenes, name, followsNode }) {
  const meshes = [];
  const p = new THREE.Vector3();
  for (const scene of scenes) {
    scene.updateMatrixWorld(true);
    scene.traverse((object) => {
      if (!object.isSkinnedMesh) return;
      const count = object.geometry.getAttribute('position').count;
      meshes.push({ ...name(object), first: numbers.length, count });
      for (let i = 0; i < count; ++i) {
        object.getVertexPosition(i, p);
        if (followsNode) p.applyMatrix4(object.matrixWorld);
        numbers.push(p.x, p.y, p.z);
      }
    });
  }
  return meshes;
}

async function poses(file) {
  const character = await read(file);
  const all = [{ clip: -1, time: 0, meshes: posed(character) }];
  character.clips.forEach((clip, index) => {
    const mixer = new THREE.AnimationMixer(character.scenes[0]);
    const action = mixer.clipAction(clip);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    for (const share of character.shares) {
      const time = share * clip.duration;
      mixer.setTime(time);
      all.push({ clip: index, name: clip.name, time, meshes: posed(character) });
    }
    mixer.stopAllAction();  // puts back what it moved
  });
  return all;
}

const [out, ...files] = process.argv.slice(2);
const lines = [];
for (const file of files) {
  try {
    lines.push({ file, poses: await poses(file) });
  } catch (error) {
    lines.push({ file, error: String(error.message ?? error) });
  }
}
writeFileSync(out, lines.map((line) => JSON.stringify(line) + '\n').join(''));
writeFileSync(out + '.bin', new Uint8Array(new Float64Array(numbers).buffer));
