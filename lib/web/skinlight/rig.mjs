// Rigs: skinned meshes, what their normals need, and skinning. Arrays are flat: V x 3 numbers, row after row.
import {InputError} from './errors.mjs';
import {integer} from './names.mjs';
import {layout, USUAL_FRAMES} from './structs.mjs';

const OUTPUTS = ['positions', 'normals', 'tangents', 'bitangents'];
const SLOT_BONES = 0, SLOT_WEIGHTS = 1, ALPHA = 2, BETA = 3, SMOOTH_WEIGHT = 4, GRADIENT = 5, ALONG_T = 6, ALONG_B = 7;
const POSE = 12;  // numbers per bone

// Members of skin_options.
export function wayStruct(library, way, morphWeights) {
  const {method = 'lbs', mode = 'usual', guard = 'none', guardC, guardK} = way ?? {};
  if ((guardC === undefined) !== (guardK === undefined))
    throw new InputError('', 'guard', 'guardC and guardK come together');
  return {method: library.names.number('method', method), mode: library.names.number('mode', mode),
    guard: library.names.number('guard', guard), own_guard: guardC === undefined ? 0 : 1, guard_c: guardC ?? 0,
    guard_k: guardK ?? 0, morph_weights: morphWeights};
}

// Of a rig without morph targets there are no weights, as morphWeights() says it; the interface knows that as no array.
export function morphArray(memory, weights, targets) {
  const given = memory.reals(weights, 'morphWeights', targets);
  return targets === 0 ? memory.reals(undefined) : given;
}

// The arrays that a caller wants numbers in.
function requireReals(type) {
  if (type !== Float64Array && type !== Float32Array) throw new InputError('', 'type', 'is neither Float32Array nor Float64Array');
}

function chosen(outputs) {
  if (outputs.length === 0) throw new InputError('', 'outputs', 'nothing is wanted');
  for (const name of outputs)
    if (!OUTPUTS.includes(name)) throw new InputError('', 'outputs', `'${name}' is none of ${OUTPUTS.join(', ')}`);
  return outputs;
}

