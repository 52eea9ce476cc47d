import type {AbstractMesh} from '@babylonjs/core';

/** Right normals for the skinned meshes among `meshes`, which `skinlight bake` (or `bake()`) has written and Babylon's glTF
 * loader has loaded after this module was imported, in materials of their own (StandardMaterial, PBR materials): shadows,
 * morph targets and textures stay as they are. What cannot be corrected keeps Babylon's normals and is in `left`, with the
 * reason. Instances are drawn as their source, which is to be among them. Materials that are cloned afterwards, as by
 * instantiateModelsToScene(undefined, true), have Babylon's normals: call it for the new meshes again. WebGL2, Babylon.js 8;
 * 4 influences. */
export function correctNormals(meshes: Iterable<AbstractMesh>, options?: {
  /** Against flipped normals. */
  guard?: 'none' | 'joint' | 'test-then-fix';
}): {corrected: AbstractMesh[]; left: {mesh: AbstractMesh; reason: string}[]};
