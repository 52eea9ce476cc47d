// A character made from formulas as a .glb file with one clip, so that it goes the way of every other file.
const KEYS_PER_POSE = 8, SECONDS_PER_POSE = 2;
const FLOAT = 5126, USHORT = 5123, UINT = 5125;
const POSES = {pill: 1, skirt: 4};

// z up becomes y up: (x, y, z) to (x, z, -y).
const AXES = [[0, 1], [2, 1], [1, -1]];
const upright = (rows, width) => rows.map((_, i) => {
  const column = i % width, [from, sign] = AXES[column] ?? [column, 1];
  return sign * rows[i - column + from];
});
// The same for a matrix of 3 rows and 4 columns.
const uprightMatrix = (m) => Array.from({length: 12}, (_, i) => {
  const row = Math.floor(i / 4), column = i % 4, [r, rs] = AXES[row], [c, cs] = AXES[column] ?? [3, 1];
  return rs * cs * m[4 * r + c];
});

// The rotation of such a matrix as a quaternion x, y, z, w (Shepperd's method).
function quaternion(m) {
  const at = (r, c) => m[4 * r + c], trace = at(0, 0) + at(1, 1) + at(2, 2);
  const diagonal = [at(0, 0), at(1, 1), at(2, 2), trace], largest = diagonal.indexOf(Math.max(...diagonal));
  let q;
  if (largest === 3) {
    q = [at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1), 1 + trace];
  } else {
    const i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    q = [0, 0, 0, at(k, j) - at(j, k)];
    q[i] = 1 + at(i, i) - at(j, j) - at(k, k);
    q[j] = at(j, i) + at(i, j);
    q[k] = at(k, i) + at(i, k);
  }
  return q.map((x) => x / Math.hypot(...q));
}

// The chunks of a .glb.
function glb(json, binary) {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = (length) => Math.ceil(length / 4) * 4;
  const size = 12 + 8 + padded(text.length) + 8 + padded(binary.length);
  const bytes = new Uint8Array(size).fill(0x20), view = new DataView(bytes.buffer);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, size, true);
  view.setUint32(12, padded(text.length), true);
  view.setUint32(16, 0x4e4f534a, true);
  bytes.set(text, 20);
  const second = 20 + padded(text.length);
  view.setUint32(second, padded(binary.length), true);
  view.setUint32(second + 4, 0x004e4942, true);
  bytes.fill(0, second + 8).set(binary, second + 8);
  return bytes;
}

// poseAt(time): 12 numbers per bone at 0 .. 1.
export function sampleFile(rig, name, poseAt) {
  const json = {asset: {version: '2.0', generator: 'skinlight'}, scene: 0, buffers: [], bufferViews: [], accessors: []};
  const parts = [];
  let length = 0;
  const add = (array, type, componentType, count, more = {}) => {
    parts.push([length, array]);
    json.bufferViews.push({buffer: 0, byteOffset: length, byteLength: array.byteLength});
    length += Math.ceil(array.byteLength / 4) * 4;
    return json.accessors.push({bufferView: json.bufferViews.length - 1, type, componentType, count, ...more}) - 1;
  };
  const vertices = rig.vertexCount, four = (values, Type) => {
    const rows = new Type(4 * vertices);
    for (let v = 0; v < vertices; ++v)
      for (let s = 0; s < Math.min(4, rig.influences); ++s) rows[4 * v + s] = values[v * rig.influences + s];
    return rows;
  };
  const positions = new Float32Array(upright(rig.positions, 3));
  const bound = (of) => [0, 1, 2].map((c) => {
    let found = positions[c];
    for (let i = c; i < positions.length; i += 3) found = of(found, positions[i]);
    return found;
  });
  const weights = four(rig.weights, Float64Array), bones = four(rig.bones, Uint16Array);
  weights.forEach((w, i) => { if (w === 0) bones[i] = 0; });
  const attributes = {
    POSITION: add(positions, 'VEC3', FLOAT, vertices, {min: bound(Math.min), max: bound(Math.max)}),
    NORMAL: add(new Float32Array(upright(rig.normals, 3)), 'VEC3', FLOAT, vertices),
    TANGENT: add(new Float32Array(upright(rig.tangents, 4)), 'VEC4', FLOAT, vertices),
    TEXCOORD_0: add(new Float32Array(rig.uv), 'VEC2', FLOAT, vertices),
    JOINTS_0: add(bones, 'VEC4', USHORT, vertices),
    WEIGHTS_0: add(new Float32Array(weights), 'VEC4', FLOAT, vertices)};
  const indices = add(new Uint32Array(rig.faces), 'SCALAR', UINT, rig.faces.length);

  const swings = POSES[name] * KEYS_PER_POSE, times = Array.from({length: swings + 1}, (_, k) => k / swings);
  const poses = times.map((time) => poseAt(time));
  const input = add(new Float32Array(times.map((t) => t * POSES[name] * SECONDS_PER_POSE)), 'SCALAR', FLOAT, times.length,
    {min: [0], max: [POSES[name] * SECONDS_PER_POSE]});
  const samplers = [], channels = [], joints = [];
  for (let bone = 0; bone < rig.boneCount; ++bone) {
    const keys = poses.map((pose) => uprightMatrix(pose.slice(12 * bone, 12 * bone + 12)));
    const rotations = keys.map(quaternion), moves = keys.map((m) => [m[3], m[7], m[11]]);
    for (const [path, type, rows] of [['translation', 'VEC3', moves], ['rotation', 'VEC4', rotations]]) {
      samplers.push({input, output: add(new Float32Array(rows.flat()), type, FLOAT, rows.length), interpolation: 'LINEAR'});
      channels.push({sampler: samplers.length - 1, target: {node: bone, path}});
    }
    joints.push(bone);
  }
  // Bones stand in the origin at rest.
  const identities = joints.flatMap(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  const inverseBindMatrices = add(new Float32Array(identities), 'MAT4', FLOAT, joints.length);
  Object.assign(json, {
    nodes: [...joints.map((bone) => ({name: `bone ${bone}`})), {name, mesh: 0, skin: 0}],
    scenes: [{nodes: [...joints, rig.boneCount]}], skins: [{joints, inverseBindMatrices}],
    meshes: [{name, primitives: [{attributes, indices}]}], animations: [{name: 'swing', samplers, channels}]});
  const binary = new Uint8Array(Math.ceil(length / 4) * 4);
  for (const [at, array] of parts) binary.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
  json.buffers.push({byteLength: binary.length});
  return glb(json, binary);
}
