// The picture: the posed mesh with one of three kinds of normals, side by side or under a wipe. The shading is that of all
// figures, shaders/programs/*.frag, translated for WebGL2 when the lab is built.
import * as THREE from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import {heatBytes} from './heat.mjs';
import {reflection, shaded} from './shaders.mjs';

const VERTEX = `
uniform mat4 view, projection;
in vec3 position, normal;
in float error;
out vec3 mesh_normal, eye_normal, eye_position;
out float vertex_error;
void main() {
  mesh_normal = normal;
  eye_normal = mat3(view) * normal;
  eye_position = (view * vec4(position, 1.0)).xyz;
  vertex_error = error;
  gl_Position = projection * vec4(eye_position, 1.0);
}`;

const NORMALS = `precision highp float;
in vec3 eye_normal;
out vec4 result;
void main() { result = vec4(0.5 + 0.5 * normalize(eye_normal), 1.0); }`;

const ERROR = `precision highp float;
uniform sampler2D heat;
uniform float most;
in vec3 eye_normal;
in float vertex_error;
out vec4 result;
// A little shading, so that the shape is seen under the colours.
void main() { result = vec4(texture(heat, vec2(vertex_error / most, 0.5)).rgb * (0.75 + 0.25 * abs(normalize(eye_normal).z)), 1.0); }`;

export const SIDES = ['standard', 'chosen', 'truth'];

