// bake() as a step of gltf-transform and bake() of the file make the same of it. No browser.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import test from 'node:test';
import {pathToFileURL} from 'node:url';
import {gltfTransformStep, modules, skinlight, withMorphs} from './browser.mjs';

const {NodeIO} = await import(pathToFileURL(join(modules, '@gltf-transform/core/dist/index.js'))), io = new NodeIO();
const step = await gltfTransformStep();
const withoutNormals = async (bytes) => {
  const document = await io.readBinary(bytes);
  for (const mesh of document.getRoot().listMeshes())
    for (const primitive of mesh.listPrimitives()) primitive.setAttribute('NORMAL', null);
  return io.writeBinary(document);
};
const numbers = (accessor) => accessor && {width: accessor.getElementSize(), normalized: accessor.getNormalized(), array: accessor.getArray()};
const attributes = (of) => Object.fromEntries(of.listSemantics().sort().map((name) => [name, numbers(of.getAttribute(name))]));
const primitives = (document) => document.getRoot().listMeshes().flatMap((mesh) => mesh.listPrimitives().map((primitive) => ({
  marks: [mesh, primitive].map((of) => of.getExtras().skinlight), mode: primitive.getMode(), indices: numbers(primitive.getIndices()),
  attributes: attributes(primitive), targets: primitive.listTargets().map(attributes)})));

const skirt = skinlight.sample('skirt'), morphed = await withMorphs(skirt);
for (const [name, bytes] of [['smooth', skirt], ['flat', await withoutNormals(skirt)], ['smooth with morph targets', morphed],
  ['flat with morph targets', await withoutNormals(morphed)]])
  test(`${name}: vertices, indices, morph targets and marks are those of bake()`, async () => {
    const direct = await io.readBinary(skinlight.bake(bytes, 'skirt.glb', {}).files['baked.glb']), document = await io.readBinary(bytes);
    // There is something to take over.
    if (name.startsWith('flat')) assert.ok(primitives(document)[0].indices && !primitives(direct)[0].indices);
    await document.transform(step(skinlight));
    assert.deepEqual(primitives(document), primitives(direct));
    assert.ok(!skinlight.check(await io.writeBinary(document), 'stepped.glb').some(({kind}) => kind === 'bake-stale'));
  });
