// The package as its users call it: what it promises, and what it says of what it cannot use.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import test from 'node:test';
import {InputError, load} from '../skinlight/index.mjs';

const skinlight = await load();
const pill = skinlight.sample('pill');
const rig = skinlight.read(pill, 'pill.glb');

// The pill's closed form at a swing's middle, where the lower bone has moved by 1.5 along x: the library's own truth comes
// from triangles; this comes from [TPS14 Eq. 7] with the weight 1 - smootherstep((z + 1.5) / 3), y standing for z.
function exactNormals(rig) {
  const p = rig.positions, n = rig.normals, exact = new Float64Array(p.length);
  for (let v = 0; v < p.length; v += 3) {
    const x = Math.min(Math.max((p[v + 1] + 1.5) / 3, 0), 1), slope = -30 * x * x * (x - 1) ** 2 / 3;
    // J = I + d a^T with d = (1.5, 0, 0), a = slope along y: J^-T n = n - a (d . n).
    const m = [n[v], n[v + 1] - slope * 1.5 * n[v], n[v + 2]], length = Math.hypot(...m);
    m.forEach((c, i) => { exact[v + i] = c / length; });
  }
  return exact;
}

test('normals of the pill follow its closed form, standard ones do not', () => {
  const pose = rig.pose(0, rig.clips[0].duration / 2), exact = exactNormals(rig);
  const error = (mode) => skinlight.angularErrors(rig.skin(pose, {mode}).normals, exact);
  // 32 segments around: the weights of the mesh are linear between its vertices, the formula's are not.
  assert.ok(error('deform').mean < 0.5, `${error('deform').mean}`);
  assert.ok(error('standard').mean > 5, `${error('standard').mean}`);
  const truth = rig.truth(pose);
  assert.ok(skinlight.angularErrors(truth.transported, exact, truth.areas).mean < 0.5);
});

test('a batch in float poses as skin does, bit for bit', () => {
  const pose = rig.pose(0, 1), batch = rig.batch({mode: 'deform-vectors', outputs: ['positions', 'normals', 'tangents']});
  const {positions, normals, tangents} = batch.skin(pose);
  const one = rig.skin(pose, {mode: 'deform-vectors', outputs: ['positions', 'normals', 'tangents'], type: Float32Array});
  assert.deepEqual([positions, normals, tangents], [one.positions, one.normals, one.tangents]);
  const into = {normals: new Float32Array(3 * rig.vertexCount)};
  assert.equal(batch.skin(pose, into), into);
  assert.deepEqual(into.normals, normals);
  batch.free();
  assert.throws(() => batch.skin(pose), /batch: was freed/);
});

test('index.d.ts has every name that the library takes, and no other', () => {
  const declared = readFileSync(new URL('../skinlight/index.d.ts', import.meta.url), 'utf8');
  const between = (from) => {
    const text = declared.slice(declared.indexOf(from) + from.length).match(/^[^;=]*/)[0];
    return [...text.matchAll(/'([^']+)'/g)].map((match) => match[1]);
  };
  for (const [kind, from] of [['method', 'type Method ='], ['mode', 'type Mode ='], ['guard', 'type Guard ='],
    ['averaging', 'type Averaging ='], ['missingNormals', 'type MissingNormals ='], ['record', 'files?: Files; normals?:'],
    ['layout', 'layout?:'], ['format', 'format?:']])
    assert.deepEqual(between(from).sort(), [...skinlight.names.list(kind)].sort(), kind);
});

test('factors sum to 0, weights to 1 [TPS14 Eq. 12]', () => {
  const {slots, alpha, beta, weights} = rig.factors();
  for (let v = 0; v < rig.vertexCount; ++v) {
    const sum = (a) => a.slice(v * slots, (v + 1) * slots).reduce((x, y) => x + y);
    assert.ok(Math.abs(sum(alpha)) < 1e-12 && Math.abs(sum(beta)) < 1e-12 && Math.abs(sum(weights) - 1) < 1e-12);
  }
  assert.ok(beta.some((x) => Math.abs(x) > 0.1));
});

