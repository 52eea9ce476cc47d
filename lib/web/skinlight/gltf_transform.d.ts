import type {Document} from '@gltf-transform/core';
import type {Skinlight} from './index.js';

/** Bakes what right normals need into a gltf-transform document: `await document.transform(quantize(), bake(await load()))`.
 * Put it behind all steps that change vertices or weights. Needs @gltf-transform/core and @gltf-transform/functions, 4. Throws
 * InputError as Skinlight.bake() does; the document is then as it was. */
export function bake(skinlight: Skinlight, options?: Omit<NonNullable<Parameters<Skinlight['bake']>[2]>, 'files' | 'out'>):
  (document: Document) => Promise<void>;
