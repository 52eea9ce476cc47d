// The example pages as a browser shows them: the character is drawn, moves, and the page says what became of its normals.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import test from 'node:test';
import {bake, modules, pack, require, skinlight} from './browser.mjs';

const examples = process.env.SKINLIGHT_EXAMPLES;
const pill = skinlight.sample('pill'), models = {'/baked.glb': bake(pill, 'pill.glb', {normals: 'deform-vectors'}), '/plain.glb': pill};

for (const engine of ['three', 'babylon'])
  test(`${engine}.html shows a baked character, and says of one that is not baked that it is not`, async () => {
    const {outputFiles: [{contents}]} = await require('esbuild').build({entryPoints: [join(examples, `${engine}.mjs`)], bundle: true, write: false,
      format: 'esm', nodePaths: [modules], target: 'es2022', logLevel: 'error',
      alias: {[`skinlight/${engine}`]: join(pack, `skinlight/${engine}.mjs`)}});
    const served = {'/': ['text/html', readFileSync(join(examples, `${engine}.html`))], [`/${engine}.mjs`]: ['text/javascript', contents]};
    const server = createServer((request, response) => {
      const path = request.url.split('?')[0], [type, bytes] = served[path] ?? ['model/gltf-binary', models[path]];
      response.writeHead(bytes ? 200 : 404, {'Content-Type': type}).end(bytes);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = await require('puppeteer-core').launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true,
      args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']});
    try {
      for (const [model, words] of [['baked', /^1 meshes with right normals$/], ['plain', /^0 meshes with right normals\n.* is not baked$/]]) {
        const page = await browser.newPage(), wrong = [];
        await page.setViewport({width: 400, height: 300});
        page.on('console', (message) => { if (message.type() === 'error') wrong.push(message.text()); });
        page.on('pageerror', (error) => wrong.push(error.message));
        await page.goto(`http://127.0.0.1:${server.address().port}/?model=${model}.glb`);
        await page.waitForFunction(() => document.getElementById('told').textContent.includes('meshes'), {timeout: 120_000});
        assert.match(await page.$eval('#told', (e) => e.textContent), words);
        // Pictures differ from moment to moment: something is drawn, and it moves.
        const seen = new Set();
        for (let i = 0; i < 40 && seen.size < 3; ++i) seen.add(createHash('sha256').update(await page.screenshot()).digest('hex'));
        assert.ok(seen.size >= 3, `${engine} ${model}: ${seen.size} pictures`);
        assert.deepEqual(wrong, []);
        await page.close();
      }
    } finally {
      await browser.close();
      server.close();
    }
  });
