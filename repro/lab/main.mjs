// The lab: a character, its normals and how wrong they are.
import {named} from 'skinlight/files';
import {Chart} from './chart.mjs';
import {costs} from './costs.mjs';
import {chosen as chosenFiles, dropped} from './drop.mjs';
import {folded} from './findings.mjs';
import {heatBytes} from './heat.mjs';
import {missing, Own} from './own.mjs';
import {vertexShader} from './program.mjs';
import {asked as askedModel, fetched, narrow, Unreachable} from './remote.mjs';
import {Broken, Refused, Service} from './service.mjs';
import {read as readState, written} from './state.mjs';
import {SIDES, View} from './view.mjs';
import {zipped} from './zip.mjs';

const element = Object.fromEntries([...document.querySelectorAll('[id]')].map((e) => [e.id, e]));
const LABELS = {standard: 'standard normals', deform: 'deform factors', 'deform-vectors': 'deform vectors',
  'deform-frames': 'deform frames', smoothed: 'smoothed deform factors'};
const label = (mode) => LABELS[mode] ?? `${mode} normals`;
const degrees = (x) => `${x < 0.095 ? x.toFixed(2) : x < 9.95 ? x.toFixed(1) : x.toFixed(0)}°`;
const STEP = 1 / 30;  // seconds of a single frame
const SAMPLES = ['pill', 'skirt'];

let view = null, known, model = null, comparison = null, findings = null, playing = false, time = 0, shown = null;
let opening = 0, asked = 0;  // numbers of the newest questions: answers to older ones are not shown
let wanted = readState(location.hash);
let remote = null;  // the model of ?model=
try {
  remote = askedModel();
} catch (e) {
  wanted.unreachable = e.message;
}
narrow(remote);

const service = new Service((reason) => {
  tell(`The computation broke off (${reason}). It was started again; open the file once more, or another one.`);
  model = null;
  setPlaying(false);
});

let standing = '';  // what is to be read whatever else is told
function tell(text, note = false) {
  element.message.textContent = [standing, text].filter(Boolean).join('\n');
  element.message.className = note ? 'note' : '';
  element.message.hidden = element.message.textContent === '';
  // Files can be dropped far below.
  if (text && !note) element.message.scrollIntoView({block: 'nearest'});
}

// ---- State ----

const short = (digest) => digest.slice(0, 12);  // enough to tell a person's files apart
const settings = () => ({clip: model?.clips[element.clip.value]?.name, method: element.method.value, mode: element.mode.value,
  guard: element.guard.value, views: element.views.value, look: element.look.value, wipe: (+element.wipe.value).toFixed(3),
  t: time.toFixed(3), bone: element.look.value === 'weights' ? model?.skeleton[element.bone.value]?.name : undefined,
  skeleton: element.skeleton.checked ? 1 : undefined});
function remember() {
  if (!model) return;
  const source = model.sample ? {model: model.sample} : {model: model.remote ? 'address' : 'file', name: model.name, digest: short(model.digest)};
  history.replaceState(null, '', written({...source, ...settings()}));
}
let remembering;
function rememberSoon() {
  clearTimeout(remembering);
  remembering = setTimeout(remember, 200);
}

function choose(select, value) {
  if (value !== undefined && [...select.options].some((option) => option.value === value)) select.value = value;
}
function fill(select, rows) {
  const before = select.value;
  select.replaceChildren(...rows.map(([value, text]) => new Option(text, value)));
  choose(select, before);
}
function fillModes() {
  fill(element.mode, known.modes[element.method.value].filter((mode) => mode !== 'standard').map((mode) => [mode, label(mode)]));
}

// ---- The picture ----

// The guard that is chosen, where guards act.
const guard = () => known.guarded[element.method.value].includes(element.mode.value) ? element.guard.value : 'none';

