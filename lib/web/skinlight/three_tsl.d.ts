import type {Object3D, SkinnedMesh} from 'three';
import type {WebGPURenderer} from 'three/webgpu';

/** As correctNormals() of skinlight/three, for WebGPURenderer on its WebGL2 backend (`forceWebGL`, or a browser without
 * WebGPU; await renderer.init() first). On the WebGPU backend all are in `left`. */
export function correctNormals(root: Object3D, options: {
  renderer: WebGPURenderer;
  /** Against flipped normals. */
  guard?: 'none' | 'joint' | 'test-then-fix';
}): {corrected: SkinnedMesh[]; left: {mesh: SkinnedMesh; reason: string}[]};
