// A page in headless Chromium that has one script, bundled, and files to load.
//   SKINLIGHT_PACKAGE  the folder of the npm package        SKINLIGHT_MODULES  node_modules with three, esbuild, puppeteer-core
//   SKINLIGHT_MODELS   real models; without it what needs one is skipped
import assert from 'node:assert/strict';
import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {basename, join} from 'node:path';
import test, {after, before} from 'node:test';
import {pathToFileURL} from 'node:url';
import {posedByRecord} from './stored.mjs';

export const {SKINLIGHT_PACKAGE: pack, SKINLIGHT_MODULES: modules, SKINLIGHT_MODELS: models} = process.env;
export const require = createRequire(join(modules, 'index.js'));
const {load} = await import(join(pack, 'skinlight/index.mjs'));
export const skinlight = await load();

// Degrees. The shader computes in float what the library computes in double, from matrices in float; a clip's rotations
// are interpolated twice.
const MEAN = 0.0005, MOST = 0.02;
export const SECONDS = 0.3;
const PATIENCE = 240_000;  // ms: a software renderer compiles an engine's shaders on a busy machine

const TYPES = {'.js': 'text/javascript', '.wasm': 'application/wasm'};

// For a test file: {errors, ...} of the page made of `entry`, whose window.normals() does the drawing. folders: served
// beside it, {path: folder}.
export function inBrowser(entry, {folders = {}, alias = {}} = {}) {
  let server, browser, page, address;
  const served = new Map();
  before(async () => {
    const {outputFiles: [script]} = await require('esbuild').build({entryPoints: [new URL(entry, import.meta.url).pathname],
      bundle: true, write: false, format: 'iife', nodePaths: [modules], target: 'es2022', logLevel: 'error', external: ['node:*'], define: {'import.meta.url': 'self.location.href'},
      alias: {'skinlight/three': join(pack, 'skinlight/three.mjs'), ...alias}});
    served.set('/', ['text/html', '<!DOCTYPE html><link rel="icon" href="data:,"><script src="page.js"></script>']);
    served.set('/page.js', ['text/javascript', script.contents]);
    server = createServer((request, response) => {
      const [, folder, name] = request.url.match(/^\/(\w+)\/([\w.]+)$/) ?? [];
      const [type, bytes] = folders[folder] ? [TYPES[name.slice(name.lastIndexOf('.'))], readFileSync(join(folders[folder], name))]
        : served.get(request.url) ?? ['text/plain', ''];
      response.writeHead(bytes.length > 0 ? 200 : 404, {'Content-Type': type}).end(bytes);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${server.address().port}/`;
    browser = await require('puppeteer-core').launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true,
      protocolTimeout: PATIENCE, args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
        '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']});
    page = await browser.newPage();
    page.on('console', (message) => { if (message.type() === 'error') console.log(message.text()); });
    page.on('pageerror', (error) => console.log(error.message));
    await page.goto(address);
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });

  const ask = (what, bytes, options) => {
    served.set('/model.glb', ['model/gltf-binary', bytes]);
    return page.evaluate((name, url, how) => window[name](url, how), what, `${address}model.glb`, {seconds: SECONDS, ...options});
  };
  async function drawn(bytes, options) {
    const {normals, ...rest} = await ask('normals', bytes, options);
    return {...rest, normals: Float64Array.from(normals)};
  }
  const shadow = (bytes, options) => ask('shadow', bytes, options);
  // Angles between the normals that the engine draws for a file and those of the library. of: the file as the library
  // reads it, when that is another one. way: null for the record that the
  // file has, whatever its format. what: 'tangents' in the place of normals, where the page draws them.
  async function errors(file, way, options = {}, of = file) {
    const rig = skinlight.read(of, 'of.glb'), pose = rig.pose(rig.clipCount ? 0 : null, options.seconds ?? SECONDS);
    const posedNow = way ? rig.skin(pose, way) : await posedByRecord(modules, of, rig.positions, pose, options.morphs);
    const normals = posedNow[options.what ?? 'normals'];
    const posed = await drawn(file, options);
    assert.equal(posed.normals.length, normals.length);
    rig.free();
    return {...posed, ...skinlight.angularErrors(posed.normals, normals)};
  }
  return {ask, drawn, errors, shadow};
}

export const bake = (bytes, name, options) => Object.values(skinlight.bake(bytes, name, {influences: 4, ...options}).files)[0];

export const near = ({mean, max, left}, what) => {
  assert.deepEqual(left, [], what);
  assert.ok(mean <= MEAN && max <= MOST, `${what}: mean ${mean}, most ${max} degrees`);
};

// bake() as a step, with the same gltf-transform as the tools: a copy of the module lies beside that while it is loaded.
export async function gltfTransformStep() {
  const {outputFiles: [{text}]} = await require('esbuild').build({entryPoints: [join(pack, 'skinlight/gltf_transform.mjs')], bundle: true,
    write: false, format: 'esm', packages: 'external'});
  const file = join(modules, `.skinlight-gltf-transform-${process.pid}.mjs`);
  writeFileSync(file, text);
  try {
    return (await import(pathToFileURL(file))).bake;
  } finally {
    rmSync(file);
  }
}

// Of every kind that engines are tested with; real ones where there are models.
export const files = {
  pill: () => skinlight.sample('pill'), skirt: () => skinlight.sample('skirt'),
  ...(models ? Object.fromEntries(['fox/Fox.glb', 'quaternius-dinos/Trex.glb', 'quaternius-formal/Formal.gltf',
    'xr-hands/xr_hand_l_poses.glb', 'makehuman-body/mh_body_sub1_4inf.glb'].map((file) => [file, () => readFileSync(join(models, file))])) : {})};

export const nameOf = (file) => file.includes('.') ? basename(file) : `${file}.glb`;
export const KINDS = ['deform', 'smoothed', 'deform-vectors'];

// A baked file with two morph targets, as an artist adds them: positions bulge, normals follow. With these weights.
export const MORPHS = [0.8, -0.5];
export async function withMorphs(bytes) {
  const {NodeIO} = await import(pathToFileURL(join(modules, '@gltf-transform/core/dist/index.js'))), io = new NodeIO();
  const document = await io.readBinary(bytes), [buffer] = document.getRoot().listBuffers();
  for (const mesh of document.getRoot().listMeshes()) {
    for (const primitive of mesh.listPrimitives())
      MORPHS.forEach((_, k) => {
        const target = document.createPrimitiveTarget(), own = primitive.getAttribute('POSITION'), count = own.getCount();
        for (const name of ['POSITION', 'NORMAL'])
          target.setAttribute(name, document.createAccessor().setBuffer(buffer).setType('VEC3').setArray(Float32Array.from({length: 3 * count},
            (_, i) => 0.3 * Math.sin(own.getElement(Math.floor(i / 3), [])[(i + k) % 3] * 2 + i % 3 + k))));
        primitive.addTarget(target);
      });
    mesh.setWeights(MORPHS.map(() => 0));
  }
  return io.writeBinary(document);
}

// Morph targets stay, and the record is that of the morphed vertex; shadows stay as they were; eight influences are refused.
export function testWhatStays({errors, shadow, drawn}, engine) {
  test('morph targets are kept, and right normals with them', async () => {
    for (const normals of KINDS) {
      const file = await withMorphs(bake(skinlight.sample('skirt'), 'skirt.glb', {normals})), how = {seconds: 7, morphs: MORPHS};
      near(await errors(file, null, how), normals);
      // There is something to keep.
      assert.ok(skinlight.angularErrors((await drawn(file, how)).normals, (await drawn(file, {...how, morphs: [0, 0]})).normals).mean > 5);
    }
  });

  test('a second call takes its own guard', async () => {
    const file = bake(pushed(), 'pill.glb', {normals: 'deform'}), seconds = 0.8;
    near(await errors(file, {mode: 'deform', guard: 'joint'}, {first: 'none', guard: 'joint', seconds}), 'joint after none');
    near(await errors(file, {mode: 'deform'}, {first: 'joint', seconds}), 'none after joint');
  });

  test('shadows are kept', async () => {
    const file = bake(skinlight.sample('skirt'), 'skirt.glb', {normals: 'deform-vectors'}), [cast, stock, none] =
      [await shadow(file, {}), await shadow(file, {correct: false}), await shadow(file, {casts: false})];
    console.log(`shadow of ${cast} pixels, stock ${stock}, without a caster ${none}`);
    assert.ok(none === 0 && stock > 40);
    assert.equal(cast, stock);
  });

  test('eight influences are refused with the reason', async () => {
    for (const normals of KINDS) {
      const {left, corrected} = await drawn(bake(skinlight.sample('skirt'), 'skirt.glb', {normals, influences: 8}), {});
      assert.deepEqual([corrected, left], [0, [`has 8 influences per vertex, of which ${engine} poses 4; bake it with 4`]]);
    }
  });
}

// The pill pushed into itself, so that its surface turns inside out in the middle of the clip.
export function pushed() {
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
