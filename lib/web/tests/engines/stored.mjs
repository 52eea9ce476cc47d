// What a baked file says its posed normals are: its own numbers, decoded as bake/bake.h has it, through the formulas of the
// papers in double. Shares nothing with the kernels.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const half = (bits) => {
  const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, fraction = bits & 1023;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
};
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, b, factor = 1) => a.map((x, i) => x + factor * b[i]);
const unit = (a) => a.map((x) => x / Math.sqrt(dot(a, a)));
const DIRECTION = 0, POINT = 1;

// V x 3 normals and tangents of a mesh with one skin, in the order of the library, whose positions these are. pose: of the
// library, per bone a 3 by 4 matrix. morphs: weights of the targets; normals as authored, as engines have it.
export async function posedByRecord(modules, bytes, positions, pose, morphs = []) {
  const {NodeIO} = await import(pathToFileURL(join(modules, '@gltf-transform/core/dist/index.js')));
  const {KHRMeshQuantization} = await import(pathToFileURL(join(modules, '@gltf-transform/extensions/dist/index.js')));
  const document = await new NodeIO().registerExtensions([KHRMeshQuantization]).readBinary(bytes);
  assert.equal(document.getRoot().listSkins().length, 1);
  const moved = (bone, v, kind) => [0, 1, 2].map((r) => {
    const row = 12 * bone + 4 * r;
    return pose[row] * v[0] + pose[row + 1] * v[1] + pose[row + 2] * v[2] + kind * pose[row + 3];
  });
  const normals = [], tangents = [];
  const meshes = document.getRoot().listNodes().filter((node) => node.getSkin()).map((node) => node.getMesh());
  for (const [mesh, primitive] of meshes.flatMap((mesh) => mesh.listPrimitives().map((primitive) => [mesh, primitive]))) {
    const mark = mesh.getExtras().skinlight, {method, influences, format} = mark, attributes = new Map();
    const read = (name, v) => {
      if (!attributes.has(name)) attributes.set(name, primitive.getAttribute(name));
      return attributes.get(name).getElement(v, []);
    };
    const numbers = (name, v, ...scales) => read(name, v).map((x, c) =>
      (scales[c] ?? scales.at(-1)) * ((format === 'f16' ? half(x) : x) - mark.offset));
    // Of slots 0, 1, ...
    const slots = (name, v, ...scales) => Array.from({length: influences / 4}, (_, set) =>
      scales.length > 0 ? numbers(`${name}_${set}`, v, ...scales) : read(`${name}_${set}`, v)).flat();
    for (let v = 0; v < primitive.getAttribute('POSITION').getCount(); ++v) {
      let p = read('POSITION', v), n = read('NORMAL', v);
      p.forEach((x, c) => assert.ok(Math.abs(x - positions[normals.length + c]) <= 1e-6 * (1 + Math.abs(x)), `vertex ${normals.length / 3}`));
      primitive.listTargets().forEach((target, i) => {
        p = plus(p, target.getAttribute('POSITION').getElement(v, []), morphs[i] ?? 0);
        n = plus(n, target.getAttribute('NORMAL').getElement(v, []), morphs[i] ?? 0);
      });
      n = unit(n);
      const tangent = read('TANGENT', v), t = unit(plus(tangent, n, -dot(n, tangent)).slice(0, 3)), b = cross(n, t).map((x) => x * tangent[3]);
      const joints = slots('JOINTS', v), weights = slots('WEIGHTS', v), q0 = moved(joints[0], p, POINT);
      const posed = [t, b].map((rest, side) => {
        let sum = [0, 0, 0];
        if (method === 'deform-vectors') {
          // t' = sum M tau: directions and, per length, what moves the vertex itself; slot 0 closes both sums.
          let first = rest;
          for (let s = 1; s < influences; ++s) {
            const [x, y, z, w] = numbers(`_DEFORM_TAU_${'TB'[side]}_${s}`, v, mark.vector_scale, mark.vector_scale, mark.vector_scale, mark.scale);
            sum = plus(plus(sum, moved(joints[s], [x, y, z], DIRECTION)), plus(moved(joints[s], p, POINT), q0, -1), w);
            first = plus(first, [x, y, z], -1);
          }
          return plus(sum, moved(joints[0], first, DIRECTION));
        }
        // t' = T t0 + sum alpha (q - q0) [TPS14 Eq. 13], T of the smooth weights where there are any.
        const factors = slots(`_DEFORM_${['ALPHA', 'BETA'][side]}`, v, mark.scale), blended = method === 'smoothed' ? slots('_DEFORM_SMOOTH', v, mark.weight_scale) : [...weights];
        if (method === 'smoothed') blended[0] = 1 - blended.slice(1).reduce((a, x) => a + x, 0);
        for (let s = 0; s < influences; ++s)
          sum = plus(plus(sum, moved(joints[s], rest, DIRECTION), blended[s]), plus(moved(joints[s], p, POINT), q0, -1), factors[s]);
        return sum;
      });
      const normal = unit(cross(...posed).map((x) => x * tangent[3]));
      normals.push(...normal);
      tangents.push(...unit(plus(posed[0], normal, -dot(normal, posed[0]))));
    }
  }
  assert.equal(normals.length, positions.length);
  return {normals: Float64Array.from(normals), tangents: Float64Array.from(tangents)};
}
