// A model by its address, ?model=: the file and, of a .gltf, what it names.
import {decoded, meant} from 'skinlight/files';

export class Unreachable extends Error {}

async function bytesOf(url) {
  let answer;
  try {
    answer = await fetch(url, {credentials: 'omit', referrerPolicy: 'no-referrer'});
  } catch {
    throw new Unreachable(`${url.host} cannot be reached, or it forbids other pages to read its files (it sends no Access-Control-Allow-Origin). ` +
      'Download the file and drop it here.');
  }
  if (!answer.ok) throw new Unreachable(`${url.host} answered ${answer.status} ${answer.statusText} for ${url.pathname}.`);
  return new Uint8Array(await answer.arrayBuffer());
}

// Narrows what this page may connect to: its own host, and that of the model.
export function narrow(url) {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = `connect-src 'self' blob: data: ${url?.origin ?? ''}`;
  document.head.append(policy);
}

// The address of ?model=, null without one. Throws Unreachable for one that is none.
export function asked() {
  const given = new URLSearchParams(location.search).get('model');
  if (!given) return null;
  let url;
  try {
    url = new URL(given, location.href);
  } catch {
    throw new Unreachable(`“${given}” is no address of a model.`);
  }
  if (!/^https?:$/.test(url.protocol)) throw new Unreachable(`“${given}” is no address of a model: it does not begin with https.`);
  return url;
}

export async function fetched(url) {
  const bytes = await bytesOf(url), name = decoded(url.pathname).split(/[\\/]/).pop() || 'model', files = {};
  if (bytes[0] === 0x7b) {  // a .gltf
    let json;
    try { json = JSON.parse(new TextDecoder().decode(bytes)); } catch { json = {}; }
    const uris = [json.buffers, json.images].filter(Array.isArray).flat().map((of) => of?.uri)
      .filter((uri) => typeof uri === 'string' && !/^data:/.test(uri) && meant(uri));
    for (const uri of new Set(uris)) {
      try {
        const beside = new URL(uri, url);
        if (beside.origin === url.origin) files[uri] = await bytesOf(beside);
      } catch (e) {  // no address, or not there: told by the reader
        if (!(e instanceof Unreachable || e instanceof TypeError)) throw e;
      }
    }
  }
  return {name, bytes, files};
}