// What has a handle in the module and has to be freed. `what` names it when it is used afterwards.
class Handle {
  #handle;
  constructor(library, handle, what) {
    Object.assign(this, {library, what});
    this.#handle = handle;
  }
  get handle() {
    if (this.#handle === 0) throw new InputError('', this.what, 'was freed');
    return this.#handle;
  }
  free() {
    if (this.#handle !== 0) this.library.memory.module[`_skinlight_${this.what}_free`](this.#handle);
    this.#handle = 0;
  }
}

export class Rig extends Handle {
  constructor(library, handle) {
    super(library, handle, 'rig');
    const info = library.memory.scope(() => library.memory.fill('rig_info', 'rig_get_info', handle));
    Object.assign(this, {vertexCount: info.vertex_count, faceCount: info.face_count, boneCount: info.bone_count,
      influences: info.influences, weldedCount: info.welded_count, clipCount: info.clip_count,
      morphCount: info.morph_count, warningCount: info.warning_count});
  }

  #rows(count, struct, name, made) {
    const {memory} = this.library;
    return memory.scope(() => Array.from({length: count}, (_, i) => made(memory.fill(struct, name, this.handle, i))));
  }
  get clips() { return this.#rows(this.clipCount, 'clip_info', 'rig_get_clip', ({name, duration}) => ({name, duration})); }
  get skeleton() { return this.#rows(this.boneCount, 'bone_info', 'rig_get_bone', ({name, parent}) => ({name, parent})); }
  get morphs() {
    return this.#rows(this.morphCount, 'morph_info', 'rig_get_morph',
      ({name, weight, vertex_count}) => ({name, weight, vertexCount: vertex_count}));
  }
  get warnings() {
    return this.#rows(this.warningCount, 'warning', 'rig_get_warning',
      ({element, reason, count}) => ({element, reason, count}));
  }

  #get(what, length, kind) {
    const {memory} = this.library;
    return memory.scope(() => {
      const out = memory.output(length, kind);
      memory.call('rig_get', this.handle, what, memory.struct('output', out));
      return out.take();
    });
  }
  get positions() { return this.#get(0, 3 * this.vertexCount); }
  get normals() { return this.#get(1, 3 * this.vertexCount); }
  get tangents() { return this.#get(2, 4 * this.vertexCount); }
  get uv() { return this.#get(3, 2 * this.vertexCount); }
  get weights() { return this.#get(4, this.influences * this.vertexCount); }
  get bones() { return this.#get(5, this.influences * this.vertexCount, Int32Array); }
  get faces() { return this.#get(6, 3 * this.faceCount, Int32Array); }

  // The number of a clip; that behind the last for null, the file's own pose.
  clipIndex(clip) {
    if (clip === null || clip === undefined) return this.clipCount;
    const names = this.clips.map(({name}) => name);
    if (typeof clip === 'string') {
      if (!names.includes(clip))
        throw new InputError('', `clip '${clip}'`, `is none of ${names.map((n) => `'${n}'`).join(', ') || 'no clips'}`);
      return names.indexOf(clip);
    }
    if (integer('clip', clip) >= this.clipCount)
      throw new InputError('', `clip ${clip}`, `does not exist; there are ${this.clipCount}`);
    return clip;
  }
  #at(name, clip, seconds, length) {
    const {memory} = this.library, index = this.clipIndex(clip);
    return memory.scope(() => {
      const out = memory.output(length);
      memory.call(name, this.handle, index, seconds, memory.struct('output', out));
      return out.take();
    });
  }
  pose(clip = null, seconds = 0) { return this.#at('rig_get_pose', clip, seconds, POSE * this.boneCount); }
  morphWeights(clip = null, seconds = 0) {
    if (this.morphCount === 0) return new Float64Array(0);
    return this.#at('rig_get_morph_weights', clip, seconds, this.morphCount);
  }

  #record(record, columns) {
    const {memory} = this.library;
    return memory.scope(() => {
      const {slots, ...info} = memory.fill('record_info', 'record_get_info', this.handle, record);
      const values = {slots};
      for (const [name, column] of Object.entries(columns)) {
        const out = memory.output(this.vertexCount * slots * (column >= GRADIENT ? 3 : 1),
          column === SLOT_BONES ? Int32Array : Float64Array);
        memory.call('record_get', this.handle, record, column, memory.struct('output', out));
        values[name] = out.take();
      }
      return {...values, flatVertices: info.flat_vertices,
        overflow: {vertices: info.overflow_vertices, bones: info.overflow_bones, share: info.overflow_share,
          worstVertex: info.worst_vertex}};
    });
  }
  factors() {
    return this.#record(0, {bones: SLOT_BONES, weights: SLOT_WEIGHTS, alpha: ALPHA, beta: BETA,
      smoothWeight: SMOOTH_WEIGHT, gradient: GRADIENT});
  }
  vectors() {
    return this.#record(1, {bones: SLOT_BONES, weights: SLOT_WEIGHTS, alpha: ALPHA, beta: BETA, alongT: ALONG_T,
      alongB: ALONG_B});
  }
  centres() {
    const {memory} = this.library;
    return memory.scope(() => {
      const out = memory.output(3 * this.vertexCount);
      memory.call('centres_get', this.handle, memory.struct('output', out));
      return out.take();
    });
  }

  #pose(pose) {
    if (pose === undefined || pose === null) throw new InputError('', 'pose', 'is missing');
    return this.library.memory.struct('array', this.library.memory.reals(pose, 'pose', POSE * this.boneCount));
  }
  #morphs(weights) { return morphArray(this.library.memory, weights, this.morphCount); }
  #outputs(names, kind) {
    const {memory} = this.library;
    const outputs = Object.fromEntries(chosen(names).map((name) => [name, memory.output(3 * this.vertexCount, kind)]));
    return {outputs, take: () => Object.fromEntries(Object.entries(outputs).map(([name, out]) => [name, out.take()]))};
  }

