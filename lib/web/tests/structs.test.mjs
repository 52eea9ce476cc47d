// The table of structs against skinlight.h itself: members, their order, their types.
// SKINLIGHT_SOURCE is the top of the sources.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';
import {layout, MEMBERS, USUAL_FRAMES} from '../skinlight/structs.mjs';

const header = readFileSync(`${process.env.SKINLIGHT_SOURCE}/lib/skinlight/c/skinlight.h`, 'utf8')
  .replace(/\/\*[\s\S]*?\*\//g, '');
const LETTERS = {size_t: 'z', int32_t: 'i', double: 'd', uint64_t: 'u', skinlight_array: 'array', skinlight_output: 'output'};

function membersOf(body) {
  const members = {};
  for (const declaration of body.split(';').map((text) => text.trim().replace(/\s+/g, ' ')).filter(Boolean)) {
    const [, type, names] = declaration.match(/^((?:const )?\w+) ?(.*)$/);
    for (const name of names.split(',').map((text) => text.trim()))
      members[name.replace(/^\* ?/, '')] = !name.startsWith('*') ? LETTERS[type] : type === 'const char' ? 's' : 'p';
  }
  return members;
}

const structs = Object.fromEntries([...header.matchAll(/typedef struct skinlight_(\w+) \{([\s\S]*?)\} skinlight_\w+;/g)]
  .map(([, name, body]) => [name, membersOf(body)]));

test('every struct of the header is in the table, member by member', () => {
  assert.ok(Object.keys(structs).length > 20);
  for (const [name, members] of Object.entries(structs)) {
    assert.ok(MEMBERS[name], name);
    assert.deepEqual(Object.entries(MEMBERS[name]), Object.entries(members), name);
  }
  assert.deepEqual(Object.keys(MEMBERS).sort(), Object.keys(structs).sort());
});

test('as many frames are usual as in the header', () => {
  assert.equal(USUAL_FRAMES, Number(header.match(/#define SKINLIGHT_USUAL_FRAMES (\d+)/)[1]));
});

test('members are aligned as C aligns them', () => {
  assert.deepEqual(layout('array'), {size: 12, align: 4, offsets: {data: 0, stride: 4, type: 8}});
  const {size, offsets} = layout('skin_options');
  // 20 bytes of size and integers, then doubles at multiples of 8.
  assert.deepEqual([offsets.guard_c, offsets.guard_k, offsets.morph_weights, size], [24, 32, 40, 56]);
});
