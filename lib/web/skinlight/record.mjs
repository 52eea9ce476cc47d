// What the shaders of engines share: the record of a baked mesh, whether it still fits, and the call of the library's own
// kernels, shaders/kernels/.
export const INFLUENCES = 4;
const RECORD_VERSION = 2;

const slots = Array.from({length: INFLUENCES - 1}, (_, i) => i + 1);
// Per method of the record its attributes in the file, and the kernel, with $ where guards want its terms.
export const RECORDS = {
  'deform-factors': {attributes: ['_DEFORM_ALPHA_0', '_DEFORM_BETA_0'], call: 'lbs_deform$(skinlight_x, skinlight_f, skinlight_rest)'},
  smoothed: {attributes: ['_DEFORM_ALPHA_0', '_DEFORM_BETA_0', '_DEFORM_SMOOTH_0'],
    call: 'lbs_smoothed$(skinlight_x, skinlight_f, skinlight_mean, skinlight_rest)'},
  'deform-vectors': {attributes: slots.flatMap((s) => [`_DEFORM_TAU_T_${s}`, `_DEFORM_TAU_B_${s}`]),
    call: 'lbs_deform_vectors$(skinlight_x, skinlight_tau, skinlight_rest)'}};
export const GUARDS = {
  none: (call) => call.replace('$', ''),
  joint: (call) => `joined(guard_joint(${call.replace('$', '_terms')}, 0.9))`,
  'test-then-fix': (call) => `joined(guard_test_then_fix(${call.replace('$', '_terms')}, 1e30, 0.1))`};

export function requireGuard(guard) {
  if (!GUARDS[guard]) throw new TypeError(`skinlight: guard '${guard}' is none of ${Object.keys(GUARDS).join(', ')}`);
}

// The number formats, as they are stored; what was f32 may have been made an integer that the GPU reads as nearly the same number.
const TYPES = {f32: 'Float32Array', f16: 'Uint16Array', snorm16: 'Int16Array', snorm8: 'Int8Array'};
export const FORMATS = Object.keys(TYPES);
function stored({type, normalized}, format) {
  if (format === 'f32') return type === 'Float32Array' || normalized;
  return type === TYPES[format] && normalized === (format !== 'f16');
}

const MOST_ATTRIBUTES = 16;  // every GPU has these, many no more
// Of the means of fit.frame. Normals in 8 bits move them by .003, the tools that leave a bake alone by .001 at most; a quarter
// turn of the pill, which looks nearly the same from all sides, by .007, of a character by .2 and more.
const FRAMES_APART = 5e-3;
const UNITS_APART = 1e-3;  // quantised to the 14 bits that tools take, an extent is 1e-4 off

// Of the vertices that the index names, or of all.
function extentOf({count, at}, index) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const vertex = (v) => {
    for (let axis = 0; axis < 3; ++axis) {
      const x = at(v, axis);
      if (x < low[axis]) low[axis] = x;
      if (x > high[axis]) high[axis] = x;
    }
  };
  if (index) for (const v of index) vertex(v);
  else for (let v = 0; v < count; ++v) vertex(v);
  return Math.max(...high.map((x, axis) => x - low[axis]));
}

// The extent then is that of the vertices which triangles use; without extent_of it may be one from before that, of all.
function unitOf({extent, extent_of}, positions, index) {
  const unit = extent / extentOf(positions, index);
  return extent_of === 'triangles' || Math.abs(unit - 1) < UNITS_APART ? unit : extent / extentOf(positions, null);
}

// Over all corners, as bake.h says it: the sum of joints, and the mean of normal and tangent.
function cornerSumsOf({JOINTS_0: joints, NORMAL: normal, TANGENT: tangent}, index) {
  const frame = [0, 0, 0, 0, 0, 0], n = [0, 0, 0], t = [0, 0, 0];
  let sum = 0, weights = 0;
  const unit = (v) => {
    const length = Math.hypot(...v) || 1;
    for (let c = 0; c < 3; ++c) v[c] /= length;
  };
  const corner = (v) => {
    let own = 0;
    for (let s = 0; s < INFLUENCES; ++s) own += (s + 1) * joints.at(v, s);
    for (let c = 0; c < 3; ++c) {
      n[c] = normal.at(v, c);
      t[c] = tangent.at(v, c);
    }
    unit(n);
    const along = n[0] * t[0] + n[1] * t[1] + n[2] * t[2];
    for (let c = 0; c < 3; ++c) t[c] -= along * n[c];
    unit(t);
    sum += own;
    weights += 1 + own;
    for (let c = 0; c < 3; ++c) {
      frame[c] += (1 + own) * n[c];
      frame[3 + c] += (1 + own) * t[c];
    }
  };
  if (index) for (const v of index) corner(v);
  else for (let v = 0; v < joints.count; ++v) corner(v);
  return {joint_sum: sum, frame: frame.map((x) => x / weights)};
}

