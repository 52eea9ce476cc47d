// WebAssembly computes the bytes that the native library computes. SKINLIGHT_FLOATS is the program that floats.c makes,
// SKINLIGHT_MODELS the folder of real models.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import test from 'node:test';
import {InputError, load} from '../skinlight/index.mjs';

const skinlight = await load();
const models = process.env.SKINLIGHT_MODELS;
const files = ['fox/Fox.glb', 'quaternius-formal/Formal.gltf', 'makehuman-body/mh_body_sub1_4inf.glb'];

// Sines and angles of this C library and of another one differ in their last bits, in double: in rotations between keys and
// in the angles that weight faces around a vertex. Everything else is the same arithmetic.
const LAST_BITS = 4 * 2 ** -52;  // of the largest number of an array
// Of floats of unit length such a difference leaves components that are 0 but for rounding.
const ROUNDED_ZERO = 1e-15;
// Deform frames are solved for in double from such angles; where what comes out lies between two floats, the other one is
// taken, and a component of a unit normal moves by one in its last place.
const LAST_PLACE = 2 ** -24;
// On MakeHuman's body about centres of rotation five vertices differ, by so much: their frames are chosen between equals, and
// a last bit of an angle turns the choice. So do positions moved by two last bits, natively and in WebAssembly, at 17 to 34 of
// the 55,784 vertices, by up to .056, two of the five and their .000545 among them. The centres are the same bytes. A margin for
// ties between candidates changes nothing, one for the side of a gradient, which gives a frame its centre, a fifth of it.
// Logarithms double the last place.
const CHOSEN_OTHERWISE = {crs: {share: 3e-4, most: .004}, log: {share: 3e-5, most: 2 ** -23}};

// A name, the array, by how much a difference may exceed 0, and which share of the numbers may do so by how much more.
function* computed(rig, pose, dense) {
  yield ['rest normals', rig.normals, 0];
  for (const [what, array] of [['alpha', rig.factors().alpha], ['along t', rig.vectors().alongT]])
    yield [what, array, LAST_BITS * array.reduce((most, x) => Math.max(most, Math.abs(x)), 0)];
  for (const method of skinlight.names.list('method'))
    for (const mode of skinlight.names.list('mode').slice(1))
      for (const guard of skinlight.names.list('guard')) {
        const what = `${method} ${mode} ${guard}`;
        try {
          const {normals} = rig.skin(pose, {method, mode, guard, outputs: ['normals'], type: Float32Array});
          yield [what, new Uint8Array(1), 0];
          const solved = dense && mode === 'deform-frames';
          yield [what, normals, ...(solved ? [LAST_PLACE, CHOSEN_OTHERWISE[method]] : [ROUNDED_ZERO])];
        } catch (e) {
          if (!(e instanceof InputError)) throw e;
          yield [what, new Uint8Array([1]), 0];
        }
      }
  yield ['truth', rig.truth(pose).transported, 0];
}

// Returns how many arrays have exactly the bytes of the native library.
function compare(path, bytes, name, beside, dense = false) {
  const native = execFileSync(process.env.SKINLIGHT_FLOATS, [path], {maxBuffer: 1 << 30});
  let at = 0, same = 0, arrays = 0;
  const next = (like) => {
    const theirs = new like.constructor(native.buffer.slice(native.byteOffset + at, native.byteOffset + at + like.byteLength));
    at += like.byteLength;
    return theirs;
  };
  const check = (what, array, theirs, most, few = {share: 0, most}) => {
    let different = 0, beyond = 0, largest = 0;
    array.forEach((x, i) => {
      different += !Object.is(x, theirs[i]);
      beyond += !(Math.abs(x - theirs[i]) <= most);
      largest = Math.max(largest, Math.abs(x - theirs[i]));
    });
    assert.ok(different === 0 || (largest <= few.most && beyond <= few.share * array.length),
      `${what}: ${different} of ${array.length} numbers differ, by up to ${largest}`);
    same += different === 0;
    ++arrays;
  };
  const rig = skinlight.read(bytes, name, {files: beside}), pose = rig.pose(0, 0.3), theirs = next(pose);
  check('pose', pose, theirs, LAST_BITS * pose.reduce((most, x) => Math.max(most, Math.abs(x)), 0));
  for (const [what, array, ...allowed] of computed(rig, theirs, dense)) check(what, array, next(array), ...allowed);
  rig.free();
  assert.equal(at, native.length);
  assert.ok(arrays > 250, `${arrays}`);
  return arrays - same;
}

for (const name of ['pill', 'skirt'])
  test(`${name}: the same bytes as native`, () => {
    const bytes = skinlight.sample(name), path = join(mkdtempSync(join(tmpdir(), 'skinlight-')), `${name}.glb`);
    writeFileSync(path, bytes);
    assert.ok(compare(path, bytes, `${name}.glb`) <= 3);
  });

for (const file of models ? files : [])
  test(`${file}: the same bytes as native`, () => {
    const different = compare(join(models, file), readFileSync(join(models, file)), basename(file), undefined, file.startsWith('makehuman'));
    // Pose, alpha and deform vectors; all floats are the same but on the largest, where some component that is 0 is not.
    assert.ok(different <= 3 || file.startsWith('makehuman'), `${different} arrays`);
  });
