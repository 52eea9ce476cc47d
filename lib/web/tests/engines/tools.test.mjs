// A bake that other tools have written again: three.js draws the same normals, or standard ones and says why; and bake()
// as a step between those tools.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'node:test';
import {pathToFileURL} from 'node:url';
import {bake, gltfTransformStep, inBrowser, modules, near, require, skinlight} from './browser.mjs';

const {errors} = inBrowser('three.page.mjs', {folders: {draco: join(modules, 'three/examples/jsm/libs/draco/gltf')}});
const [{NodeIO}, {ALL_EXTENSIONS}, functions] = await Promise.all(['core', 'extensions', 'functions'].map((part) =>
  import(pathToFileURL(join(modules, '@gltf-transform', part, 'dist/index.js')))));
const {MeshoptDecoder, MeshoptEncoder} = require('meshoptimizer'), draco = require('draco3dgltf');
await MeshoptEncoder.ready;
const io = new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({'meshopt.encoder': MeshoptEncoder,
  'meshopt.decoder': MeshoptDecoder, 'draco3d.encoder': await draco.createEncoderModule(), 'draco3d.decoder': await draco.createDecoderModule()});
const step = await gltfTransformStep();

const skirt = skinlight.sample('skirt');
const SECONDS = 7;  // where the skirt's standard normals are far off
async function through(bytes, ...steps) {
  const document = await io.readBinary(bytes);
  document.setLogger({debug() {}, info() {}, warn() {}, error() {}});
  await document.transform(...steps);
  return io.writeBinary(document);
}
// A material without textures: what nothing but the record needs may go then.
const plainMaterials = (document) => {
  for (const mesh of document.getRoot().listMeshes())
    for (const primitive of mesh.listPrimitives()) primitive.setMaterial(document.createMaterial());
};
// As the library reads what it does not read itself.
const decompressed = (bytes) => through(bytes, (document) => {
  for (const extension of document.getRoot().listExtensionsUsed()) if (/draco/.test(extension.extensionName)) extension.dispose();
});
const kinds = (bytes) => skinlight.check(bytes, 'edited.glb').map(({kind}) => kind);

const {prune, quantize, meshopt, resample, weld, unweld, reorder, dedup, flatten, join: joined} = functions, encoder = MeshoptEncoder;
// Quantised, with the weights and joints that the record belongs to.
const QUANTISED = {normalizeWeights: false, pattern: /^(?!WEIGHTS_|_DEFORM_)/};
// Every vertex of the rest pose changed by edit(position, normal, tangent), arrays of numbers.
const edited = (edit) => (document) => {
  for (const mesh of document.getRoot().listMeshes())
    for (const primitive of mesh.listPrimitives()) {
      const own = ['POSITION', 'NORMAL', 'TANGENT'].map((name) => primitive.getAttribute(name));
      for (let v = 0; v < own[0].getCount(); ++v) {
        const values = own.map((accessor) => accessor.getElement(v, []));
        edit(...values);
        own.forEach((accessor, i) => accessor.setElement(v, values[i]));
      }
    }
};
// A quarter turn about an axis: the longest side of the box is the same.
const turned = (axis) => edited((...vectors) => {
  const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
  for (const v of vectors) [v[i], v[j]] = [-v[j], v[i]];
});
const otherTangents = edited((_, [x, y, z], tangent) => {
  const [a, b, c, w] = tangent;
  tangent.splice(0, 4, y * c - z * b, z * a - x * c, x * b - y * a, w);
});
const otherNormals = edited((_, normal, [x, y, z]) => {
  const moved = [normal[0] + 0.2 * x, normal[1] + 0.2 * y, normal[2] + 0.2 * z], length = Math.hypot(...moved);
  moved.forEach((m, i) => { normal[i] = m / length; });
});