async function refresh() {
  if (!model) return;
  const mine = ++asked;
  try {
    const answer = await service.ask('frame', {clip: clip(), seconds: time, method: element.method.value,
      mode: element.mode.value, guard: guard(), standard: 'standard'});
    if (!model) return;
    shown = answer;
    if (view) {
      view.uniforms.most.value = scaleEnd();
      if (element.skeleton.checked && model.own) view.showBones(model.own.bones(clip(), time));
      view.show(answer);
    }
    const [standard, ours] = answer.stats;
    element.errors.textContent = `At this moment: standard ${degrees(standard.mean)} off on average and ${degrees(standard.max)} at worst; ` +
      `${label(element.mode.value)} ${degrees(ours.mean)} and ${degrees(ours.max)}.`;
  } catch (e) {
    report(e);
  }
  if (mine !== asked) return;
  rememberSoon();
}

const clip = () => element.clip.value === '' ? null : +element.clip.value;
const duration = () => model?.clips[element.clip.value]?.duration ?? 0;
// The end of the scale of errors: a round number that the 95th percentile of the clip reaches.
function most() {
  const p95 = comparison?.rows[0].errors.p95 ?? 10;
  return [1, 2, 5, 10, 20, 45, 90].find((limit) => limit >= p95) ?? 180;
}

// What 1 is painted as: weights and sides are their own scale.
const scaleEnd = () => element.look.value === 'error' ? most() : 1;

// Of each vertex what is looked at in the place of errors, 0 to 1, or null.
function scalars() {
  if (!model) return null;
  const {vertexCount, influences, bones, weights, tangents} = model, look = element.look.value;
  if (look === 'weights') {
    const bone = +element.bone.value;
    return Float32Array.from({length: vertexCount}, (_, v) => {
      let sum = 0;
      for (let i = v * influences; i < (v + 1) * influences; ++i) if (bones[i] === bone) sum += weights[i];
      return sum;
    });
  }
  return look === 'side' ? Float32Array.from({length: vertexCount}, (_, v) => tangents[4 * v + 3] < 0 ? 0.1 : 0.9) : null;
}

function showPrice() {
  const method = element.method.value, mode = element.mode.value, ours = costs[`${method} ${mode}`], standard = costs[`${method} standard`];
  if (!ours || !standard) {
    element.price.textContent = '';
    return;
  }
  element.price.textContent = `Per vertex of 4 bones: ${ours.operations} operations, where standard normals take ${standard.operations}` +
    `${guard() === 'none' ? '' : ', before the guard'}; ${ours.baked ? `${ours.bytes[element.format.value]} bytes more in ${element.format.value}` : 'no baked file holds what they need'}.`;
}

function showNames() {
  if (!view) return;
  const names = {standard: 'standard', chosen: label(element.mode.value), truth: 'truth'};
  element.names.replaceChildren(...view.panes().map(({side, from, to}, i, all) => {
    const name = document.createElement('span');
    name.className = SIDES[side];
    name.textContent = names[SIDES[side]];
    const right = all.length === 2 && i === 1;
    name.style[right ? 'right' : 'left'] = right ? '8px' : `calc(${100 * from}% + 8px)`;
    return name;
  }));
  const ends = {error: ['0°', `${most()}°`], weights: ['0', '1'], side: ['w = −1', 'w = 1']}[element.look.value];
  element.scale.hidden = ends === undefined;
  [element.scale.firstElementChild.textContent, element.scale.lastElementChild.textContent] = ends ?? ['', ''];
}

function arrange() {
  element.wipe.hidden = element.views.value === 'side';
  element.bones.hidden = element.look.value !== 'weights';
  showPrice();
  if (!view) return;
  Object.assign(view, {views: element.views.value, look: element.look.value, wipe: +element.wipe.value});
  view.uniforms.most.value = scaleEnd();
  view.paint(scalars());
  view.showBones(element.skeleton.checked && model?.own ? model.own.bones(clip(), time) : null);
  showNames();
  view.draw();
  rememberSoon();
}

function seek(seconds) {
  time = Math.min(Math.max(seconds, 0), duration());
  element.time.value = duration() > 0 ? time / duration() : 0;
  element.clock.textContent = `${time.toFixed(2)} s`;
  chart.at(time);
  return refresh();
}

