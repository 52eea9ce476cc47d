// Writes the kernels in GLSL ES 3.00 as a module: node kernels.mjs TRANSLATE OUT, with shaders/translate.py.
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';

const [translate, out] = process.argv.slice(2);
const text = execFileSync(process.env.PYTHON ?? 'python3', ['-B', translate, new URL('src/three.vert', import.meta.url).pathname,
  '--to', 'gles'], {encoding: 'utf8'});
// The program that they become a part of has a version, a precision and a main of its own.
// Its macros are written out, since some engines read programs with a preprocessor of their own.
const MACROS = [[/\bINFLUENCES\b/g, '4'], [/\breal\b/g, 'float'], [/\bboolean\b/g, 'bool'], [/\bratio\((\d+), (\d+)\)/g, '(float($1) / float($2))']];
const kernels = text.replace(/^#version.*\nprecision.*\nprecision.*\n/, '').replace(/void main\(\) .*\n/, '').replace(/\/\/.*$/gm, '')
  .replace(/^#define \w+.*\n/gm, '').replace(/^#(ifndef|ifdef|endif).*\n/gm, '').replace(/\n\s*\n+/g, '\n');
const written = MACROS.reduce((all, [macro, meaning]) => all.replace(macro, meaning), kernels);
if (/#|precision|void main|\bratio\b/.test(written)) throw new Error('the kernels are not as expected');
writeFileSync(out, `export const kernels = ${JSON.stringify(written)};\n`);
