// Whether a record fits, by the marks of its mesh and primitive: the unit of its numbers.
import assert from 'node:assert/strict';
import test from 'node:test';
import {fitting} from '../skinlight/record.mjs';

const mark = {record: 2, method: 'deform-factors', format: 'f32', layout: 'attributes', influences: 4, scale: 1};
const table = (rows, type = 'Float32Array') => ({type, normalized: false, count: rows.length, at: (v, c) => rows[v][c]});

// Of vertices at those heights.
function unit(fit, heights, index, type) {
  const zeros = table(heights.map(() => [0, 0, 0, 0])), positions = table(heights.map((y) => [0, y, 0]), type);
  return fitting({mark, fit: {joint_sum: 0, ...fit}, attribute: (name) => (name === 'POSITION' ? positions : zeros), index,
    attributeCount: 8, engine: 'a test'}).unit;
}

test('an extent is that of the vertices which triangles use', () => {
  const ofTriangles = {extent: 2, extent_of: 'triangles'};
  assert.equal(unit(ofTriangles, [0, 1, 2, 9], [0, 1, 2]), 1);
  assert.equal(unit(ofTriangles, [0, 1, 2], null), 1, 'what nobody used is gone');
  assert.equal(unit(ofTriangles, [0, 50, 100, 450], [0, 1, 2]), .02, 'in another unit of length');
  assert.equal(unit(ofTriangles, [0, 2, 4, 18], [0, 1, 2], 'Int16Array'), .5);
  // What another tool put behind the vertices counts as little.
  assert.equal(unit({extent: 2}, [0, 1, 2, 9], [0, 1, 2]), 1);
});

test('an extent of before, that of all vertices, is still one', () => {
  assert.equal(unit({extent: 9}, [0, 1, 2, 9], [0, 1, 2]), 1);
  assert.equal(unit({extent: 9}, [0, 50, 100, 450], [0, 1, 2]), .02);
  assert.equal(unit({extent: 9}, [0, 2, 4, 18], [0, 1, 2], 'Int16Array'), .5);
});