// ---- Errors over time, verdict ----

const ways = () => {
  const method = element.method.value;
  return [{method, mode: 'standard'}, {method, mode: element.mode.value, guard: guard()}];
};

async function measure() {
  if (!model) return;
  const mine = opening, at = clip();
  try {
    const answer = await service.ask('compare', {clip: at, ways: ways()});
    if (mine !== opening || at !== clip()) return;
    comparison = answer;
  } catch (e) {
    report(e);
    return;
  }
  const [standard, ours] = comparison.rows;
  chart.show(comparison.seconds, [{label: 'standard', variable: '--standard', means: standard.means},
    {label: label(element.mode.value), variable: '--chosen', means: ours.means}]);
  chart.at(time);
  showVerdict();
  arrange();
}

function showVerdict() {
  const [standard, ours] = comparison.rows.map(({errors}) => errors), where = model.clips[element.clip.value]?.name;
  const over = where === undefined ? 'In its own pose' : `In “${where}”`, times = standard.mean / ours.mean;
  const how = times > 1000 ? 'as near to the truth as numbers are'
    : times >= 1.5 ? `${times < 9.5 ? times.toFixed(1) : times.toFixed(0)} times nearer to the truth`
    : times > 1.05 ? 'somewhat nearer to the truth' : 'no nearer to the truth';
  const errors = findings?.filter(({severity}) => severity === 'error').length ?? 0;
  element.verdict.textContent = (standard.mean < 0.1
    ? `${over}, the standard normals of ${model.name} are right: ${degrees(standard.mean)} off on average.`
    : `${over}, the standard normals of ${model.name} are ${degrees(standard.mean)} off on average and ${degrees(standard.max)} at worst; ` +
      `${label(element.mode.value)} are ${degrees(ours.mean)} off, ${how}.`) +
    (errors > 0 ? ` Its rig has ${errors === 1 ? 'a mistake' : `${errors} kinds of mistakes`}: see below.` : '');
}

// ---- Findings ----

function showFindings() {
  if (findings.length === 0) element.findings.textContent = 'Nothing: the rig is healthy.';
  else element.findings.replaceChildren(...folded(findings, view && ((vertex) => view.mark(vertex))));
}

// ---- Opening ----

function report(e) {
  if (e instanceof Broken) return;  // told already
  if (!(e instanceof Refused || e instanceof Unreachable)) console.error(e);
  tell(e.message);
}

const MOST_NOTES = 6;
const shortened = (notes) => notes.length <= MOST_NOTES ? notes : [...notes.slice(0, MOST_NOTES), `and ${notes.length - MOST_NOTES} more`];

// What three's loader has of it; without that there are no textures and no skeleton, and a note says so.
async function ownOf(source, {content}, notes) {
  try {
    const own = await Own.load({bytes: content, files: source.files});
    notes.push(...own.missing.map((name) => `${name} is missing: drawn without it`));
    return own;
  } catch (e) {
    notes.push(`textures and skeleton cannot be shown: ${e.message}`);
    return null;
  }
}