export class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({canvas, antialias: true, alpha: true, preserveDrawingBuffer: true});
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;  // the shaders write what is shown
    this.renderer.autoClear = false;
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01, 1000);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.draw());
    const heat = new THREE.DataTexture(heatBytes(256), 256, 1);
    heat.minFilter = heat.magFilter = THREE.LinearFilter;
    heat.needsUpdate = true;
    this.uniforms = {view: {value: new THREE.Matrix4()}, projection: {value: new THREE.Matrix4()},
      stripe_axis: {value: new THREE.Vector3(0.5, 0.8, 0.33).normalize()}, stripe_radians: {value: 0.12}, heat: {value: heat},
      most: {value: 10}};
    const material = (fragmentShader) => new THREE.RawShaderMaterial({glslVersion: THREE.GLSL3, vertexShader: VERTEX,
      fragmentShader, uniforms: this.uniforms, side: THREE.DoubleSide});
    this.looks = {shaded: material(shaded), reflection: material(reflection), normals: material(NORMALS), error: material(ERROR)};
    this.scene = new THREE.Scene();
    this.marker = new THREE.Points(new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(3), 3)),
      new THREE.PointsMaterial({color: 0xff2fd0, size: 12, sizeAttenuation: false, depthTest: false}));
    this.marker.visible = false;
    this.look = 'shaded';
    this.views = 'wipe';
    this.wipe = 0.5;
    this.flipped = 0;
    new ResizeObserver(() => this.#resize()).observe(canvas);
  }

  #resize() {
    const {clientWidth, clientHeight} = this.canvas;
    if (clientWidth === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.draw();
  }

  // A mesh of these faces; show() gives it vertices.
  open(vertexCount, faces) {
    this.geometry?.dispose();
    this.geometry = new THREE.BufferGeometry();
    const add = (name, width) => this.geometry.setAttribute(name,
      new THREE.BufferAttribute(new Float32Array(width * vertexCount), width).setUsage(THREE.DynamicDrawUsage));
    add('position', 3);
    this.geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(faces), 1));
    this.sides = SIDES.map(() => {
      const geometry = new THREE.BufferGeometry().setAttribute('position', this.geometry.attributes.position);
      geometry.setIndex(this.geometry.index);
      geometry.setAttribute('normal', new THREE.BufferAttribute(new Float32Array(3 * vertexCount), 3).setUsage(THREE.DynamicDrawUsage));
      geometry.setAttribute('error', new THREE.BufferAttribute(new Float32Array(vertexCount), 1).setUsage(THREE.DynamicDrawUsage));
      const mesh = new THREE.Mesh(geometry, this.looks[this.look]);
      mesh.frustumCulled = false;
      return mesh;
    });
    this.marker.visible = false;
    this.framed = false;
  }

  show({positions, normals, errors}) {
    const set = (attribute, values) => { attribute.array.set(values); attribute.needsUpdate = true; };
    set(this.geometry.attributes.position, positions);
    this.sides.forEach(({geometry}, i) => {
      set(geometry.attributes.normal, normals[i]);
      if (errors[i]) set(geometry.attributes.error, errors[i]);
    });
    if (!this.framed) this.frameAll();
    if (this.marker.visible) this.#moveMarker();
    this.draw();
  }

  // As near as shows every vertex, in the narrowest pane.
  frameAll() {
    this.geometry.computeBoundingBox();
    const centre = this.geometry.boundingBox.getCenter(new THREE.Vector3()), away = new THREE.Vector3(0.55, 0.25, 1).normalize();
    const right = new THREE.Vector3(0, 1, 0).cross(away).normalize(), up = away.clone().cross(right);
    const {clientWidth, clientHeight} = this.canvas, aspect = clientWidth / clientHeight / (this.views === 'side' ? 3 : 1);
    const vertical = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2)) * 0.9, horizontal = vertical * aspect;
    const p = new THREE.Vector3(), {position} = this.geometry.attributes;
    let distance = 0;
    this.radius = 0;
    for (let v = 0; v < position.count; ++v) {
      p.fromBufferAttribute(position, v).sub(centre);
      distance = Math.max(distance, p.dot(away) + Math.max(Math.abs(p.dot(right)) / horizontal, Math.abs(p.dot(up)) / vertical));
      this.radius = Math.max(this.radius, p.length());
    }
    this.#look(centre, distance || 1, away);
    this.framed = true;
  }
  #look(target, distance, from) {
    this.controls.target.copy(target);
    this.camera.position.copy(from).setLength(distance).add(target);
    this.camera.near = distance / 100;
    this.camera.far = distance * 100;
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  // Marks a vertex and turns to it, along its normal.
  mark(vertex) {
    this.vertex = vertex;
    this.marker.visible = true;
    this.#moveMarker();
    const normal = new THREE.Vector3().fromBufferAttribute(this.sides[2].geometry.attributes.normal, vertex);
    this.#look(new THREE.Vector3().fromBufferAttribute(this.geometry.attributes.position, vertex), this.radius * 1.2, normal);
    this.draw();
  }
  #moveMarker() {
    const {position} = this.marker.geometry.attributes;
    position.copyAt(0, this.geometry.attributes.position, this.vertex);
    position.needsUpdate = true;
  }

  // What the views show from left to right: [side, from, to] in shares of the width; `whole`: as wide as all (a wipe).
  panes() {
    if (this.views === 'side') return SIDES.map((_, i) => ({side: i, from: i / 3, to: (i + 1) / 3, whole: false}));
    const [left, right] = this.views === 'wipe' ? [0, 1] : [1, 2], flip = this.flipped % 2;
    return [{side: flip ? right : left, from: 0, to: this.wipe, whole: true},
      {side: flip ? left : right, from: this.wipe, to: 1, whole: true}];
  }

  draw() {
    if (!this.sides) return;
    const {clientWidth: width, clientHeight: height} = this.canvas;
    this.renderer.setScissorTest(false);
    this.renderer.setClearColor(0x000000, 0);
    this.renderer.clear();
    this.renderer.setScissorTest(true);
    for (const {side, from, to, whole} of this.panes()) {
      const x = from * width, w = (to - from) * width;
      if (w < 1) continue;
      this.camera.aspect = (whole ? width : w) / height;
      this.camera.updateProjectionMatrix();
      this.camera.updateMatrixWorld();
      this.uniforms.view.value.copy(this.camera.matrixWorldInverse);
      this.uniforms.projection.value.copy(this.camera.projectionMatrix);
      this.renderer.setViewport(whole ? 0 : x, 0, whole ? width : w, height);
      this.renderer.setScissor(x, 0, w, height);
      const mesh = this.sides[side];
      mesh.material = this.looks[side === 2 && this.look === 'error' ? 'shaded' : this.look];
      this.scene.clear();
      this.scene.add(mesh, this.marker);
      this.renderer.render(this.scene, this.camera);
    }
  }

  picture() {
    this.draw();
    return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'));
  }
}