test('compare orders what is known to be in that order', () => {
  const {seconds, rows, warnings} = rig.compare([{mode: 'standard'}, {mode: 'deform'}, {mode: 'deform-vectors'}], {clip: 'swing', frames: 5});
  assert.equal(seconds.length, 5);
  assert.deepEqual(warnings, []);
  const [standard, deform, vectors] = rows.map(({errors}) => errors.mean);
  assert.ok(vectors < deform && deform < standard / 5, `${standard} ${deform} ${vectors}`);
  // Nothing moves in the first frame.
  assert.ok(rows[0].means[0] < 1e-3 && rows[0].means[2] > 5);
});

test('compare measures what the program measures where nobody says', () => {
  const {seconds, rows} = rig.compare(null, {clip: 'swing'});
  assert.equal(seconds.length, 24);
  assert.deepEqual(rows.map(({way: {mode, guard}}) => guard === 'none' ? mode : `${mode}+${guard}`),
    ['standard', 'deform', 'deform+test-then-fix', 'smoothed', 'deform-vectors']);
});

test('judge names the standard normals for what they are', () => {
  const pose = rig.pose(0, 1), given = {positions: rig.positions, faces: rig.faces, bones: rig.bones, weights: rig.weights,
    restNormals: rig.normals, uv: rig.uv, pose};
  const wrong = skinlight.judge({...given, normals: rig.skin(pose, {mode: 'standard'}).normals});
  assert.equal(wrong.normals.kind, 'approximation');
  assert.equal(wrong.normals.fit.id, 'standard');
  assert.match(wrong.text, /standard/);
  const right = skinlight.judge({...given, normals: rig.skin(pose, {mode: 'deform-vectors'}).normals});
  assert.equal(right.normals.kind, 'correct');
});

test('judge moves morph targets first, and keeps the influences that it is told', () => {
  const still = new Float64Array(12 * rig.boneCount);
  for (let b = 0; b < rig.boneCount; ++b) for (const i of [0, 5, 10]) still[12 * b + i] = 1;
  // A quarter turn about z.
  const turned = (rows) => rows.map((x, i) => i % 3 === 0 ? -rows[i + 1] : i % 3 === 1 ? rows[i - 1] : x);
  const positions = Float64Array.from(rig.positions), normals = Float64Array.from(rig.normals);
  const morphs = turned(positions).map((x, i) => x - positions[i]);
  const given = {positions, faces: rig.faces, bones: rig.bones, weights: rig.weights, restNormals: normals, pose: still, morphs};
  const morphWeights = Float64Array.of(1);
  const worst = (input) => skinlight.judge({...given, ...input}).normals.errors.max;
  assert.ok(worst({normals: turned(normals), morphWeights}) < 1e-3);
  assert.ok(worst({normals, morphWeights}) > 80);
  assert.ok(worst({normals}) < 1e-3);
  const {morphs: none, ...plain} = given;
  assert.ok(skinlight.judge({...plain, normals, morphWeights: rig.morphWeights()}).normals.errors.max < 1e-3);
  assert.throws(() => worst({normals, morphWeights: Float64Array.of(1, 1)}), /morphWeights: has 2 numbers, expected 1/);
  const pose = rig.pose(0, 1), bent = {...plain, pose, normals: rig.skin(pose, {mode: 'deform-vectors'}).normals};
  const error = (influences) => skinlight.judge({...bent, influences}).normals.errors.mean;
  assert.equal(error(undefined), error(4));
  assert.ok(error(1) > error(undefined) + 1);
  assert.throws(() => error(0), /influences/);
});

test('a baked file reads as the same rig, and check finds nothing wrong with it', () => {
  for (const options of [{}, {normals: 'deform-vectors', format: 'snorm16'}, {layout: 'texcoord'}]) {
    const {files, report} = skinlight.bake(pill, 'pill.glb', {...options, out: 'pill-baked.glb'});
    assert.deepEqual(Object.keys(files), ['pill-baked.glb']);
    assert.equal(report.vertexCount, rig.vertexCount);
    const again = skinlight.read(files['pill-baked.glb'], 'pill-baked.glb');
    assert.deepEqual(again.positions, rig.positions);
    assert.ok(skinlight.check(files['pill-baked.glb'], 'pill-baked.glb').every(({severity}) => severity === 'note'));
    again.free();
  }
  const {files} = skinlight.bake(pill, 'pill.glb', {out: 'apart.gltf'});
  assert.ok(Object.keys(files).includes('apart.gltf') && Object.keys(files).length === 2);
  skinlight.read(files['apart.gltf'], 'apart.gltf', {files}).free();
});

