// What a frame of a large character costs a browser: skinning in WebAssembly, and the upload of positions and normals. The
// limit, 33 ms, is judged by time of the processor in package.test.mjs; here it is measured, whatever else the machine does.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'node:test';
import {inBrowser, models, pack} from './browser.mjs';

const {ask} = inBrowser('upload.page.mjs', {folders: {package: join(pack, 'skinlight')}, alias: {skinlight: join(pack, 'skinlight/index.mjs')}});

test('a frame of a large character is skinned and uploaded', {skip: !models}, async () => {
  const body = readFileSync(join(models, 'makehuman-body/mh_body_sub1_4inf.glb'));
  for (const mode of ['deform', 'deform-vectors']) {
    const {vertexCount, same, least, median} = await ask('upload', body, {mode, wasm: '/package/skinlight.wasm', frames: 40});
    console.log(`${mode}: ${vertexCount} vertices in ${least.toFixed(1)} ms at best, ${median.toFixed(1)} ms at the median`);
    assert.ok(vertexCount > 50_000 && same);
  }
});
