// skinlight/three in headless Chromium: the normals that reach the light against the library's double. Run by ci/web.sh.
//   SKINLIGHT_PACKAGE  the folder of the npm package        SKINLIGHT_MODULES  node_modules with three, esbuild, puppeteer-core
//   SKINLIGHT_MODELS   real models; without it what needs one is skipped
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {basename, join} from 'node:path';
import test, {after, before} from 'node:test';

const {SKINLIGHT_PACKAGE: pack, SKINLIGHT_MODULES: modules, SKINLIGHT_MODELS: models} = process.env;
const require = createRequire(join(modules, 'index.js'));
const {load} = await import(join(pack, 'skinlight/index.mjs'));
const skinlight = await load();

// Degrees. The shader computes in float what the library computes in double, from matrices in float; a clip's rotations
// are interpolated twice.
const MEAN = 0.0005, MOST = 0.02;
const SECONDS = 0.3;

let server, browser, page, address;
const served = new Map();
before(async () => {
  const {outputFiles: [script]} = await require('esbuild').build({entryPoints: [new URL('page.mjs', import.meta.url).pathname],
    bundle: true, write: false, format: 'iife', nodePaths: [modules], alias: {'skinlight/three': join(pack, 'skinlight/three.mjs')}});
  served.set('/', ['text/html', '<!DOCTYPE html><link rel="icon" href="data:,"><script src="page.js"></script>']);
  served.set('/page.js', ['text/javascript', script.contents]);
  server = createServer((request, response) => {
    const [type, bytes] = served.get(request.url) ?? ['text/plain', ''];
    response.writeHead(served.has(request.url) ? 200 : 404, {'Content-Type': type}).end(bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await require('puppeteer-core').launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']});
  page = await browser.newPage();
  page.on('console', (message) => { if (message.type() === 'error') console.log(message.text()); });
  await page.goto(address);
});
after(async () => {
  await browser?.close();
  server?.close();
});

async function inThree(bytes, options) {
  served.set('/model.glb', ['model/gltf-binary', bytes]);
  const {normals, ...rest} = await page.evaluate((url, how) => window.normals(url, how), `${address}model.glb`, {seconds: SECONDS, ...options});
  return {...rest, normals: Float64Array.from(normals)};
}

// Angles between the normals in three.js and those of the library, for a file that was baked.
async function errors(baked, name, way, options = {}) {
  const rig = skinlight.read(baked, name), {normals} = rig.skin(rig.pose(rig.clipCount ? 0 : null, options.seconds ?? SECONDS), way);
  const posed = await inThree(baked, options);
  assert.equal(posed.normals.length, normals.length);
  rig.free();
  return {...posed, ...skinlight.angularErrors(posed.normals, normals)};
}
const bake = (bytes, name, options) => Object.values(skinlight.bake(bytes, name, {...options, influences: 4}).files)[0];
const near = ({mean, max, left}, what) => {
  assert.deepEqual(left, [], what);
  assert.ok(mean <= MEAN && max <= MOST, `${what}: mean ${mean}, most ${max} degrees`);
};

const files = {
  pill: () => skinlight.sample('pill'), skirt: () => skinlight.sample('skirt'),
  ...(models ? Object.fromEntries(['fox/Fox.glb', 'quaternius-dinos/Trex.glb', 'quaternius-formal/Formal.gltf',
    'xr-hands/xr_hand_l_poses.glb', 'makehuman-body/mh_body_sub1_4inf.glb'].map((file) => [file, () => readFileSync(join(models, file))])) : {})};

for (const [file, read] of Object.entries(files))
  test(`${file}: three.js has the library's normals, and without the call it has standard ones`, async () => {
    const name = file.includes('.') ? basename(file) : `${file}.glb`, bytes = new Uint8Array(read());
    for (const normals of ['deform', 'deform-vectors']) {
      const baked = bake(bytes, name, {normals}), found = await errors(baked, 'baked.glb', {mode: normals});
      console.log(`${file} ${normals}: mean ${found.mean.toFixed(6)}, most ${found.max.toFixed(5)} degrees`);
      near(found, normals);
    }
    const stock = await errors(bake(bytes, name, {}), 'baked.glb', {mode: 'standard'}, {correct: false});
    near(stock, 'standard');
    assert.ok((await errors(bake(bytes, name, {}), 'baked.glb', {mode: 'deform'}, {correct: false})).mean > 0.1);
  });

// The pill pushed into itself, so that its surface turns inside out in the middle of the clip.
function pushed() {
  const bytes = skinlight.sample('pill').slice(), view = new DataView(bytes.buffer), length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))), [animation] = json.animations;
  const channel = animation.channels.find(({target}) => target.node === 1 && target.path === 'translation');
  const accessor = json.accessors[animation.samplers[channel.sampler].output];
  const start = 20 + length + 8 + json.bufferViews[accessor.bufferView].byteOffset;
  for (let key = 0; key < accessor.count; ++key) {
    const at = start + 12 * key;
    view.setFloat32(at + 4, 2 * view.getFloat32(at, true), true);
    view.setFloat32(at, 0, true);
  }
  return bytes;
}

