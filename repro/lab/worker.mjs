// The library in a worker: the page stays alive whatever it does. Answers {id, ...} to {id, ask, ...}; what cannot be used
// comes back as `refused`, in the library's words; whatever else goes wrong is `broken`, and the page starts another worker.
import {InputError, load} from 'skinlight';

// Of a clip, for the curve of errors: as many as take about a second.
const frameCount = (vertices) => Math.min(48, Math.max(12, Math.round(400_000 / vertices)));
// Of engines: what is judged, checked and baked is for as many.
const INFLUENCES = 4;
let skinlight, rig, bytes, name, files, batches = new Map();

const ready = load({wasm: new URL('skinlight.wasm', self.location.href)}).then((loaded) => { skinlight = loaded; });

// What each method can do, found by asking for it once.
function ways() {
  const small = skinlight.read(skinlight.sample('pill'), 'pill.glb'), pose = small.pose();
  const can = (way) => {
    try {
      small.skin(pose, {...way, outputs: ['normals'], type: Float32Array});
      return true;
    } catch (e) {
      if (e instanceof InputError) return false;
      throw e;
    }
  };
  const of = (guard) => Object.fromEntries(skinlight.names.list('method').map((method) => [method,
    skinlight.names.list('mode').slice(1).filter((mode) => can({method, mode, guard}))]));
  const modes = of('none'), guarded = of('clamp');
  small.free();
  return {modes, guarded, guards: skinlight.names.list('guard'), formats: skinlight.names.list('format'), version: skinlight.version};
}

function forget() {
  for (const batch of batches.values()) batch.free();
  batches = new Map();
  rig?.free();
  rig = undefined;
}

async function digest(content) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function open(message) {
  const content = message.sample ? skinlight.sample(message.sample) : message.bytes;
  const opened = skinlight.read(content, message.name, {files: message.files, influences: INFLUENCES});  // the old one stays when this is refused
  forget();
  [rig, bytes, name, files] = [opened, content, message.name, message.files];
  return {name, digest: await digest(content), clips: rig.clips, vertexCount: rig.vertexCount, faceCount: rig.faceCount,
    boneCount: rig.boneCount, warnings: rig.warnings, faces: rig.faces, content: content.slice(), influences: rig.influences,
    rest: Float32Array.from(rig.positions), tangents: Float32Array.from(rig.tangents), bones: rig.bones,
    weights: Float32Array.from(rig.weights), skeleton: rig.skeleton};
}

function batch(way) {
  const key = JSON.stringify(way);
  if (!batches.has(key)) {
    if (batches.size > 12) {
      for (const old of batches.values()) old.free();
      batches.clear();
    }
    batches.set(key, rig.batch(way));
  }
  return batches.get(key);
}

const DEGREES = 180 / Math.PI;
function angles(normals, truth) {
  const errors = new Float32Array(normals.length / 3);
  for (let v = 0, i = 0; v < errors.length; ++v, i += 3) {
    const ax = normals[i], ay = normals[i + 1], az = normals[i + 2], bx = truth[i], by = truth[i + 1], bz = truth[i + 2];
    const x = ay * bz - az * by, y = az * bx - ax * bz, z = ax * by - ay * bx;
    errors[v] = DEGREES * Math.atan2(Math.sqrt(x * x + y * y + z * z), ax * bx + ay * by + az * bz);
  }
  return errors;
}

function frame({clip, seconds, method, mode, guard, standard}) {
  const pose = rig.pose(clip, seconds);
  const ours = batch({method, mode, guard}).skin(pose), usual = batch({method, mode: standard}).skin(pose);
  const truth = rig.truth(pose, {method, type: Float32Array});
  const errors = [usual.normals, ours.normals].map((normals) => angles(normals, truth.transported));
  const stats = [usual.normals, ours.normals].map((normals) => skinlight.angularErrors(normals, truth.transported, truth.areas));
  return {positions: ours.positions, normals: [usual.normals, ours.normals, truth.transported], errors, stats};
}

const answers = {
  open,
  frame,
  ways: () => ways(),
  compare: ({clip, ways: asked}) => rig.compare(asked, {clip, frames: clip === null ? 1 : frameCount(rig.vertexCount)}),
  check: () => ({findings: skinlight.check(bytes, name, {files, influences: INFLUENCES})}),
  // Deform frames have one slot more.
  bake: ({normals, method, format, out}) => skinlight.bake(bytes, name, {files, normals, format, out,
    ...(normals === 'deform-frames' ? {method, influences: INFLUENCES + 1} : {influences: INFLUENCES})}),
};

const buffers = (value) => ArrayBuffer.isView(value) ? [value.buffer]
  : value && typeof value === 'object' ? Object.values(value).flatMap(buffers) : [];

self.onmessage = async ({data: {id, ask, ...message}}) => {
  try {
    await ready;
    const answer = await answers[ask](message);
    self.postMessage({id, answer}, [...new Set(buffers(answer))]);
  } catch (e) {
    if (e instanceof InputError) self.postMessage({id, refused: e.message});
    else self.postMessage({id, broken: String(e?.message ?? e)});
  }
};