test('samples are characters with a clip', () => {
  for (const [name, bones] of [['pill', 2], ['skirt', 7]]) {
    const sample = skinlight.read(skinlight.sample(name), `${name}.glb`);
    assert.equal(sample.boneCount, bones);
    assert.equal(sample.clips.length, 1);
    assert.deepEqual(sample.warnings, []);
    sample.free();
  }
});

const says = (work, file, element, reason) => assert.throws(work, (e) => {
  assert.ok(e instanceof InputError, String(e.stack));
  assert.equal(e.file, file);
  assert.match(e.element, element);
  assert.match(e.reason, reason);
  assert.equal(e.message, [e.file, e.element, e.reason].filter(Boolean).join(': '));
  return true;
});

test('what cannot be used is told in the words of the library', () => {
  says(() => skinlight.read(new Uint8Array(10), 'hero.glb'), 'hero.glb', /^/, /./);
  says(() => skinlight.read(new TextEncoder().encode('no model'), 'hero.png'), 'hero.png', /^$/, /no known format; read are glTF 2\.0 \(\.gltf, \.glb, \.vrm\)$/);
  says(() => skinlight.read(new TextEncoder().encode('Kaydara FBX Binary'), 'hero.fbx'), 'hero.fbx', /^$/, /is FBX/);
  says(() => skinlight.read(pill, '../hero.glb'), '../hero.glb', /^$/, /no name of a file/);
  says(() => rig.skin(new Float64Array(3)), '', /^pose$/, /has 3 numbers, expected 24/);
  says(() => rig.skin(rig.pose().fill(NaN)), '', /bone 0/, /finite/);
  says(() => rig.skin(rig.pose(), {mode: 'no'}), '', /^mode$/, /'no' is none of usual, standard/);
  says(() => rig.skin(rig.pose(), {method: 'sbs', mode: 'deform'}), '', /./, /exact/);
  says(() => rig.skin(rig.pose(), {mode: 'standard', guard: 'clamp'}), '', /^guard 'clamp'$/, /^guards do not act on mode 'standard'/);
  says(() => rig.pose('no'), '', /^clip 'no'$/, /'swing'/);
  says(() => rig.batch({guard: 'clamp', guardC: 1}), '', /guard/, /together/);
  says(() => skinlight.bake(pill, 'pill.glb', {out: 'pill.fbx'}), 'pill.fbx', /^/, /./);
  const bad = Float64Array.from(rig.positions);
  bad[3 * 12 + 1] = Infinity;
  says(() => skinlight.create({positions: bad, faces: rig.faces, bones: rig.bones, weights: rig.weights}), '',
    /^positions, vertex 12$/, /finite/);
  says(() => skinlight.create({positions: rig.positions, faces: rig.faces.map(() => 1 << 30), bones: rig.bones,
    weights: rig.weights}), '', /faces/, /./);
});

test('numbers come in Float32Array or Float64Array; every other type is refused before anything is written', () => {
  const pose = rig.pose(0, 1), {normals} = rig.skin(pose);
  for (const type of [Array, Uint8ClampedArray, BigInt64Array, DataView, Int32Array, Uint16Array, null, 'Float32Array']) {
    says(() => rig.skin(pose, {type}), '', /^type$/, /neither Float32Array nor Float64Array/);
    says(() => rig.truth(pose, {type}), '', /^type$/, /neither Float32Array nor Float64Array/);
  }
  assert.deepEqual(rig.skin(pose).normals, normals);
  assert.ok(rig.truth(pose, {type: Float32Array}).areas instanceof Float32Array);
});

test('weights of no morph targets are none', () => {
  const pose = rig.pose(0, 1), morphWeights = rig.morphWeights(0, 1);
  assert.equal(morphWeights.length, 0);
  assert.deepEqual(rig.skin(pose, {morphWeights}), rig.skin(pose));
  assert.deepEqual(rig.truth(pose, {morphWeights}), rig.truth(pose));
  rig.batch({mode: 'deform', morphWeights}).free();
  says(() => rig.skin(pose, {morphWeights: new Float64Array(1)}), '', /^morphWeights$/, /has 1 numbers, expected 0/);
});

