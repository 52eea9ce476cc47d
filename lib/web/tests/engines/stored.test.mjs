// What stored.mjs makes of a record in full precision is what the library makes of it: the formulas in double, twice.
import test from 'node:test';
import {bake, files, KINDS, modules, nameOf, near, SECONDS, skinlight} from './browser.mjs';
import {posedByRecord} from './stored.mjs';

for (const [file, read] of Object.entries(files).filter(([name]) => !name.startsWith('makehuman')))
  test(`${file}: the formulas give the library's normals`, async () => {
    for (const normals of KINDS) {
      const baked = bake(new Uint8Array(read()), nameOf(file), {normals}), rig = skinlight.read(baked, 'baked.glb');
      const pose = rig.pose(rig.clipCount ? 0 : null, SECONDS), {normals: theirs} = await posedByRecord(modules, baked, rig.positions, pose);
      near({left: [], ...skinlight.angularErrors(theirs, rig.skin(pose, {mode: normals}).normals)}, normals);
      rig.free();
    }
  });