// How a mesh is to be drawn: {reason} why it cannot, or {unit}, the factor of its alpha and beta. Tools that edit a baked
// file leave their traces: what normals need is gone, or no longer fits.
//   mark, fit   extras.skinlight of the mesh and of its primitive
//   attribute   (name in the file) => {type, normalized, count, at(vertex, component)} or undefined
//   index       of the corners, or null
//   attributeCount  of the geometry
//   engine      in whose name it is refused
export function fitting({mark, fit, attribute, index, attributeCount, engine}) {
  const no = (reason) => ({reason});
  if (!mark) return no('is not baked');
  if (mark.frames) return no(`holds deform frames, for ${mark.skinning}; ${engine} blends matrices: bake deform-vectors`);
  if (mark.record !== RECORD_VERSION || !RECORDS[mark.method] || !FORMATS.includes(mark.format)) return no('was baked by another version of skinlight');
  if (mark.layout !== 'attributes') return no(`has its record in the layout ${mark.layout}; bake it with attributes`);
  if (mark.influences !== INFLUENCES) return no(`has ${mark.influences} influences per vertex, of which ${engine} poses ${INFLUENCES}; bake it with ${INFLUENCES}`);
  const own = {};
  for (const [name, what] of Object.entries({POSITION: 'positions', NORMAL: 'normals', TANGENT: 'tangents', JOINTS_0: 'joints', WEIGHTS_0: 'weights'})) {
    own[name] = attribute(name);
    if (!own[name]) return no(`has lost its ${what}`);
  }
  for (const name of RECORDS[mark.method].attributes) {
    const found = attribute(name);
    if (!found) return no(`has lost ${name}`);
    if (!stored(found, mark.format)) return no(`was quantised after baking: ${name} is no longer ${mark.format}`);
  }
  if (attributeCount > MOST_ATTRIBUTES) return no(`has ${attributeCount} vertex attributes, of which shaders have ${MOST_ATTRIBUTES}`);
  if (!Number.isFinite(mark.scale)) return no('has lost the scale of its record');
  const unit = fit ? unitOf(fit, own.POSITION, index) : 1, now = fit && cornerSumsOf(own, index);
  if (!fit) {  // baked before primitives told
    if (['POSITION', 'NORMAL', 'TANGENT', 'WEIGHTS_0'].some((name) => own[name].type !== 'Float32Array')) return no('was quantised after baking, and has lost its extent');
  } else if (now.joint_sum !== fit.joint_sum) {
    return no('had joints taken away or sorted after baking: its record is that of others');
  } else if (fit.frame && !now.frame.every((x, i) => Math.abs(x - fit.frame[i]) <= FRAMES_APART)) {  // older bakes have none
    return no('was turned after baking, or has other normals or tangents: its record is that of those before');
  } else if (!Number.isFinite(unit) || !(unit > 0)) {
    return no('has lost its extent');
  }
  return {unit: Math.abs(unit - 1) < UNITS_APART && own.POSITION.type === 'Float32Array' ? 1 : unit};
}

// The scales of a record, of alpha and beta, of smooth weights, of vectors: the uniform skinlight_scale.
export const scalesOf = (mark, unit) => [mark.scale * unit, mark.weight_scale ?? 1, mark.vector_scale ?? 1];

// GLSL ES 3.00: how a stored number is read.
export const storedIn = (format) => format === 'f16'
  ? 'vec4 skinlight_stored(vec4 bits) { return vec4(unpackHalf2x16(uint(bits.x)).x, unpackHalf2x16(uint(bits.y)).x, unpackHalf2x16(uint(bits.z)).x, unpackHalf2x16(uint(bits.w)).x); }'
  : 'vec4 skinlight_stored(vec4 number) { return number; }';

// GLSL: the frame that a record belongs to, of stored vectors that need not be unit or perpendicular.
export const frame = (normal, tangent) => `skinlight_rest.n = normalize(${normal});
  skinlight_rest.t = normalize(${tangent}.xyz - skinlight_rest.n * dot(skinlight_rest.n, ${tangent}.xyz));
  skinlight_rest.b = cross(skinlight_rest.n, skinlight_rest.t) * ${tangent}.w;`;

// GLSL: from skinlight_x (Influences), skinlight_rest (RestVertex), `tangent_w` and the attributes, as named by `name`, to
// skinlight_v (PosedVertex).
export function posed({method}, guard, tangent_w, name = (attribute) => attribute.toLowerCase()) {
  const read = (attribute) => `skinlight_stored(${name(attribute)})`;
  const fill = method === 'deform-vectors'
    ? `DeformVectors skinlight_tau;
${slots.map((s) => ['t', 'b'].map((d) => `  vec4 skinlight_${d}${s} = ${read(`_DEFORM_TAU_${d.toUpperCase()}_${s}`)};
  skinlight_tau.${d}[${s}] = skinlight_${d}${s}.xyz * skinlight_scale.z;
  skinlight_tau.${d === 't' ? 'alpha' : 'beta'}[${s}] = skinlight_${d}${s}.w * skinlight_scale.x;`).join('\n')).join('\n')}`
    : `DeformFactors skinlight_f;
  vec4 skinlight_alpha = skinlight_scale.x * ${read('_DEFORM_ALPHA_0')};
  vec4 skinlight_beta = skinlight_scale.x * ${read('_DEFORM_BETA_0')};
  for (int s = 0; s < ${INFLUENCES}; ++s) {
    skinlight_f.alpha[s] = skinlight_alpha[s];
    skinlight_f.beta[s] = skinlight_beta[s];
  }
  ${method === 'smoothed' ? `SmoothWeights skinlight_mean;
  vec4 skinlight_smooth = skinlight_scale.y * ${read('_DEFORM_SMOOTH_0')};
  for (int s = 0; s < ${INFLUENCES}; ++s) skinlight_mean.w[s] = skinlight_smooth[s];` : ''}`;
  return `${fill}
  float skinlight_mirror = determinant(mat3(skinlight_x.M[0])) < 0.0 ? -1.0 : 1.0;
  PosedVertex skinlight_v = finish(${GUARDS[guard](RECORDS[method].call)}, skinlight_rest, skinlight_mirror * ${tangent_w});`;
}
