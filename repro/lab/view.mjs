// The picture: the posed mesh with one of three kinds of normals, side by side or under a wipe. The shading is that of all
// figures, shaders/programs/*.frag, translated for WebGL2 when the lab is built.
import * as THREE from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import {heatBytes} from './heat.mjs';
import {reflection, shaded} from './shaders.mjs';

const VERTEX = `
uniform mat4 view, projection;
in vec3 position, normal;
in vec2 uv;
in float error;
out vec3 mesh_normal, eye_normal, eye_position;
out float vertex_error;
out vec2 vertex_uv;
void main() {
  vertex_uv = uv;
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

// Two lights and a sky in eye space, with the material's own colours; normal maps by the derivatives of the texture
// coordinates, so that they lie on the normals that are looked at.
const OWN = `precision highp float;
uniform sampler2D map, normalMap;
uniform bool hasMap, hasNormalMap;
uniform vec3 color;
uniform vec2 normalScale;
uniform mat3 uvTransform;
uniform float alphaTest;
in vec3 eye_normal, eye_position;
in vec2 vertex_uv;
out vec4 result;
vec3 encoded(vec3 c) { return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }
void main() {
  vec2 uv = (uvTransform * vec3(vertex_uv, 1.0)).xy;
  vec4 albedo = vec4(color, 1.0) * (hasMap ? texture(map, uv) : vec4(1.0));
  if (albedo.a < alphaTest) discard;
  vec3 n = normalize(eye_normal), to_eye = normalize(-eye_position);
  if (!gl_FrontFacing) n = -n;
  if (hasNormalMap) {
    vec3 px = dFdx(eye_position), py = dFdy(eye_position);
    vec2 ux = dFdx(uv), uy = dFdy(uv);
    vec3 t = cross(py, n) * ux.x + cross(n, px) * uy.x, b = cross(py, n) * ux.y + cross(n, px) * uy.y;
    float size = max(dot(t, t), dot(b, b));
    if (size > 0.0) {
      vec3 m = texture(normalMap, uv).xyz * 2.0 - 1.0;
      m.xy *= normalScale;
      // Texture coordinates run down the picture, +Y of the map up.
      n = normalize((t * m.x - b * m.y) * inversesqrt(size) + n * m.z);
    }
  }
  vec3 light = vec3(0.30) + 0.14 * n.y;
  light += 0.85 * max(dot(n, normalize(vec3(-0.6, 0.45, 0.65))), 0.0) + 0.20 * max(dot(n, normalize(vec3(0.9, 0.05, 0.35))), 0.0);
  vec3 h = normalize(normalize(vec3(-0.6, 0.45, 0.65)) + to_eye);
  result = vec4(encoded(clamp(albedo.rgb * light + 0.08 * pow(max(dot(n, h), 0.0), 30.0), 0.0, 1.0)), 1.0);
}`;

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
    const error = material(ERROR);
    this.looks = {shaded: material(shaded), reflection: material(reflection), normals: material(NORMALS), error, weights: error, side: error};
    this.ownMaterial = (given) => {
      const made = material(OWN), {map, normalMap, color, normalScale, alphaTest, alphaMode} = given;
      map?.updateMatrix();
      made.uniforms = {...this.uniforms, map: {value: map}, normalMap: {value: normalMap ?? null}, hasMap: {value: !!map}, hasNormalMap: {value: !!normalMap},
        color: {value: color ?? new THREE.Color(1, 1, 1)}, normalScale: {value: normalScale ?? new THREE.Vector2(1, 1)},
        uvTransform: {value: map?.matrix ?? normalMap?.matrix ?? new THREE.Matrix3()}, alphaTest: {value: alphaTest || (given.transparent ? 0.5 : 0)}};
      return made;
    };
    // Bones without a parent are points alone.
    const ends = new THREE.BufferGeometry(), colour = {color: 0xb000b0, depthTest: false};
    this.bones = new THREE.Group().add(new THREE.LineSegments(ends, new THREE.LineBasicMaterial(colour)),
      new THREE.Points(ends, new THREE.PointsMaterial({...colour, size: 7, sizeAttenuation: false})));
    for (const part of this.bones.children) Object.assign(part, {frustumCulled: false, renderOrder: 1});
    this.bones.visible = false;
    this.scene = new THREE.Scene();
    this.marker = new THREE.Points(new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(3), 3)),
      new THREE.PointsMaterial({color: 0xff2fd0, size: 12, sizeAttenuation: false, depthTest: false}));
    this.marker.renderOrder = 2;
    this.marker.visible = false;
    this.look = 'shaded';
    this.views = 'wipe';
    this.wipe = 0.5;
    this.flipped = 0;
    this.alone = null;  // a side that is shown over the whole width
    new ResizeObserver(() => this.#resize()).observe(canvas);
  }

  #resize() {
    const {clientWidth, clientHeight} = this.canvas;
    if (clientWidth === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.draw();
  }

  // A mesh of these faces; show() gives it vertices. parts: ranges of vertices with a material of their own, or null.
  open(vertexCount, faces, parts = null) {
    this.geometry?.dispose();
    for (const {geometry} of this.sides ?? []) geometry.dispose();
    for (const material of this.looks.own ?? []) material.dispose();
    this.geometry = new THREE.BufferGeometry();
    this.scalars = this.last = null;
    const uv = new THREE.BufferAttribute(new Float32Array(2 * vertexCount), 2), groups = [];
    if (parts) {
      const partOf = new Uint16Array(vertexCount), sorted = new Uint32Array(faces.length);
      parts.forEach((part, i) => {
        partOf.fill(i, part.first, part.first + part.count);
        if (part.uv) for (let v = 0; v < part.count; ++v) uv.setXY(part.first + v, part.uv.getX(v), part.uv.getY(v));
      });
      let at = 0;
      for (let i = 0; i < parts.length; ++i) {
        const start = at;
        for (let f = 0; f < faces.length; f += 3)
          if (partOf[faces[f]] === i) for (let c = 0; c < 3; ++c) sorted[at++] = faces[f + c];
        groups.push([start, at - start, i]);
      }
      faces = sorted;
    }
    this.looks.own = parts?.map(({material}) => this.ownMaterial(material)) ?? null;
    const add = (name, width) => this.geometry.setAttribute(name,
      new THREE.BufferAttribute(new Float32Array(width * vertexCount), width).setUsage(THREE.DynamicDrawUsage));
    add('position', 3);
    this.geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(faces), 1));
    this.sides = SIDES.map(() => {
      const geometry = new THREE.BufferGeometry().setAttribute('position', this.geometry.attributes.position);
      geometry.setIndex(this.geometry.index);
      geometry.setAttribute('uv', uv);
      for (const group of groups) geometry.addGroup(...group);
      geometry.setAttribute('normal', new THREE.BufferAttribute(new Float32Array(3 * vertexCount), 3).setUsage(THREE.DynamicDrawUsage));
      geometry.setAttribute('error', new THREE.BufferAttribute(new Float32Array(vertexCount), 1).setUsage(THREE.DynamicDrawUsage));
      const mesh = new THREE.Mesh(geometry, this.looks[this.look]);
      mesh.frustumCulled = false;
      return mesh;
    });
    this.marker.visible = false;
    this.framed = false;
  }

  // Numbers from 0 to 1 to be shown in the place of errors, or null.
  paint(scalars) {
    this.scalars = scalars;
    if (!this.sides) return;
    for (const {geometry: {attributes: {error}}} of this.sides)
      if (scalars) {
        error.array.set(scalars);
        error.needsUpdate = true;
      }
    if (!scalars && this.last) this.show(this.last);
  }

  // Two points for each bone; null hides them.
  showBones(ends) {
    this.bones.visible = ends !== null;
    if (ends) this.bones.children[0].geometry.setAttribute('position', new THREE.BufferAttribute(ends, 3));
  }

  show(frame) {
    const {positions, normals, errors} = frame;
    this.last = frame;
    const set = (attribute, values) => { attribute.array.set(values); attribute.needsUpdate = true; };
    set(this.geometry.attributes.position, positions);
    this.sides.forEach(({geometry}, i) => {
      set(geometry.attributes.normal, normals[i]);
      if (errors[i] && !this.scalars) set(geometry.attributes.error, errors[i]);
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
    // What is not finite is nowhere; a camera put there never comes back.
    if (![...target, ...from, distance].every(Number.isFinite) || from.length() === 0) return;
    this.controls.target.copy(target);
    this.camera.position.copy(from).setLength(distance).add(target);
    this.camera.near = distance / 100;
    this.camera.far = distance * 100;
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  // Marks a vertex and turns to it, along its normal.
  mark(vertex) {
    if (!(vertex >= 0 && vertex < this.geometry.attributes.position.count)) return;
    this.vertex = vertex;
    this.marker.visible = true;
    this.#moveMarker();
    const normal = new THREE.Vector3().fromBufferAttribute(this.sides[2].geometry.attributes.normal, vertex);
    this.#look(new THREE.Vector3().fromBufferAttribute(this.geometry.attributes.position, vertex), this.radius * 1.2, normal);
    this.draw();
    this.canvas.scrollIntoView({block: 'nearest'});  // it is asked for below the picture
  }
  #moveMarker() {
    const {position} = this.marker.geometry.attributes;
    position.copyAt(0, this.geometry.attributes.position, this.vertex);
    position.needsUpdate = true;
  }

  // What the views show from left to right: [side, from, to] in shares of the width; `whole`: as wide as all (a wipe).
  panes() {
    if (this.alone !== null) return [{side: this.alone, from: 0, to: 1, whole: true}];
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
      mesh.material = this.looks[side === 2 && this.look === 'error' ? 'shaded' : this.look] ?? this.looks.shaded;
      this.scene.clear();
      this.scene.add(mesh, this.marker, this.bones);
      this.renderer.render(this.scene, this.camera);
    }
  }

  picture() {
    this.draw();
    return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'));
  }
}