async function open(source) {
  const mine = ++opening;
  setPlaying(false);
  tell('');
  if (!model) element.verdict.textContent = `Reading ${source.name} …`;
  let opened;
  try {
    opened = await service.ask('open', source);
  } catch (e) {
    if (mine !== opening) return;
    if (!model) element.verdict.textContent = 'Nothing is open.';
    report(e);
    if (e instanceof Refused && /\.gltf$/i.test(source.name) && missing(source.bytes, named(source.files), 'buffers').length > 0)
      tell(`${e.message}\nA .gltf needs the files that it names: drop its folder, or all files together.`);
    return;
  }
  if (mine !== opening) return;
  const again = wanted.model !== undefined && (['file', 'address'].includes(wanted.model) ? wanted.digest === short(opened.digest) : wanted.model === source.sample);
  const notes = opened.warnings.map(({element: where, reason, count}) => `${where}: ${reason}${count > 1 ? ` (${count})` : ''}`);
  opened.own = view ? await ownOf(source, opened, notes) : null;
  if (mine !== opening) return;
  const same = model?.name === opened.name, before = again ? {...wanted} : same ? {...settings(), t: String(time)} : {};
  wanted = {};
  model = {...opened, sample: source.sample, remote: source.remote, source};
  comparison = findings = null;
  element.findings.textContent = '';
  document.title = `${model.name}: skinlight lab`;
  fill(element.clip, model.clips.length === 0 ? [['', 'the file’s own pose']] : model.clips.map(({name}, i) => [String(i), name || `clip ${i}`]));
  const clipBefore = model.clips.findIndex(({name}) => name === before.clip);
  element.clip.value = model.clips.length === 0 ? '' : String(Math.max(clipBefore, 0));
  choose(element.method, before.method);
  fillModes();
  choose(element.mode, before.mode);
  if (before.mode === undefined) choose(element.mode, 'deform-vectors');
  for (const [select, value] of [[element.guard, before.guard], [element.views, before.views], [element.look, before.look]]) choose(select, value);
  if (before.wipe !== undefined) element.wipe.value = before.wipe;
  fill(element.bone, model.skeleton.map(({name}, i) => [String(i), name || `bone ${i}`]));
  const bone = model.skeleton.findIndex(({name}) => name === before.bone);
  element.bone.value = String(Math.max(bone, 0));
  if (before.t !== undefined) element.skeleton.checked = before.skeleton !== undefined;
  // A newer export is seen from where the older one was.
  const sameView = same && view?.framed && before.t !== undefined;
  const parts = model.own?.parts(model.rest) ?? null;
  if (view && model.own && !parts && model.own.meshes.length > 0) notes.push('its own textures cannot be shown: its parts are not found again');
  view?.open(model.vertexCount, model.faces, parts);
  if (sameView) view.framed = true;
  const own = [...element.look.options].find(({value}) => value === 'own');
  own.disabled = !parts;
  if (!parts && element.look.value === 'own') element.look.value = 'shaded';
  for (const control of [element.play, element.time]) control.disabled = duration() === 0;
  if (notes.length > 0) tell(shortened(notes).join('\n'), true);
  arrange();
  await seek(+(before.t ?? 0) || 0);
  element.verdict.textContent = `Measuring ${model.name} …`;
  await measure();
  if (mine !== opening) return;
  if (before.t === undefined && comparison) {
    await worstFrame();
    view?.frameAll();
    view?.draw();
  }
  try {
    const answer = await service.ask('check');
    if (mine !== opening) return;
    findings = answer.findings;
    showFindings();
    if (comparison) showVerdict();
  } catch (e) {
    report(e);
  }
}

async function worstFrame() {
  if (!comparison) return;
  const {means} = comparison.rows[0];
  // NaN: a frame without area.
  const worst = means.reduce((best, mean, frame) => (mean > means[best] || Number.isNaN(means[best]) ? frame : best), 0);
  await seek(comparison.seconds[worst]);
}

async function openRemote() {
  element.verdict.textContent = `Fetching ${remote.href} …`;
  try {
    await open({...await fetched(remote), remote: true});
  } catch (e) {
    element.verdict.textContent = 'Nothing is open.';
    report(e);
  }
}
const openSample = (name) => open({sample: name, name: `${name}.glb`});
async function openFiles(files) {
  try {
    const source = await files;
    if (source) await open(source);
  } catch (e) {
    report(e);
  }
}

// ---- Playing ----

let previous = null, drawing = false;
function setPlaying(on) {
  playing = on && duration() > 0;
  element.play.textContent = playing ? '❚❚' : '▶';
  previous = null;
  if (playing) requestAnimationFrame(tick);
}
function tick(now) {
  if (!playing) return;
  requestAnimationFrame(tick);
  if (drawing) return;
  drawing = true;
  const passed = previous === null ? 0 : (now - previous) / 1000;
  previous = now;
  seek((time + passed) % duration()).finally(() => { drawing = false; });
}

