// Files of the caller in the module's own memory, one folder per call, so that the library reads and names them as a disk's.
import {InputError} from './errors.mjs';

const ROOT = '/call', OUT = `${ROOT}/out/`;
const MOST_UP = 64;  // folders above the model's that names may reach

const no = (name) => new InputError(String(name), '', 'is no name of a file');

// The parts of a name, 'a/../' taken out: no drive; what is left of '..' leads it.
function partsOf(name) {
  const parts = [];
  for (const part of String(name).replaceAll('\0', '\\0').split(/[\\/]/)) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part && part !== '.') parts.push(part);
  }
  if (parts.length === 0 || parts.at(-1) === '..') throw no(name);
  return parts;
}
// A name below the folder: no way up.
function cleaned(name) {
  const parts = partsOf(name);
  if (parts[0] === '..') throw no(name);
  return parts.join('/');
}

// What a URI calls a file. What is no escape of UTF-8 stays.
export const decoded = (uri) => uri.replace(/(%[0-9a-f]{2})+/gi, (escapes) => {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
});

// The file that a URI means, '' for none.
export function meant(uri) {
  try {
    return partsOf(decoded(uri)).join('/');
  } catch {
    return '';
  }
}

// `beside` by the names that files get: those given, and what these mean where they are URIs.
export function named(beside) {
  const given = Object.entries(beside ?? {}), names = new Map(given.map(([name, content]) => [partsOf(name).join('/'), content]));
  for (const [name, content] of given) {
    const other = meant(name);
    if (other && !names.has(other)) names.set(other, content);
  }
  return names;
}

// Calls work(name, target) in a folder that holds `bytes` as `name` and `beside` ({name: bytes}); '../' leads to folders that
// are made for it. target(out) is where a file `out` is to be written: {path, files()}, files() being all that lie there then,
// by their names from there. Nothing of it stays.
export function inFolder(fs, bytes, name, beside, work) {
  const before = fs.cwd(), main = cleaned(name), others = named(beside);
  const up = Math.max(0, ...[...others.keys()].map((file) => file.split('/').lastIndexOf('..') + 1));
  if (up > MOST_UP) throw no([...others.keys()].find((file) => file.startsWith('../'.repeat(up))));
  fs.mkdir(ROOT);
  try {
    const put = (file, content) => {
      if (!(content instanceof Uint8Array)) throw new InputError(file, '', 'is not a Uint8Array');
      makeFolders(fs, file);
      if (fs.analyzePath(file).exists && fs.isDir(fs.stat(file).mode)) throw new InputError(file, '', 'is the name of a folder too');
      fs.writeFile(file, content);
    };
    const folder = `${ROOT}/in/${'up/'.repeat(up)}`;
    makeFolders(fs, folder);
    fs.chdir(folder);
    for (const [file, content] of others) put(file, content);
    put(main, bytes);
    return work(main, (out) => {
      const path = OUT + cleaned(out);
      makeFolders(fs, path);
      return {path, files: () => Object.fromEntries(filesIn(fs, OUT).map((file) => [file.slice(OUT.length), fs.readFile(file).slice()]))};
    });
  } catch (e) {
    // Where files are written is no name of the caller's.
    if (e instanceof InputError) throw new InputError(...[e.file, e.element, e.reason].map((part) => part.replaceAll(OUT, '')));
    throw e;
  } finally {
    fs.chdir(before);
    remove(fs, ROOT);
  }
}

// The folders that lead to a file.
function makeFolders(fs, file) {
  for (let end = file.indexOf('/', 1); end > 0; end = file.indexOf('/', end + 1)) {
    const folder = file.slice(0, end), {exists} = fs.analyzePath(folder);
    if (!exists) fs.mkdir(folder);
    else if (!fs.isDir(fs.stat(folder).mode)) throw new InputError(file, '', `lies in ${folder}, which is a file`);
  }
}

const entriesOf = (fs, folder) => fs.readdir(folder).filter((entry) => entry !== '.' && entry !== '..');
const isFolder = (fs, path) => fs.isDir(fs.lstat(path).mode);

function filesIn(fs, folder) {
  return entriesOf(fs, folder).flatMap((entry) => isFolder(fs, folder + entry) ? filesIn(fs, `${folder}${entry}/`) : [folder + entry]);
}

function remove(fs, path) {
  for (const entry of entriesOf(fs, path)) {
    const file = `${path}/${entry}`;
    if (isFolder(fs, file)) remove(fs, file);
    else fs.unlink(file);
  }
  fs.rmdir(path);
}
