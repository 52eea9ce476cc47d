// skinlight/babylon in headless Chromium: the normals that reach the light against the library's double. Run by ci/web.sh.
import assert from 'node:assert/strict';
import {basename, join} from 'node:path';
import test from 'node:test';
import {bake, files, inBrowser, KINDS, near, pack, pushed, skinlight, testWhatStays} from './browser.mjs';

const browser = inBrowser('babylon.page.mjs', {alias: {'skinlight/babylon': join(pack, 'skinlight/babylon.mjs')}});
const {errors} = browser;

for (const [file, read] of Object.entries(files))
  test(`${file}: Babylon.js has the library's normals, and without the call it has standard ones`, async () => {
    const name = file.includes('.') ? basename(file) : `${file}.glb`, bytes = new Uint8Array(read());
    for (const normals of ['deform', 'deform-vectors']) {
      const found = await errors(bake(bytes, name, {normals}), {mode: normals});
      console.log(`${file} ${normals}: mean ${found.mean.toFixed(6)}, most ${found.max.toFixed(5)} degrees`);
      near(found, normals);
    }
    near(await errors(bake(bytes, name, {}), {mode: 'standard'}, {correct: false}), 'standard');
    assert.ok((await errors(bake(bytes, name, {}), {mode: 'deform'}, {correct: false})).mean > 0.1);
  });

test('guards act as the library\'s', async () => {
  const baked = bake(pushed(), 'pill.glb', {normals: 'deform'}), seconds = 0.8;
  for (const guard of ['joint', 'test-then-fix'])
    near(await errors(baked, {mode: 'deform', guard, ...(guard === 'joint' ? {} : {guardC: Infinity, guardK: 0.1})}, {guard, seconds}), guard);
});

test('smooth weights, materials, normal maps, shadows, both hands and placed characters', async () => {
  const skirt = skinlight.sample('skirt'), baked = bake(skirt, 'skirt.glb', {normals: 'deform'});
  near(await errors(bake(skirt, 'skirt.glb', {normals: 'smoothed'}), {mode: 'smoothed'}), 'smoothed');
  for (const how of [{material: 'StandardMaterial'}, {normalMap: true}, {material: 'StandardMaterial', normalMap: true}, {shadows: true},
    {leftHanded: true}, {place: true}])
    near(await errors(baked, {mode: 'deform'}, how), JSON.stringify(how));
});

test('normal maps are turned by the posed tangents', async () => {
  for (const normals of KINDS) {
    const baked = bake(skinlight.sample('skirt'), 'skirt.glb', {normals});
    near(await errors(baked, null, {seconds: 7, normalMap: true, what: 'tangents'}), normals);
  }
});

test('instances are drawn as their source; materials cloned afterwards are corrected by another call', async () => {
  const baked = bake(skinlight.sample('skirt'), 'skirt.glb', {normals: 'deform'});
  const instanced = await errors(baked, {mode: 'deform'}, {instances: true});
  near(instanced, 'instances');
  assert.equal(instanced.corrected, 1);
  near(await errors(baked, {mode: 'deform'}, {first: 'none', cloned: true}), 'cloned');
  near(await errors(baked, {mode: 'standard'}, {first: 'none', cloned: true, correct: false}), 'cloned, not corrected');
});

testWhatStays(browser, 'Babylon.js');

test('what cannot be corrected keeps standard normals, with the reason', async () => {
  const found = await errors(skinlight.sample('skirt'), {mode: 'standard'});
  assert.deepEqual([found.corrected, found.left], [0, ['is not baked']]);
  near({...found, left: []}, 'not baked');
});
