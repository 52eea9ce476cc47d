// skinlight/three in headless Chromium: the normals that reach the light against the library's double. Run by ci/web.sh.
import assert from 'node:assert/strict';
import {basename} from 'node:path';
import test from 'node:test';
import {bake, files, inBrowser, near, pushed, skinlight, testWhatStays} from './browser.mjs';

const browser = inBrowser('three.page.mjs');
const {errors} = browser;

for (const [file, read] of Object.entries(files))
  test(`${file}: three.js has the library's normals, and without the call it has standard ones`, async () => {
    const name = file.includes('.') ? basename(file) : `${file}.glb`, bytes = new Uint8Array(read());
    for (const normals of ['deform', 'deform-vectors']) {
      const found = await errors(bake(bytes, name, {normals}), {mode: normals});
      console.log(`${file} ${normals}: mean ${found.mean.toFixed(6)}, most ${found.max.toFixed(5)} degrees`);
      near(found, normals);
    }
    const stock = await errors(bake(bytes, name, {}), {mode: 'standard'}, {correct: false});
    near(stock, 'standard');
    assert.ok((await errors(bake(bytes, name, {}), {mode: 'deform'}, {correct: false})).mean > 0.1);
  });

test('guards act as the library\'s', async () => {
  const baked = bake(pushed(), 'pill.glb', {normals: 'deform'}), seconds = 0.8;
  const rig = skinlight.read(baked, 'baked.glb'), pose = rig.pose(0, seconds);
  for (const guard of ['joint', 'test-then-fix']) {
    const way = {mode: 'deform', guard, ...(guard === 'joint' ? {} : {guardC: Infinity, guardK: 0.1})};
    // There is something to guard against.
    assert.ok(skinlight.angularErrors(rig.skin(pose, way).normals, rig.skin(pose, {mode: 'deform'}).normals).max > 10, guard);
    near(await errors(baked, way, {guard, seconds}), guard);
  }
  rig.free();
});

test('smooth weights, materials, normal maps and placed characters', async () => {
  const skirt = skinlight.sample('skirt'), baked = bake(skirt, 'skirt.glb', {normals: 'deform'});
  near(await errors(bake(skirt, 'skirt.glb', {normals: 'smoothed'}), {mode: 'smoothed'}), 'smoothed');
  for (const material of ['MeshPhongMaterial', 'MeshLambertMaterial', 'MeshPhysicalMaterial', 'MeshToonMaterial'])
    near(await errors(baked, {mode: 'deform'}, {material}), material);
  near(await errors(baked, {mode: 'deform'}, {normalMap: true}), 'normal map');
  near(await errors(baked, {mode: 'deform'}, {place: true}), 'placed');
});

testWhatStays(browser, 'three.js');