  skin(pose, {outputs = ['positions', 'normals'], type = Float64Array, morphWeights, ...way} = {}) {
    requireReals(type);
    const {memory} = this.library;
    return memory.scope(() => {
      const wanted = this.#outputs(outputs, type);
      memory.call('skin', this.handle, this.#pose(pose),
        memory.struct('skin_options', wayStruct(this.library, way, this.#morphs(morphWeights))),
        memory.struct('skin_output', wanted.outputs));
      return wanted.take();
    });
  }

  batch({outputs = ['positions', 'normals'], morphWeights, ...way} = {}) {
    const {memory} = this.library;
    // What is computed: 1 positions, 2 normals too, 3 tangents, 0 all.
    const level = (Math.max(...chosen(outputs).map((name) => OUTPUTS.indexOf(name))) + 1) % OUTPUTS.length;
    return memory.scope(() => {
      const skin = memory.struct('skin_options', wayStruct(this.library, way, this.#morphs(morphWeights)));
      return new Batch(this.library, memory.handle('batch_create', this.handle,
        memory.struct('batch_options', {skin, outputs: level})), this.vertexCount, this.boneCount, [...outputs]);
    });
  }

  truth(pose, {method = 'lbs', morphWeights, type = Float64Array} = {}) {
    requireReals(type);
    const {memory} = this.library;
    return memory.scope(() => {
      const out = {positions: memory.output(3 * this.vertexCount, type),
        transported: memory.output(3 * this.vertexCount, type), recomputed: memory.output(3 * this.vertexCount, type),
        areas: memory.output(this.vertexCount, type)};
      memory.call('truth', this.handle, this.#pose(pose), this.library.names.number('method', method),
        memory.struct('truth_output', {...out, morph_weights: this.#morphs(morphWeights)}));
      return Object.fromEntries(Object.entries(out).map(([name, o]) => [name, o.take()]));
    });
  }

  // The ways of a method that `skinlight compare` measures by itself.
  #usualWays(method) {
    const {memory, names} = this.library, of = names.number('method', method);
    return memory.scope(() => Array.from({length: memory.module._skinlight_usual_way_count(of)}, (_, i) => {
      const {mode, guard} = memory.fill('skin_options', 'usual_way', of, i);
      return {method, mode: names.list('mode')[mode], guard: names.list('guard')[guard]};
    }));
  }
  compare(asked = null, {method = 'lbs', clip = null, frames = USUAL_FRAMES, truth = 'transported'} = {}) {
    const ways = asked ?? this.#usualWays(method);
    const {memory} = this.library, TRUTHS = ['transported', 'recomputed'];
    if (!TRUTHS.includes(truth)) throw new InputError('', 'truth', `'${truth}' is none of ${TRUTHS.join(', ')}`);
    integer('frames', frames, 1);
    if (!Array.isArray(ways) || ways.length === 0) throw new InputError('', 'ways', 'are none');
    const index = this.clipIndex(clip);
    return memory.scope(() => {
      const none = {data: 0, stride: 0, type: 0}, seconds = memory.output(frames), means = memory.output(ways.length * frames);
      const errors = memory.structs('errors', ways.map(() => ({})));
      memory.call('compare', this.handle, memory.struct('comparison', {clip: index, frames, way_count: ways.length,
        ways: memory.structs('skin_options', ways.map((way) => wayStruct(this.library, way, none))),
        truth: TRUTHS.indexOf(truth), errors, seconds, means}));
      const warnings = ways.map((way) => memory.fill('warning', 'way_warning', this.handle,
        memory.struct('skin_options', wayStruct(this.library, way, none)))).filter(({count}) => count > 0);
      const {size} = layout('errors'), all = means.take();
      return {seconds: seconds.take(), warnings, rows: ways.map((way, i) => ({
        way, errors: errorsOf(memory.read('errors', errors + i * size)), means: all.slice(i * frames, (i + 1) * frames)}))};
    });
  }
}

// A rig prepared for one way to skin in float.
export class Batch extends Handle {
  constructor(library, handle, vertexCount, boneCount, outputs) {
    super(library, handle, 'batch');
    Object.assign(this, {vertexCount, boneCount, outputs});
  }
  // Poses the mesh; `into` ({normals: Float32Array}) is filled and returned when it is given.
  skin(pose, into) {
    const {memory} = this.library;
    return memory.scope(() => {
      const names = into ? chosen(Object.keys(into)) : this.outputs;
      const out = Object.fromEntries(names.map((name) => [name, memory.output(3 * this.vertexCount, Float32Array)]));
      memory.call('batch_skin', this.handle,
        memory.struct('array', memory.reals(pose, 'pose', POSE * this.boneCount)), memory.struct('skin_output', out));
      if (!into) return Object.fromEntries(names.map((name) => [name, out[name].take()]));
      for (const name of names) {
        if (!(into[name] instanceof Float32Array) || into[name].length !== 3 * this.vertexCount)
          throw new InputError('', name, `is no Float32Array of ${3 * this.vertexCount} numbers`);
        into[name].set(new Float32Array(memory.buffer, out[name].data, 3 * this.vertexCount));
      }
      return into;
    });
  }
}

export const errorsOf = ({worst_vertex, ...errors}) => ({...errors, worstVertex: worst_vertex});