// ---- Taking away ----

function save(content, name, type) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
const stem = () => model.name.replace(/^.*\//, '').replace(/\.[^.]*$/, '');

// What the baked file is good for, beside its numbers.
function aboutBaked(normals, method, mode) {
  const baked = costs[`${method} ${mode}`]?.baked;
  if (baked !== normals) return `But no baked file holds what ${label(mode)} of ${method.toUpperCase()} need.`;
  if (normals === 'deform-frames') return `They are for ${method.toUpperCase()}; the packages for three.js and Babylon.js, which blend matrices, refuse them.`;
  if (method !== 'lbs') return `The packages for three.js and Babylon.js, which blend matrices, take them for LBS.`;
  return '';
}

async function bake() {
  if (!model) return;
  const mode = element.mode.value, method = element.method.value, normals = costs[`${method} ${mode}`]?.baked || 'deform';
  try {
    const {files, report: r} = await service.ask('bake', {normals, method, format: element.format.value, out: `${stem()}-baked.glb`});
    const [[name, bytes], ...others] = Object.entries(files);
    // Pictures in folders are found there alone.
    if (others.length > 0) save(zipped(files), `${stem()}-baked.zip`);
    else save(bytes, name, 'model/gltf-binary');
    element.cost.textContent = [`Baked ${label(normals)}: ${r.attributes} attributes and ${r.bytes} bytes more per vertex.`, aboutBaked(normals, method, mode)].join(' ').trim();
  } catch (e) {
    report(e);
  }
}

function saveReport() {
  if (!comparison) return;
  const content = {skinlight: known.version, file: model.name, sha256: model.digest, clip: settings().clip ?? null,
    seconds: [...comparison.seconds], ways: comparison.rows.map(({way, errors, means}) => ({...way, errors, means: [...means]})),
    findings, warnings: model.warnings};
  save(JSON.stringify(content, null, 1), `${stem()}-report.json`, 'application/json');
}

// ---- Controls ----

const chart = new Chart(element.chart, (seconds) => { setPlaying(false); seek(seconds); });
element.play.addEventListener('click', () => setPlaying(!playing));
element.time.addEventListener('input', () => seek(+element.time.value * duration()));
element.clip.addEventListener('change', async () => { setPlaying(false); await seek(0); await measure(); });
element.method.addEventListener('change', () => { fillModes(); refresh(); measure(); });
for (const select of [element.mode, element.guard]) select.addEventListener('change', () => { refresh(); measure(); });
for (const control of [element.views, element.look, element.bone, element.skeleton]) control.addEventListener('change', arrange);
element.format.addEventListener('change', showPrice);
const step = (frames) => { setPlaying(false); seek(time + frames * STEP); };
element.back.addEventListener('click', () => step(-1));
element.on.addEventListener('click', () => step(1));

// One side alone for as long as a key or a button is held; null ends it.
function alone(side) {
  if (!view || view.alone === side) return;
  view.alone = side;
  showNames();
  view.draw();
}
for (const button of document.querySelectorAll('.flips button')) {
  button.addEventListener('pointerdown', (event) => { button.setPointerCapture(event.pointerId); alone(+button.dataset.side); });
  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) button.addEventListener(end, () => alone(null));
}

