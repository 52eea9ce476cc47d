// Runs in the browser: a character is skinned in WebAssembly and handed to WebGL, frame after frame.
import {load} from 'skinlight';

window.upload = async (url, {mode, wasm, frames}) => {
  const skinlight = await load({wasm: new URL(wasm, location.href)}), rig = skinlight.read(new Uint8Array(await (await fetch(url)).arrayBuffer()), 'model.glb');
  const pose = rig.pose(rig.clipCount ? 0 : null, 0.3), batch = rig.batch({mode}), length = 3 * rig.vertexCount;
  const into = {positions: new Float32Array(length), normals: new Float32Array(length)};
  const gl = document.createElement('canvas').getContext('webgl2'), buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, 24 * rig.vertexCount, gl.DYNAMIC_DRAW);
  const times = [];
  for (let i = 0; i < frames; ++i) {
    const start = performance.now();
    batch.skin(pose, into);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, into.positions);
    gl.bufferSubData(gl.ARRAY_BUFFER, 4 * length, into.normals);
    gl.finish();
    times.push(performance.now() - start);
  }
  // What was uploaded comes back.
  const back = new Float32Array(length);
  gl.getBufferSubData(gl.ARRAY_BUFFER, 4 * length, back);
  const same = back.every((x, i) => x === into.normals[i]), {vertexCount} = rig;
  batch.free();
  rig.free();
  return {vertexCount, same, least: Math.min(...times), median: times.sort((a, b) => a - b)[frames >> 1]};
};