test('guards act as the library\'s', async () => {
  const baked = bake(pushed(), 'pill.glb', {normals: 'deform'}), seconds = 0.8;
  const rig = skinlight.read(baked, 'baked.glb'), pose = rig.pose(0, seconds);
  for (const guard of ['joint', 'test-then-fix']) {
    const way = {mode: 'deform', guard, ...(guard === 'joint' ? {} : {guardC: Infinity, guardK: 0.1})};
    // There is something to guard against.
    assert.ok(skinlight.angularErrors(rig.skin(pose, way).normals, rig.skin(pose, {mode: 'deform'}).normals).max > 10, guard);
    near(await errors(baked, 'baked.glb', way, {guard, seconds}), guard);
  }
  rig.free();
});

test('smooth weights, materials, normal maps and placed characters', async () => {
  const skirt = skinlight.sample('skirt'), baked = bake(skirt, 'skirt.glb', {normals: 'deform'});
  near(await errors(bake(skirt, 'skirt.glb', {normals: 'smoothed'}), 'baked.glb', {mode: 'smoothed'}), 'smoothed');
  for (const material of ['MeshPhongMaterial', 'MeshLambertMaterial', 'MeshPhysicalMaterial', 'MeshToonMaterial'])
    near(await errors(baked, 'baked.glb', {mode: 'deform'}, {material}), material);
  near(await errors(baked, 'baked.glb', {mode: 'deform'}, {normalMap: true}), 'normal map');
  near(await errors(baked, 'baked.glb', {mode: 'deform'}, {place: true}), 'placed');
});

// Degrees on average, of formats with 11, 16 and 8 bits: twice what their last bit is measured to make.
for (const [format, mean] of [['f16', 0.005], ['snorm16', 0.001], ['snorm8', 0.2]])
  test(`the format ${format} is decoded`, async () => {
    const skirt = skinlight.sample('skirt');
    for (const normals of ['deform', 'deform-vectors', 'smoothed']) {
      const found = await errors(bake(skirt, 'skirt.glb', {normals, format}), 'baked.glb', {mode: normals}, {seconds: 7});
      assert.deepEqual(found.left, []);
      console.log(`${format} ${normals}: mean ${found.mean.toFixed(6)} degrees`);
      assert.ok(found.mean < mean, `${normals}: ${found.mean}`);
    }
  });

test('a bake that tools have damaged falls back to standard normals, with the reason; other tools do no harm', async () => {
  const {NodeIO} = require('@gltf-transform/core'), {KHRONOS_EXTENSIONS} = require('@gltf-transform/extensions');
  const transforms = require('@gltf-transform/functions');
  const io = new NodeIO().registerExtensions(KHRONOS_EXTENSIONS), skirt = skinlight.sample('skirt');
  const baked = bake(skirt, 'skirt.glb', {normals: 'deform'});
  const through = async (...steps) => {
    const document = await io.readBinary(baked);
    // A material without textures: what nothing but the record needs may go then.
    for (const mesh of document.getRoot().listMeshes())
      for (const primitive of mesh.listPrimitives()) primitive.setMaterial(document.createMaterial());
    document.setLogger({debug() {}, info() {}, warn() {}, error() {}});
    await document.transform(...steps);
    return io.writeBinary(document);
  };
  near(await errors(await through(transforms.resample(), transforms.dedup()), 'baked.glb', {mode: 'deform'}), 'resample, dedup');
  near(await errors(await through(transforms.prune({keepAttributes: true})), 'baked.glb', {mode: 'deform'}), 'prune that keeps attributes');
  for (const [step, reason] of [[transforms.prune({keepAttributes: false}), /has lost its tangents/], [transforms.quantize(), /was quantised after baking/]]) {
    const edited = await through(step), found = await errors(edited, 'edited.glb', {mode: 'standard'});
    assert.equal(found.corrected, 0);
    assert.match(found.left[0], reason);
    // The standard normals of what the tool left, not worse.
    assert.ok(found.mean < 0.1, `${found.mean}`);
  }
});
