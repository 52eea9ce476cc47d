// Files that were dropped or chosen, folders with what is in them: {main, files} by the names that a .gltf gives them.
async function entriesOf(entry, path = '') {
  if (entry.isFile) return [[path + entry.name, await new Promise((resolve, reject) => entry.file(resolve, reject))]];
  const reader = entry.createReader(), found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    for (const inner of some) found.push(...await entriesOf(inner, `${path}${entry.name}/`));
  }
  return found;
}

export async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return chosen(transfer.files);
  const found = [];
  for (const entry of entries) found.push(...await entriesOf(entry));
  return sorted(found);
}

export const chosen = (list) => sorted([...list].map((file) => [file.webkitRelativePath || file.name, file]));

const bytesOf = async (file) => new Uint8Array(await file.arrayBuffer());

// What a file is called from a folder that ends in /, or is ''.
function relative(folder, name) {
  const from = folder.split('/').slice(0, -1), to = name.split('/');
  while (from.length > 0 && to.length > 1 && from[0] === to[0]) {
    from.shift();
    to.shift();
  }
  return [...from.map(() => '..'), ...to].join('/');
}

async function sorted(found) {
  if (found.length === 0) return null;
  // The first model; whatever else there is, is what it may name, from the folder that it lies in; of a .gltf also what lies
  // above it.
  const model = found.find(([name]) => /\.(glb|gltf)$/i.test(name)) ?? found[0];
  const folder = model[0].slice(0, model[0].lastIndexOf('/') + 1), files = {};
  for (const [name, file] of found)
    if (file !== model[1] && (name.startsWith(folder) || /\.gltf$/i.test(model[0]))) files[relative(folder, name)] = await bytesOf(file);
  return {name: model[0].slice(folder.length), bytes: await bytesOf(model[1]), files};
}
