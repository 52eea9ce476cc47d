// A page in headless Chromium that has one script, bundled, and files to load.
//   SKINLIGHT_PACKAGE  the folder of the npm package        SKINLIGHT_MODULES  node_modules with three, esbuild, puppeteer-core
//   SKINLIGHT_MODELS   real models; without it what needs one is skipped
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {after, before} from 'node:test';

export const {SKINLIGHT_PACKAGE: pack, SKINLIGHT_MODULES: modules, SKINLIGHT_MODELS: models} = process.env;
export const require = createRequire(join(modules, 'index.js'));
const {load} = await import(join(pack, 'skinlight/index.mjs'));
export const skinlight = await load();

// Degrees. The shader computes in float what the library computes in double, from matrices in float; a clip's rotations
// are interpolated twice.
const MEAN = 0.0005, MOST = 0.02;
const SECONDS = 0.3;
const PATIENCE = 240_000;  // ms: a software renderer compiles an engine's shaders on a busy machine

const TYPES = {'.js': 'text/javascript', '.wasm': 'application/wasm'};

// For a test file: {errors, ...} of the page made of `entry`, whose window.normals() does the drawing. folders: served
// beside it, {path: folder}.
export function inBrowser(entry, {folders = {}, alias = {}} = {}) {
  let server, browser, page, address;
  const served = new Map();
  before(async () => {
    const {outputFiles: [script]} = await require('esbuild').build({entryPoints: [new URL(entry, import.meta.url).pathname],
      bundle: true, write: false, format: 'iife', nodePaths: [modules], target: 'es2022', logLevel: 'error',
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
      protocolTimeout: PATIENCE, args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']});
    page = await browser.newPage();
    page.on('console', (message) => { if (message.type() === 'error') console.log(message.text()); });
    page.on('pageerror', (error) => console.log(error.message));
    await page.goto(address);
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });

  async function drawn(bytes, options) {
    served.set('/model.glb', ['model/gltf-binary', bytes]);
    const {normals, ...rest} = await page.evaluate((url, how) => window.normals(url, how), `${address}model.glb`, {seconds: SECONDS, ...options});
    return {...rest, normals: Float64Array.from(normals)};
  }
  // Angles between the normals that the engine draws for a file and those of the library. of: the file as the library
  // reads it, when that is another one.
  async function errors(file, way, options = {}, of = file) {
    const rig = skinlight.read(of, 'of.glb'), {normals} = rig.skin(rig.pose(rig.clipCount ? 0 : null, options.seconds ?? SECONDS), way);
    const posed = await drawn(file, options);
    assert.equal(posed.normals.length, normals.length);
    rig.free();
    return {...posed, ...skinlight.angularErrors(posed.normals, normals)};
  }
  return {drawn, errors};
}

export const bake = (bytes, name, options) => Object.values(skinlight.bake(bytes, name, {...options, influences: 4}).files)[0];

export const near = ({mean, max, left}, what) => {
  assert.deepEqual(left, [], what);
  assert.ok(mean <= MEAN && max <= MOST, `${what}: mean ${mean}, most ${max} degrees`);
};

// Of every kind that engines are tested with; real ones where there are models.
export const files = {
  pill: () => skinlight.sample('pill'), skirt: () => skinlight.sample('skirt'),
  ...(models ? Object.fromEntries(['fox/Fox.glb', 'quaternius-dinos/Trex.glb', 'quaternius-formal/Formal.gltf',
    'xr-hands/xr_hand_l_poses.glb', 'makehuman-body/mh_body_sub1_4inf.glb'].map((file) => [file, () => readFileSync(join(models, file))])) : {})};

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
