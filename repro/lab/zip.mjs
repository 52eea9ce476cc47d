// Files with folders as one to download: a .zip whose contents are stored as they are (PKWARE's APPNOTE 6.3, 4.3).
const LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50;
const VERSION = 20, UTF8 = 1 << 11, FIRST_OF_1980 = 0x0021;

const table = Uint32Array.from({length: 256}, (_, byte) => {
  let c = byte;
  for (let bit = 0; bit < 8; ++bit) c = c & 1 ? 0xedb88320 ^ c >>> 1 : c >>> 1;
  return c;
});
function crc32(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = table[(c ^ byte) & 0xff] ^ c >>> 8;
  return (c ^ 0xffffffff) >>> 0;
}
// Numbers of 2 or 4 bytes one after another.
function record(...fields) {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [width]) => sum + width, 0)));
  let at = 0;
  for (const [width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  return new Uint8Array(view.buffer);
}

// files: {name: bytes}.
export function zipped(files) {
  const parts = [], directory = [];
  let length = 0;
  const add = (part) => { parts.push(part); length += part.length; };
  for (const [file, bytes] of Object.entries(files)) {
    const name = new TextEncoder().encode(file), at = length;
    // Method 0, stored: both sizes are the same.
    const about = [[2, UTF8], [2, 0], [2, 0], [2, FIRST_OF_1980], [4, crc32(bytes)], [4, bytes.length], [4, bytes.length], [2, name.length], [2, 0]];
    add(record([4, LOCAL], [2, VERSION], ...about));
    add(name);
    add(bytes);
    directory.push(record([4, CENTRAL], [2, VERSION], [2, VERSION], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]), name);
  }
  const start = length, count = Object.keys(files).length;
  directory.forEach(add);
  add(record([4, END], [2, 0], [2, 0], [2, count], [2, count], [4, length - start], [4, start], [2, 0]));
  return new Blob(parts, {type: 'application/zip'});
}
