// The character as three.js's loader has it: its materials and its skeleton, which the library does not read.
import {meant, named} from 'skinlight/files';
import * as THREE from 'three';
import {MeshoptDecoder} from 'three/addons/libs/meshopt_decoder.module.js';
import {GLTFLoader} from 'three/addons/loaders/GLTFLoader.js';

const GREY = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4ceIEAAS0AlkWLoFAAAAAAElFTkSuQmCC';
const NEAR = 1e-4;  // of two positions, as a share of the extent: one was rounded to float

const isText = (bytes) => bytes[0] !== 0x67;  // .glb begins with "glTF"
const json = (bytes) => JSON.parse(new TextDecoder().decode(isText(bytes) ? bytes
  : bytes.subarray(20, 20 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true))));

// Files that are named and not there. what: 'buffers' or 'images'; files as named() has them.
export function missing(bytes, files, what) {
  try {
    return (json(bytes)[what] ?? []).map(({uri}) => uri).filter((uri) => uri && !/^data:/.test(uri) && !files.has(meant(uri)));
  } catch {
    return [];
  }
}

export class Own {
  // Throws what the loader throws.
  static async load({bytes, files: beside}) {
    const files = named(beside), own = new Own(), urls = new Map(), manager = new THREE.LoadingManager();
    own.missing = missing(bytes, files, 'images');
    manager.setURLModifier((url) => {
      if (/^(data|blob):/.test(url)) return url;
      const name = meant(url);
      if (!files.has(name)) return GREY;
      if (!urls.has(name)) urls.set(name, URL.createObjectURL(new Blob([files.get(name)])));
      return urls.get(name);
    });
    try {
      const content = isText(bytes) ? new TextDecoder().decode(bytes) : bytes.slice().buffer;
      own.gltf = await new GLTFLoader(manager).setMeshoptDecoder(MeshoptDecoder).parseAsync(content, '');
    } finally {
      for (const url of urls.values()) URL.revokeObjectURL(url);
    }
    own.mixer = new THREE.AnimationMixer(own.gltf.scene);
    own.meshes = [];
    own.gltf.scene.traverse((o) => {
      if (!o.isSkinnedMesh) return;
      // Without normals they are flat: every corner is a vertex, as the library has it.
      if (!o.geometry.attributes.normal && o.geometry.index) o.geometry = o.geometry.toNonIndexed();
      own.meshes.push(o);
    });
    return own;
  }

  // Ranges of the library's vertices with material and texture coordinates, found by their positions: [{first, count,
  // material, uv}], or null where they are not the same meshes.
  parts(positions) {
    const count = positions.length / 3, left = [...this.meshes], parts = [];
    let low = Infinity, high = -Infinity;
    for (const x of positions) { low = Math.min(low, x); high = Math.max(high, x); }
    const near = NEAR * (high - low);
    for (let first = 0; first < count;) {
      const i = left.findIndex(({geometry: {attributes: {position}}}) => position.count <= count - first &&
        [0, position.count >> 1, position.count - 1].every((v) => [0, 1, 2].every((c) => Math.abs(position.getComponent(v, c) - positions[3 * (first + v) + c]) <= near)));
      if (i < 0) return null;
      const [{geometry, material}] = left.splice(i, 1);
      parts.push({first, count: geometry.attributes.position.count, material,
        uv: geometry.attributes[material.map?.channel > 0 ? `uv${material.map.channel}` : 'uv']});
      first += geometry.attributes.position.count;
    }
    return parts;
  }

  // Ends of the bones at a time of a clip, two points a bone: from its parent to itself.
  bones(clip, seconds) {
    if (this.clip !== clip) {
      this.mixer.stopAllAction();
      if (clip !== null && this.gltf.animations[clip]) this.mixer.clipAction(this.gltf.animations[clip]).setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
      this.clip = clip;
    }
    if (clip !== null) this.mixer.setTime(seconds);
    this.gltf.scene.updateMatrixWorld(true);
    const ends = [], from = new THREE.Vector3(), to = new THREE.Vector3();
    for (const bone of new Set(this.meshes.flatMap(({skeleton}) => skeleton.bones))) {
      to.setFromMatrixPosition(bone.matrixWorld);
      from.copy(to);
      if (bone.parent?.isBone) from.setFromMatrixPosition(bone.parent.matrixWorld);
      ends.push(...from.toArray(), ...to.toArray());
    }
    return new Float32Array(ends);
  }
}