const program = element.program;
element.shader.addEventListener('click', () => {
  const choice = {method: element.method.value, mode: element.mode.value, guard: guard(), format: element.format.value};
  const text = vertexShader(choice);
  program.querySelector('pre').textContent = text || `No shader is written here for ${choice.method} with ${choice.mode} and the guard ${choice.guard}; ` +
    'its kernel is in shaders/kernels/, and shaders/README.md says how to call it.';
  element.copy.hidden = !text;
  program.showModal();
});
element.close.addEventListener('click', () => program.close());
element.copy.addEventListener('click', async () => {
  const pre = program.querySelector('pre');
  try {
    await navigator.clipboard.writeText(pre.textContent);
    element.copy.textContent = 'Copied';
  } catch {  // a page that may not write there
    getSelection().selectAllChildren(pre);
    element.copy.textContent = 'Selected';
  }
  setTimeout(() => { element.copy.textContent = 'Copy'; }, 1500);
});
element.wipe.addEventListener('input', arrange);
element.pill.addEventListener('click', () => openSample('pill'));
element.skirt.addEventListener('click', () => openSample('skirt'));
element.files.addEventListener('change', () => { openFiles(chosenFiles(element.files.files)); element.files.value = ''; });
element['worst-frame'].addEventListener('click', () => { setPlaying(false); worstFrame(); });
element['worst-vertex'].addEventListener('click', async () => {
  if (!comparison) return;
  setPlaying(false);
  await worstFrame();
  if (shown) view?.mark(shown.stats[0].worstVertex);
});
element.bake.addEventListener('click', bake);
element.report.addEventListener('click', saveReport);
element.picture.addEventListener('click', async () => { if (view && model) save(await view.picture(), `${stem()}.png`); });

addEventListener('keydown', (event) => {
  if (/^(INPUT|SELECT|BUTTON|SUMMARY)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey || program.open) return;
  if ('123'.includes(event.key)) alone(+event.key - 1);
  if (event.key === 'f' && view && !event.repeat) { view.flipped = 1; showNames(); view.draw(); }
  if (event.key === ' ') { setPlaying(!playing); event.preventDefault(); }
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    setPlaying(false);
    seek(time + (event.key === 'ArrowLeft' ? -STEP : STEP));
    event.preventDefault();
  }
});
addEventListener('blur', () => alone(null));
addEventListener('keyup', (event) => {
  if ('123'.includes(event.key)) alone(null);
  if (event.key === 'f' && view) { view.flipped = 0; showNames(); view.draw(); }
});

let depth = 0;  // of elements that a drag has entered
addEventListener('dragenter', (event) => { event.preventDefault(); ++depth; element.drop.hidden = false; });
addEventListener('dragleave', () => { if (--depth <= 0) element.drop.hidden = true; });
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  depth = 0;
  element.drop.hidden = true;
  openFiles(dropped(event.dataTransfer));
});

// ---- Begin ----

async function begin() {
  try {
    view = new View(element.view);
    element.scale.querySelector('canvas').getContext('2d').putImageData(new ImageData(heatBytes(256), 256, 1), 0, 0);
  } catch {
    standing = 'This browser has no WebGL2, so there is no picture; verdict and numbers are there.';
    tell('');
    for (const only of [element.stage, document.querySelector('.flips'), element.picture]) only.hidden = true;
  }
  try {
    known = await service.ask('ways');
  } catch (e) {
    report(e);
    return;
  }
  fill(element.method, Object.keys(known.modes).map((method) => [method, method.toUpperCase()]));
  fill(element.guard, known.guards.map((guard) => [guard, guard]));
  fill(element.format, known.formats.map((format) => [format, format]));
  fillModes();
  if (wanted.unreachable) {
    tell(wanted.unreachable);
    element.verdict.textContent = 'Nothing is open.';
    return;
  }
  if (remote) await openRemote();
  else await openWanted();
}

// What the fragment of the address is about.
async function openWanted() {
  if (!['file', 'address'].includes(wanted.model)) await openSample(SAMPLES.includes(wanted.model) ? wanted.model : 'pill');
  else if (model && short(model.digest) === wanted.digest) await open(model.source);
  else element.verdict.textContent = `This address is about ${wanted.name}: drop it here to see what was seen.`;
}

// A link that is opened in a tab with the lab changes the fragment alone. What the page writes there itself makes no event.
addEventListener('hashchange', ({newURL}) => {
  const state = readState(new URL(newURL).hash);  // the page may have written its own over it by now
  if (!known || !state.model) return;
  clearTimeout(remembering);
  wanted = state;
  openWanted();
});
begin();