test('what a rig of arrays does not have is told', () => {
  const own = skinlight.create({positions: rig.positions, faces: rig.faces, bones: rig.bones, weights: rig.weights});
  assert.deepEqual([own.clips, own.morphs, own.warnings, own.morphWeights().length], [[], [], [], 0]);
  for (const ask of [() => own.skeleton, () => own.pose(), () => own.uv]) says(ask, '', /^/, /does not exist|has no skeleton|has no uv/);
  own.free();
});

test('a .gltf without its files says which one is missing', () => {
  const {files} = skinlight.bake(pill, 'pill.glb', {out: 'apart.gltf'});
  const [other] = Object.keys(files).filter((file) => file !== 'apart.gltf');
  says(() => skinlight.read(files['apart.gltf'], 'apart.gltf'), 'apart.gltf', /^/, new RegExp(other.replace('.', '\\.')));
});

// The pill as a .gltf that is not baked, its buffer and a picture under these URIs, and what they hold.
function named(buffer, picture) {
  const length = new DataView(pill.buffer).getUint32(12, true), json = JSON.parse(new TextDecoder().decode(pill.subarray(20, 20 + length)));
  Object.assign(json, {images: [{uri: picture}], textures: [{source: 0}], materials: [{pbrMetallicRoughness: {baseColorTexture: {index: 0}}}]});
  json.meshes[0].primitives[0].material = 0;
  json.buffers[0].uri = buffer;
  return {gltf: new TextEncoder().encode(JSON.stringify(json)), data: pill.slice(20 + length + 8), image: new Uint8Array([0x89, 0x50, 0x4e, 0x47])};
}

test('a .gltf finds its files by the names that it gives them, and a bake takes along what lies below it', () => {
  for (const [buffer, picture, beside] of [['pill.bin', 'a.png', 'a.png'], ['./pill.bin', 'textures/a.png', 'textures/a.png'],
    ['parts/pill.bin', 'textures/deep/a.png', 'textures/deep/a.png'], ['the%20pill.bin', 'a%20b.png', 'a b.png'], ['100%25.bin', '100%.png', '100%.png'],
    ['../../parts/pill.bin', '../a.png'], ['../pill.bin', '../models/a.png'], ['parts/../pill.bin', 'a.png', 'a.png']]) {
    const {gltf, data, image} = named(buffer, picture), what = `${buffer} ${picture}`;
    for (const [from, as] of [[buffer, picture], [decodeURIComponent(buffer), picture.replace('%20', ' ')]]) {
      const files = {[from]: data, [as]: image};
      const read = skinlight.read(gltf, 'pill.gltf', {files});
      assert.deepEqual(read.positions, rig.positions, what);
      read.free();
      const {files: baked} = skinlight.bake(gltf, 'pill.gltf', {files, out: 'pill-baked.glb'});
      assert.deepEqual(Object.keys(baked).sort(), ['pill-baked.glb', ...beside ? [beside] : []].sort(), what);
      if (beside) assert.deepEqual(baked[beside], image);
      const {files: apart} = skinlight.bake(gltf, 'pill.gltf', {files, out: 'pill-baked.gltf'});
      skinlight.read(apart['pill-baked.gltf'], 'pill-baked.gltf', {files: {...files, ...apart}}).free();
    }
    // A picture alone is not missed.
    skinlight.read(gltf, 'pill.gltf', {files: {[buffer]: data}}).free();
    assert.ok(skinlight.bake(gltf, 'pill.gltf', {files: {[buffer]: data}}).files['baked.glb'], what);
  }
  assert.deepEqual(skinlight.read(pill, 'pill.glb').positions, rig.positions);
});

