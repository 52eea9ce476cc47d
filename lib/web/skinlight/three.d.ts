import type {Object3D, SkinnedMesh} from 'three';

/** Right normals for every skinned mesh below `root` that `skinlight bake` (or `bake()`) has written and GLTFLoader has
 * loaded, in materials of their own: shadows, morph targets and textures stay as they are. What cannot be corrected keeps
 * three's normals and is in `left`, with the reason ("was quantised after baking: _DEFORM_ALPHA_0 is no longer f32").
 * Called again, the new guard holds. WebGLRenderer, three r151 or later; 4 influences. */
export function correctNormals(root: Object3D, options?: {
  /** Against flipped normals. */
  guard?: 'none' | 'joint' | 'test-then-fix';
}): {corrected: SkinnedMesh[]; left: {mesh: SkinnedMesh; reason: string}[]};