for (const normals of ['deform', 'deform-vectors']) {
  const baked = bake(skirt, 'skirt.glb', {normals}), how = {seconds: SECONDS};

  test(`${normals}: what does no harm leaves the same normals`, async () => {
    for (const [name, ...steps] of [['resample', resample()], ['dedup', dedup()], ['flatten', flatten()], ['join', joined()],
      ['prune', plainMaterials, prune({keepAttributes: true})], ['weld', weld()], ['unweld', unweld()], ['reorder', reorder({encoder})]]) {
      const edited = await through(baked, ...steps);
      near(await errors(edited, {mode: normals}, how), name);
      assert.ok(!kinds(edited).includes('bake-stale'), name);
    }
  });

  // Degrees, four times what is measured: the record is that of the surface before, the library's that of the surface
  // after its positions were rounded to 14 bits; draco rounds the record to 12 bits too.
  for (const [name, limit, ...steps] of [['quantize', 0.012, quantize(QUANTISED)],
    ['meshopt', 0.06, meshopt({encoder, normalizeWeights: false, quantizeWeight: 16})], ['draco', 0.04, functions.draco()]])
    test(`${normals}: ${name} leaves normals as near as its numbers are`, async () => {
      const edited = await through(baked, ...steps), plain = await decompressed(edited);
      const found = await errors(edited, {mode: normals}, how, plain);
      const gap = await errors(edited, {mode: normals}, {...how, correct: false}, plain);
      console.log(`${name} ${normals}: mean ${found.mean.toFixed(4)} degrees, standard ${gap.mean.toFixed(2)}`);
      assert.deepEqual(found.left, []);
      assert.ok(found.mean < limit && gap.mean > 5, `${found.mean} ${gap.mean}`);
      assert.ok(kinds(plain).includes('bake-stale'));
    });

  for (const [name, reason, ...steps] of [['prune of tangents', /has lost its tangents/, plainMaterials, prune({keepAttributes: false})],
    ['quantize with its defaults', /joints taken away or sorted/, quantize()],
    ['joints sorted', /joints taken away or sorted/, (document) => { for (const p of document.getRoot().listMeshes()[0].listPrimitives()) functions.sortPrimitiveWeights(p); }],
    ...[0, 1, 2].map((axis) => [`a turn about axis ${axis}`, /was turned after baking/, turned(axis)]),
    ['other tangents', /other normals or tangents/, otherTangents], ['other normals', /other normals or tangents/, otherNormals],
    ['a record thrown away', /has lost _DEFORM/, (document) => {
      const [p] = document.getRoot().listMeshes()[0].listPrimitives();
      p.setAttribute(p.listSemantics().find((semantic) => semantic.startsWith('_DEFORM')), null);
    }]])
    test(`${normals}: ${name} falls back to standard normals, and check says so`, async () => {
      const edited = await through(baked, ...steps), found = await errors(edited, {mode: 'standard'}, how);
      assert.equal(found.corrected, 0);
      assert.match(found.left[0], reason);
      // The standard normals of what the tool left, not worse.
      assert.ok(found.mean < 0.1, `${found.mean}`);
      assert.ok(kinds(edited).includes('bake-stale'));
    });

  test(`${normals}: a bake of before, which says nothing of its frames, is taken as it was`, async () => {
    near(await errors(await through(baked, (document) => {
      for (const mesh of document.getRoot().listMeshes())
        for (const primitive of mesh.listPrimitives()) {
          const {frame, ...mark} = primitive.getExtras().skinlight;
          assert.equal(frame.length, 6);
          primitive.setExtras({skinlight: mark});
        }
    }), {mode: normals}, how), normals);
  });

  test(`${normals}: gltfpack leaves nothing of a bake, which is told; what it wrote can be baked`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'skinlight-gltfpack-')), file = (name) => join(folder, name);
    const pack = (bytes, ...flags) => {
      writeFileSync(file('in.glb'), bytes);
      execFileSync(process.execPath, [join(modules, 'gltfpack/cli.js'), '-i', file('in.glb'), '-o', file('out.glb'), ...flags]);
      return new Uint8Array(readFileSync(file('out.glb')));
    };
    const edited = pack(baked, '-kv'), packed = await errors(edited, {mode: 'standard'}, how);
    assert.deepEqual([packed.corrected, packed.left], [0, ['is not baked']]);
    assert.ok(packed.mean < 0.1, `${packed.mean}`);
    const [{detail}] = skinlight.check(edited, 'edited.glb').filter(({kind}) => kind === 'bake-stale');
    assert.match(detail, /record and mark are gone.*gltfpack 0\.22/);
    assert.ok(!kinds(bake(edited, 'again.glb', {normals})).includes('bake-stale'));
    near(await errors(bake(pack(skirt, '-kv'), 'packed.glb', {normals}), {mode: normals}, how), 'baked after gltfpack');
    rmSync(folder, {recursive: true});
  });

  test(`${normals}: bake() is a step of gltf-transform, also behind those that quantise`, async () => {
    const options = {normals, influences: 4};
    for (const [name, ...before] of [['alone'], ['quantize', quantize()], ['weld, reorder, resample', weld(), reorder({encoder}), resample()]]) {
      const edited = await through(skirt, ...before, step(skinlight, options));
      near(await errors(edited, {mode: normals}, how), name);
      assert.ok(!kinds(edited).includes('bake-stale'), name);
      // The step leaves what tells of it when all else is gone.
      assert.ok(kinds(await through(edited, (document) => {
        for (const mesh of document.getRoot().listMeshes()) mesh.setExtras({});
      })).includes('bake-stale'), name);
    }
    // Compressed without loss behind it, as meshopt's encoder does.
    const compressed = await through(skirt, quantize(), step(skinlight, options), (document) => {
      document.createExtension(ALL_EXTENSIONS.find(({EXTENSION_NAME}) => EXTENSION_NAME === 'EXT_meshopt_compression')).setRequired(true);
    });
    near(await errors(compressed, {mode: normals}, how), 'compressed');
    assert.ok(!kinds(compressed).includes('bake-stale'));
    await assert.rejects(through(skirt, step(skinlight, {normals: 'no'})), /'no' is none of/);
  });
}
