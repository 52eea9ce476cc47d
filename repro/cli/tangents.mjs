// node tangents.mjs FILE...: how far the TANGENTs of glTF files are from MikkTSpace's, as gltf-transform writes them
// for normal maps of glTF. JSON, one object per file with the skinned primitives that have texture coordinates:
//   vertices, equal: vertices, and those whose w is that of most of their corners;
//   degrees: the median angle between the tangents of all corners.
// The packages are looked for along NODE_PATH; ci/setup.sh installs them.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { Extension, NodeIO, Logger, Primitive } = require('@gltf-transform/core');
const { ALL_EXTENSIONS } = require('@gltf-transform/extensions');
const { dequantize, tangents, unweld } = require('@gltf-transform/functions');
const { generateTangents } = require('mikktspace');

// Extensions that gltf-transform does not know and that files may require: none touches geometry.
const unknown = (name) => class extends Extension {
  static EXTENSION_NAME = name;
  extensionName = name;
  read() { return this; }
  write() { return this; }
};
const BESIDE_GEOMETRY = ['EXT_lights_image_based', 'KHR_animation_pointer', 'KHR_interactivity', 'KHR_node_selectability',
  'KHR_node_visibility', 'MSFT_lod', 'VRMC_vrm'];
const known = new Set(ALL_EXTENSIONS.map((extension) => extension.EXTENSION_NAME));
const io = new NodeIO().registerExtensions(
  [...ALL_EXTENSIONS, ...BESIDE_GEOMETRY.filter((name) => !known.has(name)).map(unknown)]);

// A row of numbers per corner of a primitive, in the order of its triangles.
const corners = (primitive, name) => {
  const attribute = primitive.getAttribute(name);
  return Array.from({ length: attribute.getCount() }, (_, i) => attribute.getElement(i, []));
};

const angle = (a, b) => {
  const size = Math.hypot(a[0], a[1], a[2]) * Math.hypot(b[0], b[1], b[2]);
  const cosine = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / size;
  return (Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI;
};

async function report(file) {
  const document = await io.read(file);
  document.setLogger(new Logger(Logger.Verbosity.ERROR));
  await document.transform(dequantize());
  const judged = [];
  for (const mesh of document.getRoot().listMeshes())
    for (const primitive of mesh.listPrimitives()) {
      const set = primitive.getMaterial()?.getNormalTextureInfo()?.getTexCoord() ?? 0;
      if (primitive.getMode() !== Primitive.Mode.TRIANGLES || !primitive.getAttribute('JOINTS_0')) continue;
      if (!primitive.getAttribute('TEXCOORD_' + set) || !primitive.getAttribute('TANGENT')) continue;
      const indices = primitive.getIndices();
      const count = primitive.getAttribute('POSITION').getCount();
      const vertex = indices ? Array.from(indices.getArray()) : Array.from({ length: count }, (_, i) => i);
      judged.push({ primitive, vertex });
    }
  await document.transform(unweld());
  const own = judged.map(({ primitive }) => corners(primitive, 'TANGENT'));
  await document.transform(tangents({ generateTangents, overwrite: true }));

  const degrees = [];
  let vertices = 0, equal = 0;
  judged.forEach(({ primitive, vertex }, i) => {
    const theirs = corners(primitive, 'TANGENT'), agree = new Map();
    own[i].forEach((t, c) => {
      agree.set(vertex[c], (agree.get(vertex[c]) ?? 0) + t[3] * theirs[c][3]);
      degrees.push(angle(t, theirs[c]));
    });
    vertices += agree.size;
    for (const sum of agree.values()) equal += sum >= 0 ? 1 : 0;
  });
  degrees.sort((a, b) => a - b);
  return { file, vertices, equal, degrees: degrees.length > 0 ? degrees[degrees.length >> 1] : 0 };
}

const reports = [];
for (const file of process.argv.slice(2)) reports.push(await report(file));
console.log(JSON.stringify(reports));
