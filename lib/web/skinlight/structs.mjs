// The structs of skinlight.h in the memory of the module: where a member lies, and how it is read and written.
// tests/structs.test.mjs holds this table against the header.

// Members in their order. p: pointer, z: size_t, i: int32, d: double, u: uint64, s: string, or the name of a struct.
export const MEMBERS = {
  array: {data: 'p', stride: 'z', type: 'i'},
  output: {data: 'p', stride: 'z', type: 'i'},
  rig_arrays: {struct_size: 'z', vertex_count: 'z', face_count: 'z', bone_count: 'z', influences: 'z',
    positions: 'array', faces: 'array', bones: 'array', weights: 'array', normals: 'array', tangents: 'array',
    uv: 'array', morph_count: 'z', morphs: 'array'},
  rig_options: {struct_size: 'z', influences: 'i', slots: 'i', averaging: 'i', threads: 'i', missing_normals: 'i'},
  rig_info: {struct_size: 'z', vertex_count: 'z', face_count: 'z', bone_count: 'z', influences: 'z',
    welded_count: 'z', clip_count: 'z', morph_count: 'z', warning_count: 'z'},
  clip_info: {struct_size: 'z', name: 's', duration: 'd'},
  bone_info: {struct_size: 'z', name: 's', parent: 'i'},
  morph_info: {struct_size: 'z', name: 's', weight: 'd', vertex_count: 'z'},
  warning: {struct_size: 'z', element: 's', reason: 's', count: 'z'},
  record_info: {struct_size: 'z', slots: 'z', overflow_vertices: 'z', overflow_bones: 'z', overflow_share: 'd',
    worst_vertex: 'u', flat_vertices: 'z'},
  skin_options: {struct_size: 'z', method: 'i', mode: 'i', guard: 'i', own_guard: 'i', guard_c: 'd', guard_k: 'd',
    morph_weights: 'array'},
  skin_output: {struct_size: 'z', positions: 'output', tangents: 'output', bitangents: 'output', normals: 'output'},
  batch_options: {struct_size: 'z', skin: 'p', outputs: 'i', threads: 'i'},
  truth_output: {struct_size: 'z', positions: 'output', transported: 'output', recomputed: 'output', areas: 'output',
    morph_weights: 'array'},
  errors: {struct_size: 'z', mean: 'd', rms: 'd', p95: 'd', p99: 'd', max: 'd', worst_vertex: 'u', flips: 'u'},
  comparison: {struct_size: 'z', clip: 'z', frames: 'z', way_count: 'z', ways: 'p', truth: 'i', errors: 'p',
    seconds: 'output', means: 'output', max_seconds: 'output'},
  check_options: {struct_size: 'z', influences: 'i', threads: 'i', missing_normals: 'i'},
  finding: {struct_size: 'z', kind: 's', part: 's', name: 's', says: 's', detail: 's', advice: 's', unit: 's',
    severity: 'i', index: 'i', count: 'z', of: 'z', size: 'd'},
  judge_input: {struct_size: 'z', rig: 'p', pose: 'array', posed_positions: 'array', normals: 'array',
    tangents: 'array', method: 'i', threads: 'i', tolerance: 'd', slots: 'i', morph_weights: 'array',
    influences: 'i'},
  fit: {struct_size: 'z', id: 's', what: 's', advice: 's', kind: 'i', same: 'i', mean: 'd', p95: 'd', max: 'd',
    share: 'd'},
  verdict: {struct_size: 'z', kind: 'i', clear: 'i', fit: 'u', next: 'd', undecided: 'i', lengths: 'i',
    min_length: 'd', max_length: 'd', wrong_signs: 'u'},
  bake_options: {struct_size: 'z', record: 'i', layout: 'i', format: 'i', influences: 'i', averaging: 'i', force: 'i',
    threads: 'i', missing_normals: 'i', method: 'i'},
  bake_report: {struct_size: 'z', unchanged: 'i', vertex_count: 'z', welded_count: 'z', primitive_count: 'z',
    slots: 'z', attributes: 'z', bytes: 'z', overflow_vertices: 'z'},
};

// SKINLIGHT_USUAL_FRAMES: of a clip, compared where nobody says how many.
export const USUAL_FRAMES = 24;

const SIZES = {p: 4, z: 4, i: 4, s: 4, d: 8, u: 8};

// {size, align, offsets} of a struct, as C lays it out where pointers have 4 bytes.
export function layout(name) {
  if (layouts.has(name)) return layouts.get(name);
  const offsets = {};
  let end = 0, align = 1;
  for (const [member, type] of Object.entries(MEMBERS[name])) {
    const own = SIZES[type] ? {size: SIZES[type], align: SIZES[type]} : layout(type);
    end = Math.ceil(end / own.align) * own.align;
    offsets[member] = end;
    end += own.size;
    align = Math.max(align, own.align);
  }
  const made = {size: Math.ceil(end / align) * align, align, offsets};
  layouts.set(name, made);
  return made;
}
const layouts = new Map();

// Writes `values` (members that are left out stay 0) at `at`; the size that the struct begins with too.
export function writeStruct(memory, name, at, values) {
  const view = new DataView(memory.buffer), {size, offsets} = layout(name);
  new Uint8Array(memory.buffer, at, size).fill(0);
  for (const [member, type] of Object.entries(MEMBERS[name])) {
    const value = member === 'struct_size' ? size : values[member], to = at + offsets[member];
    if (value === undefined) continue;
    if (type === 'd') view.setFloat64(to, value, true);
    else if (type === 'u') view.setBigUint64(to, BigInt(value), true);
    else if (type === 'i') view.setInt32(to, value, true);
    else if (SIZES[type]) view.setUint32(to, value, true);
    else writeStruct(memory, type, to, value);
  }
}

// The members of a struct but its size, strings read with text(pointer).
export function readStruct(memory, name, at, text) {
  const view = new DataView(memory.buffer), {offsets} = layout(name), values = {};
  for (const [member, type] of Object.entries(MEMBERS[name])) {
    if (member === 'struct_size') continue;
    const from = at + offsets[member];
    values[member] = type === 'd' ? view.getFloat64(from, true)
      : type === 'u' ? Number(view.getBigUint64(from, true))
      : type === 'i' ? view.getInt32(from, true)
      : type === 's' ? text(view.getUint32(from, true))
      : view.getUint32(from, true);
  }
  return values;
}
