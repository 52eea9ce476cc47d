// Every kind of record in every format on every kind of character, in every engine: the normals that reach the light against
// the record as it is stored. Baked and posed once for all engines. Run by ci/web.sh.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import test from 'node:test';
import {bake, files, inBrowser, KINDS, nameOf, modules, near, pack, SECONDS, skinlight} from './browser.mjs';
import {posedByRecord} from './stored.mjs';

const engines = Object.entries({
  'three.js': inBrowser('three.page.mjs'),
  'node materials': inBrowser('three_tsl.page.mjs', {alias: {'skinlight/three-tsl': join(pack, 'skinlight/three_tsl.mjs')}}),
  'Babylon.js': inBrowser('babylon.page.mjs', {alias: {'skinlight/babylon': join(pack, 'skinlight/babylon.mjs')}})});

for (const [file, read] of Object.entries(files))
  for (const normals of KINDS)
    test(`${file} ${normals}: every engine decodes every format`, async () => {
      const bytes = new Uint8Array(read());
      for (const format of skinlight.names.list('format')) {
        const baked = bake(bytes, nameOf(file), {normals, format}), rig = skinlight.read(baked, 'baked.glb');
        const {normals: stored} = await posedByRecord(modules, baked, rig.positions, rig.pose(rig.clipCount ? 0 : null, SECONDS));
        rig.free();
        for (const [engine, {drawn}] of engines) {
          const found = await drawn(baked), {mean, max} = skinlight.angularErrors(found.normals, stored);
          console.log(`${file} ${normals} ${format} ${engine}: mean ${mean.toFixed(6)}, most ${max.toFixed(5)} degrees`);
          assert.equal(found.normals.length, stored.length);
          near({left: found.left, mean, max}, `${format} ${engine}`);
        }
      }
    });
