// skinlight/three-tsl in headless Chromium, WebGPURenderer on WebGL2: the normals that reach the light against the library's
// double. Run by ci/web.sh.
import assert from 'node:assert/strict';
import {basename, join} from 'node:path';
import test from 'node:test';
import {bake, files, inBrowser, near, pack, pushed, skinlight, testWhatStays} from './browser.mjs';

const browser = inBrowser('three_tsl.page.mjs', {alias: {'skinlight/three-tsl': join(pack, 'skinlight/three_tsl.mjs')}});
const {errors} = browser;

for (const [file, read] of Object.entries(files))
  test(`${file}: three.js's node materials have the library's normals, and without the call standard ones`, async () => {
    const name = file.includes('.') ? basename(file) : `${file}.glb`, bytes = new Uint8Array(read());
    for (const normals of ['deform', 'deform-vectors']) {
      const found = await errors(bake(bytes, name, {normals}), {mode: normals});
      console.log(`${file} ${normals}: mean ${found.mean.toFixed(6)}, most ${found.max.toFixed(5)} degrees`);
      near(found, normals);
    }
    near(await errors(bake(bytes, name, {}), {mode: 'standard'}, {correct: false}), 'standard');
  });

test('guards and smooth weights', async () => {
  const baked = bake(pushed(), 'pill.glb', {normals: 'deform'}), seconds = 0.8, skirt = skinlight.sample('skirt');
  for (const guard of ['joint', 'test-then-fix'])
    near(await errors(baked, {mode: 'deform', guard, ...(guard === 'joint' ? {} : {guardC: Infinity, guardK: 0.1})}, {guard, seconds}), guard);
  near(await errors(bake(skirt, 'skirt.glb', {normals: 'smoothed'}), {mode: 'smoothed'}), 'smoothed');
});

testWhatStays(browser, 'three.js');

test('the WebGPU backend is refused with the reason', async () => {
  const found = await browser.ask('webgpu', bake(skinlight.sample('skirt'), 'skirt.glb', {normals: 'deform-vectors'}));
  assert.deepEqual(found, {isWebGPU: true, left: ['is drawn by the WebGPU backend, whose shaders are no GLSL'], corrected: 0});
});
