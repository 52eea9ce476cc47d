// Builds the lab: node build.mjs PACKAGE NODE_MODULES TRANSLATE COSTS OUT
//   PACKAGE       the folder of the npm package skinlight
//   NODE_MODULES  with esbuild, three and uplot
//   TRANSLATE     shaders/translate.py
//   COSTS         prints what ways to skin cost: lib/web/src/costs.cpp, for node, whose fetch() it would take for a browser's
import {execFileSync} from 'node:child_process';
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const [pack, modules, translate, costs, out] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(join(modules, 'index.js'))('esbuild');

// A fragment program for three.js: it has no uniforms of type mat4x3, and its canvas wants encoded colours.
function fragment(name) {
  const text = execFileSync(process.env.PYTHON ?? 'python3', ['-B', translate, `programs/${name}.frag`, '--to', 'gles'], {encoding: 'utf8'});
  const body = text.replace(/^#version.*\n/, '').replace('uniform mat4x3 view;', 'uniform mat4 view;').replace('void main()', 'void shade()');
  if (!body.includes('uniform mat4 view;') || !body.includes('void shade()')) throw new Error(`${name}.frag is not as expected`);
  return `${body}
vec3 encoded(vec3 c) { return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }
void main() { shade(); result = vec4(encoded(clamp(result.rgb, 0.0, 1.0)), 1.0); }
`;
}

mkdirSync(out, {recursive: true});
const shaders = {name: 'shaders', setup(build) {
  build.onResolve({filter: /^\.\/shaders\.mjs$/}, () => ({path: 'shaders', namespace: 'shaders'}));
  build.onLoad({filter: /.*/, namespace: 'shaders'}, () => ({
    contents: ['shaded', 'reflection'].map((name) => `export const ${name} = ${JSON.stringify(fragment(name))};`).join('\n')}));
  build.onResolve({filter: /^\.\/costs\.mjs$/}, () => ({path: 'costs', namespace: 'costs'}));
  build.onLoad({filter: /.*/, namespace: 'costs'}, () => ({contents: `export const costs = ${execFileSync(process.execPath, ['--no-experimental-fetch', costs], {encoding: 'utf8'})};`}));
}};
const common = {bundle: true, format: 'iife', minify: true, target: 'es2022', legalComments: 'linked', outdir: out,
  nodePaths: [modules], alias: {skinlight: join(pack, 'skinlight/index.mjs'), 'skinlight/record': join(pack, 'skinlight/record.mjs'),
    'skinlight/files': join(pack, 'skinlight/files.mjs'),
    'skinlight/kernels': join(pack, 'skinlight/kernels.mjs')}, logLevel: 'warning', plugins: [shaders],
  external: ['node:fs'], define: {'import.meta.url': 'self.location.href'}};
await esbuild.build({...common, entryPoints: {lab: join(here, 'main.mjs'), worker: join(here, 'worker.mjs')}});
const {code} = await esbuild.transform(`${readFileSync(join(modules, 'uplot/dist/uPlot.min.css'))}\n${readFileSync(join(here, 'lab.css'))}`,
  {loader: 'css', minify: true});
writeFileSync(join(out, 'lab.css'), code);
copyFileSync(join(here, 'index.html'), join(out, 'index.html'));
copyFileSync(join(pack, 'skinlight/skinlight.wasm'), join(out, 'skinlight.wasm'));