test('a bake is written as it is called, in folders too', () => {
  const {gltf, data, image} = named('pill.bin', 'a.png');
  for (const out of ['.hidden.glb', 'sub/pill.glb', './a/b/pill.gltf']) {
    const {files} = skinlight.bake(gltf, 'pill.gltf', {files: {'pill.bin': data, 'a.png': image}, out}), written = out.replace('./', '');
    assert.ok(files[written].length > 0, `${out}: ${Object.keys(files)}`);
    assert.ok(files[written.replace(/[^/]*$/, 'a.png')]);
  }
  for (const out of ['../pill.glb', '..', '', 'sub/../../pill.glb'])
    says(() => skinlight.bake(pill, 'pill.glb', {out}), out, /^$/, /no name of a file/);
  // What is read is no part of what is written, whatever it is called.
  const around = {'baked/baked.glb': pill, 'baked.glb': pill, 'out/baked.glb': pill};
  assert.deepEqual(Object.keys(skinlight.bake(pill, 'pill.glb', {files: around}).files), ['baked.glb']);
  says(() => skinlight.read(pill, 'pill.glb', {files: {a: pill, 'a/b.bin': pill}}), 'a/b.bin', /^$/, /lies in a, which is a file/);
  says(() => skinlight.read(pill, 'pill.glb', {files: {'a/b.bin': pill, a: pill}}), 'a', /^$/, /name of a folder/);
  says(() => skinlight.read(pill, 'a', {files: {'a/b.bin': pill}}), 'a', /^$/, /name of a folder/);
  says(() => skinlight.read(pill, 'pill.glb', {files: {'..': pill}}), '..', /^$/, /no name of a file/);
  says(() => skinlight.read(pill, 'pill.glb', {files: {[`${'../'.repeat(100)}a`]: pill}}), `${'../'.repeat(100)}a`, /^$/, /no name of a file/);
});

test('damaged files are refused or read, and the next one is as good as before', () => {
  let refused = 0;
  for (let i = 0; i < 60; ++i) {
    const damaged = pill.slice();
    // Within the JSON and around its borders: a fixed walk over places and values.
    for (let k = 0; k < 4; ++k) damaged[(i * 97 + k * 1013) % 3000] ^= 1 << ((i + k) % 8);
    try {
      skinlight.read(damaged, 'damaged.glb').free();
    } catch (e) {
      assert.ok(e instanceof InputError, String(e.stack));
      ++refused;
    }
  }
  assert.ok(refused > 30, `${refused}`);
  assert.equal(skinlight.read(pill, 'pill.glb').vertexCount, rig.vertexCount);
});

test('memory that calls took is given back', () => {
  const read = () => { for (let i = 0; i < 20; ++i) skinlight.read(pill, 'pill.glb').free(); };
  read();
  const before = skinlight.memory.buffer.byteLength;
  for (let i = 0; i < 10; ++i) read();
  assert.equal(skinlight.memory.buffer.byteLength, before);
});

// 30 frames a second, for a character of 55,784 vertices; a copy of what a frame uploads is in the time. Time of the
// processor, and the least of many: what else the machine does is not measured.
test('a frame of a large character is skinned within 33 ms', {skip: !process.env.SKINLIGHT_MODELS}, () => {
  const file = `${process.env.SKINLIGHT_MODELS}/makehuman-body/mh_body_sub1_4inf.glb`;
  const large = skinlight.read(new Uint8Array(readFileSync(file)), 'body.glb'), pose = large.pose(large.clipCount ? 0 : null, 0.3);
  assert.ok(large.vertexCount > 50_000);
  for (const mode of ['deform', 'deform-vectors']) {
    const batch = large.batch({mode}), into = {positions: new Float32Array(3 * large.vertexCount), normals: new Float32Array(3 * large.vertexCount)};
    let best = Infinity;
    for (let i = 0; i < 20; ++i) {
      const start = process.cpuUsage();
      batch.skin(pose, into);
      const {user, system} = process.cpuUsage(start);
      best = Math.min(best, (user + system) / 1000);
    }
    console.log(`${mode}: ${best.toFixed(2)} ms for ${large.vertexCount} vertices`);
    assert.ok(best < 33, `${mode}: ${best} ms`);
    batch.free();
  }
  large.free();
});

// What is downloaded: the archive as npm packs it, with everything that the package says is in it.
test('the package is small', () => {
  const [{size, files}] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json'],
    {cwd: new URL('..', import.meta.url).pathname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']}));
  console.log(`the archive: ${size} bytes`);
  assert.ok(files.some(({path}) => path === 'skinlight/skinlight.wasm') && files.some(({path}) => path === 'skinlight/skinlight.mjs'));
  assert.ok(size <= 700_000, `${size}`);
});
