// Files of the caller in the module's own memory, one folder per call, so that the library reads and names them as a disk's.
import {InputError} from './errors.mjs';

// A name below the folder: no drive, no way up.
function cleaned(name) {
  const parts = String(name).replaceAll('\0', '\\0').split(/[\\/]/).filter((part) => part && part !== '.');
  if (parts.length === 0 || parts.includes('..')) throw new InputError(String(name), '', 'is no name of a file');
  return parts.join('/');
}

// Calls work(name, read) in a folder that holds `bytes` as `name` and `beside` ({name: bytes}); read(name) is what a file
// there holds afterwards, names() are all of them. Nothing of it stays.
export function inFolder(fs, bytes, name, beside, work) {
  const folder = '/call', before = fs.cwd();
  fs.mkdir(folder);
  fs.chdir(folder);
  try {
    const put = (file, content) => {
      if (!(content instanceof Uint8Array)) throw new InputError(file, '', 'is not a Uint8Array');
      const parts = file.split('/');
      for (let i = 1; i < parts.length; ++i) {
        const parent = parts.slice(0, i).join('/');
        if (!fs.analyzePath(parent).exists) fs.mkdir(parent);
      }
      fs.writeFile(file, content);
    };
    for (const [file, content] of Object.entries(beside ?? {})) put(cleaned(file), content);
    put(cleaned(name), bytes);
    return work(cleaned(name), (file) => fs.readFile(file).slice(), () => fs.readdir('.').filter((file) => file[0] !== '.'));
  } finally {
    fs.chdir(before);
    remove(fs, folder);
  }
}

function remove(fs, path) {
  for (const entry of fs.readdir(path)) {
    if (entry === '.' || entry === '..') continue;
    const file = `${path}/${entry}`;
    if (fs.isDir(fs.lstat(file).mode)) remove(fs, file);
    else fs.unlink(file);
  }
  fs.rmdir(path);
}
