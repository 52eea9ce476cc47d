// skinlight for browsers and node. load() gives the library; index.d.ts says what it has.
//
//   const skinlight = await load();
//   const rig = skinlight.read(bytes, 'hero.glb');
//   const posed = rig.skin(rig.pose('Run', 0.5), {mode: 'deform'});
import {InputError} from './errors.mjs';
import {inFolder} from './files.mjs';
import {Memory} from './memory.mjs';
import {Names, countOr0, integer} from './names.mjs';
import {errorsOf, morphArray, Rig} from './rig.mjs';
import {sampleFile} from './sample.mjs';
import createSkinlight from './skinlight.mjs';

export {InputError};

const SEVERITIES = ['note', 'warning', 'error'];
const KINDS = ['correct', 'approximation', 'mistake', 'unexplained'];
const LENGTHS = ['unit', 'constant', 'not normalised', 'unexplained'];
const NORMALS = 1, TANGENTS = 2;
const MOST_BONES = Math.floor((2 ** 31 - 1) / 16);  // that the interface takes
const SAMPLES = ['pill', 'skirt'];

async function wasmBinary(from) {
  if (from instanceof Uint8Array || from instanceof ArrayBuffer) return from;
  const url = new URL(from ?? 'skinlight.wasm', import.meta.url);
  if (url.protocol === 'file:' && typeof process !== 'undefined')
    return (await import(/* @vite-ignore */ 'node:fs')).readFileSync(url);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`skinlight: ${url}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

// wasm: where skinlight.wasm is, or its bytes; else beside this file.
export async function load({wasm} = {}) {
  const quiet = () => {};
  return new Skinlight(await createSkinlight({wasmBinary: await wasmBinary(wasm), print: quiet, printErr: quiet}));
}

// Members of rig_arrays.
function arraysOf(memory, {positions, faces, bones, weights, normals, tangents, uv, morphs, boneCount}) {
  for (const [what, given] of Object.entries({positions, faces, bones, weights}))
    if (given === undefined || given === null) throw new InputError('', what, 'are missing');
  const rows = (numbers, width, what) => {
    if (numbers.length % width !== 0) throw new InputError('', what, `has ${numbers.length} numbers, not ${width} a row`);
    return numbers.length / width;
  };
  const vertices = rows(positions, 3, 'positions');
  if (vertices === 0) throw new InputError('', 'positions', 'are none');
  if (bones.length % vertices !== 0)
    throw new InputError('', 'bones', `has ${bones.length} numbers, not the same number for ${vertices} vertices`);
  return {
    vertex_count: vertices, face_count: rows(faces, 3, 'faces'), influences: bones.length / vertices,
    bone_count: boneCount === undefined ? Math.min(bones.reduce((a, b) => Math.max(a, b), 0) + 1, MOST_BONES) : integer('boneCount', boneCount, 1),
    positions: memory.reals(positions, 'positions'), faces: memory.integers(faces, 'faces'),
    bones: memory.integers(bones, 'bones'), weights: memory.reals(weights, 'weights', bones.length),
    normals: memory.reals(normals, 'normals', 3 * vertices), tangents: memory.reals(tangents, 'tangents', 4 * vertices),
    uv: memory.reals(uv, 'uv', 2 * vertices), morphs: memory.reals(morphs, 'morphs'),
    morph_count: morphs ? rows(morphs, 3 * vertices, 'morphs') : 0};
}

export class Skinlight {
  constructor(module) {
    this.memory = new Memory(module);
    this.names = new Names(this.memory);
    this.version = this.memory.text(module._skinlight_version());
  }

  #rigOptions({influences, slots, averaging = 'usual', missingNormals = 'usual'}) {
    return this.memory.struct('rig_options', {influences: countOr0('influences', influences),
      slots: countOr0('slots', slots), averaging: this.names.number('averaging', averaging),
      missing_normals: this.names.number('missingNormals', missingNormals)});
  }
  #inFolder(bytes, name, beside, work) { return inFolder(this.memory.module.FS, bytes, name, beside, work); }

  read(bytes, name, {files, ...options} = {}) {
    return this.memory.scope(() => this.#inFolder(bytes, name, files, (path) => new Rig(this,
      this.memory.handle('rig_read', this.memory.string(path), this.#rigOptions(options)))));
  }
  create(arrays, options = {}) {
    return this.memory.scope(() => new Rig(this, this.memory.handle('rig_create',
      this.memory.struct('rig_arrays', arraysOf(this.memory, arrays)), this.#rigOptions(options))));
  }
  // A character made from formulas, 'pill' or 'skirt', as the bytes of a .glb with a clip.
  sample(name) {
    const {memory} = this, which = SAMPLES.indexOf(name);
    if (which < 0) throw new InputError('', 'sample', `'${name}' is none of ${SAMPLES.join(', ')}`);
    const rig = memory.scope(() => new Rig(this, memory.handle('sample', which)));
    try {
      return sampleFile(rig, name, (time) => memory.scope(() => {
        const out = memory.output(12 * rig.boneCount);
        memory.call('sample_pose', which, time, memory.struct('output', out));
        return out.take();
      }));
    } finally {
      rig.free();
    }
  }

  check(bytes, name, {files, influences, missingNormals = 'usual'} = {}) {
    const {memory} = this, {module} = memory;
    return memory.scope(() => this.#inFolder(bytes, name, files, (path) => {
      const health = memory.handle('check', memory.string(path),
        memory.struct('check_options', {influences: countOr0('influences', influences),
          missing_normals: this.names.number('missingNormals', missingNormals)}));
      try {
        return Array.from({length: module._skinlight_health_count(health)}, (_, i) => {
          const finding = memory.fill('finding', 'health_get', health, i);
          return {...finding, severity: SEVERITIES[finding.severity]};
        });
      } finally {
        module._skinlight_health_free(health);
      }
    }));
  }

  bake(bytes, name, {files, normals = 'deform', layout = 'attributes', format = 'f32', influences, averaging = 'usual',
    missingNormals = 'usual', method, out = 'baked.glb'} = {}) {
    const {memory} = this;
    return memory.scope(() => this.#inFolder(bytes, name, files, (from, target) => {
      const at = memory.struct('bake_report'), {path, files: written} = target(out);
      memory.call('bake', memory.string(from), memory.string(path), memory.struct('bake_options', {
        record: this.names.number('record', normals), layout: this.names.number('layout', layout),
        format: this.names.number('format', format), averaging: this.names.number('averaging', averaging),
        missing_normals: this.names.number('missingNormals', missingNormals),
        method: method ? this.names.number('method', method) : 0,
        influences: countOr0('influences', influences)}), at);
      const r = memory.read('bake_report', at);
      return {files: written(), report: {unchanged: r.unchanged === 1, vertexCount: r.vertex_count,
        weldedCount: r.welded_count, primitiveCount: r.primitive_count, slots: r.slots, attributes: r.attributes,
        bytes: r.bytes, overflowVertices: r.overflow_vertices}};
    }));
  }

  angularErrors(directions, truth, weights) {
    const {memory} = this, count = directions.length / 3;
    return memory.scope(() => {
      const given = (numbers, what, length) => memory.struct('array', memory.reals(numbers, what, length));
      return errorsOf(memory.fill('errors', 'angular_errors', count, given(directions, 'directions', 3 * Math.floor(count)),
        given(truth, 'truth', directions.length), given(weights, 'weights', count)));
    });
  }

  judge({pose, normals, tangents, posedPositions, restNormals, restTangents, morphWeights, method = 'lbs', influences, slots,
    tolerance, ...rig}) {
    const {memory} = this, {module} = memory;
    return memory.scope(() => {
      if (!pose || pose.length % 12 !== 0) throw new InputError('', 'pose', pose ? 'is not 12 numbers a bone' : 'is missing');
      if (!normals) throw new InputError('', 'normals', 'are missing');
      const arrays = arraysOf(memory, {boneCount: pose.length / 12, ...rig, normals: restNormals, tangents: restTangents});
      const report = memory.handle('judge', memory.struct('judge_input', {
        rig: memory.struct('rig_arrays', arrays), pose: memory.reals(pose, 'pose'),
        posed_positions: memory.reals(posedPositions, 'posedPositions', 3 * arrays.vertex_count),
        normals: memory.reals(normals, 'normals', 3 * arrays.vertex_count),
        tangents: memory.reals(tangents, 'tangents', 4 * arrays.vertex_count),
        method: this.names.number('method', method), tolerance: tolerance ?? 0,
        slots: countOr0('slots', slots),
        morph_weights: morphArray(memory, morphWeights, arrays.morph_count),
        influences: countOr0('influences', influences)}));
      try {
        return {text: memory.text(module._skinlight_report_text(report)), normals: this.#judged(report, NORMALS),
          tangents: tangents ? this.#judged(report, TANGENTS) : null};
      } finally {
        module._skinlight_report_free(report);
      }
    });
  }
  #judged(report, subject) {
    const {memory} = this;
    const errors = (truth) => errorsOf(memory.fill('errors', 'report_errors', report, subject, truth));
    const fits = Array.from({length: memory.module._skinlight_report_fit_count(report, subject)}, (_, i) => {
      const fit = memory.fill('fit', 'report_fit', report, subject, i);
      return {...fit, kind: KINDS[fit.kind], same: fit.same === 1};
    });
    const v = memory.fill('verdict', 'report_verdict', report, subject);
    return {errors: errors(0), recomputed: subject === NORMALS ? errors(1) : null, kind: KINDS[v.kind],
      clear: v.clear === 1, fit: fits[v.fit], next: v.next, undecided: v.undecided === 1, lengths: LENGTHS[v.lengths],
      minLength: v.min_length, maxLength: v.max_length, wrongSigns: v.wrong_signs, fits};
  }
}
