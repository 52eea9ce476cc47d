// Rigs in motion: where WebGL2 is there, a small view of the surface from rest to its pose, standard normals left of a wipe
// and better ones right of it; the still picture everywhere else. The numbers of a view come as a script of their own when
// it is looked at, since a page from a disk may read nothing else.
(function () {
  "use strict";
  var STUDIO = "@STUDIO@";  // shaders/include/studio.glsl
  var views = {};

  var VERTEX = "#version 300 es\nprecision highp float;\nuniform mat4 view, projection;\nuniform float radius;\n" +
    "in vec3 position, normal;\nout vec3 eye_normal, eye_position;\n" +
    "void main() {\n  eye_normal = mat3(view) * normal;\n  eye_position = (view * vec4(radius * position, 1.0)).xyz;\n" +
    "  gl_Position = projection * vec4(eye_position, 1.0);\n}\n";
  var FRAGMENT = "#version 300 es\nprecision highp float;\nin vec3 eye_normal, eye_position;\nout vec4 result;\n" + STUDIO +
    "\nvec3 encoded(vec3 c) { return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }\n" +
    "void main() { result = vec4(encoded(clamp(studio(clay, normalize(eye_normal), normalize(-eye_position)), 0.0, 1.0)), 1.0); }\n";

  function bytes(text) {
    var binary = atob(text), array = new Uint8Array(binary.length);
    for (var i = 0; i < binary.length; ++i) array[i] = binary.charCodeAt(i);
    return array;
  }

  function element(tag, properties, parent) {
    return parent.appendChild(Object.assign(document.createElement(tag), properties));
  }

  function program(gl) {
    var made = gl.createProgram();
    [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]].forEach(function (part) {
      var shader = gl.createShader(part[0]);
      gl.shaderSource(shader, part[1]);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    });
    gl.bindAttribLocation(made, 0, "position");
    gl.bindAttribLocation(made, 1, "normal");
    gl.linkProgram(made);
    return gl.getProgramParameter(made, gl.LINK_STATUS) ? made : null;
  }

  function minus(a, b) { return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]; }
  function dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  function cross(a, b) { return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]; }
  function unit(a) { var l = Math.sqrt(dot(a, a)); return [a[0] / l, a[1] / l, a[2] / l]; }

  // Rows of the eye's frame, for one who looks from `away` in units of length, turned by `angle` about `up`.
  function looking(away, up, angle) {
    var z = unit(away), y = unit(up), x = cross(y, z);
    z = unit([0, 1, 2].map(function (i) { return Math.cos(angle) * z[i] + Math.sin(angle) * x[i] + (1 - Math.cos(angle)) * dot(y, z) * y[i]; }));
    x = unit(cross(y, z));
    return [x, cross(z, x), z];
  }

  function begin(place, data) {
    var canvas = document.createElement("canvas"), gl = canvas.getContext("webgl2", {antialias: true, alpha: true});
    var shader = gl && program(gl);
    if (!shader) return;
    var picture = place.nextElementSibling;  // the still one
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", data.rig + " from rest to " + data.pose);
    place.appendChild(canvas);
    var names = element("p", {className: "live-names"}, place);
    element("span", {textContent: data.standard}, names);
    element("span", {textContent: data.better}, names);
    function slider(label, value) {
      var row = element("label", {textContent: label + " "}, place);
      return element("input", {type: "range", min: 0, max: 1, step: "any", value: value}, row);
    }
    var wipe = slider("Wipe", 0.5), pose = slider("Pose", 1);
    pose.step = 1 / (data.frames - 1);
    place.hidden = false;
    if (picture && place.hasAttribute("data-instead")) picture.hidden = true;

    var faces = bytes(data.faces), count = faces.length / 2, vertices = data.vertices;
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, faces, gl.STATIC_DRAW);
    var buffers = ["positions", "normals_standard", "normals_better"].map(function (name) {
      var buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, bytes(data[name]), gl.STATIC_DRAW);
      return buffer;
    });
    gl.useProgram(shader);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.SCISSOR_TEST);
    gl.enableVertexAttribArray(0);
    gl.enableVertexAttribArray(1);
    var at = function (name) { return gl.getUniformLocation(shader, name); };
    var uniforms = {view: at("view"), projection: at("projection"), radius: at("radius")};
    var angle = 0;

    function draw() {
      var width = Math.round(canvas.clientWidth * Math.min(devicePixelRatio, 2)), height = Math.round(canvas.clientHeight * Math.min(devicePixelRatio, 2));
      if (!width || !height) return;
      if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
      var tangent = Math.tan(Math.PI * 25 / 360), aspect = width / height, distance = 1.05 / (Math.sin(Math.PI * 25 / 360) * Math.min(1, aspect));
      var e = looking(data.towards_eye, data.up, angle), near = distance - 1.1, far = distance + 1.1;
      gl.uniformMatrix4fv(uniforms.view, false, [e[0][0], e[1][0], e[2][0], 0, e[0][1], e[1][1], e[2][1], 0, e[0][2], e[1][2], e[2][2], 0, 0, 0, -distance, 1]);
      gl.uniformMatrix4fv(uniforms.projection, false, [1 / (tangent * aspect), 0, 0, 0, 0, 1 / tangent, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0]);
      gl.uniform1f(uniforms.radius, 1);
      gl.viewport(0, 0, width, height);
      gl.scissor(0, 0, width, height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      var frame = Math.round(pose.value * (data.frames - 1)), offset = frame * vertices * 6, edge = Math.round(wipe.value * width);
      [[0, edge, 1], [edge, width - edge, 2]].forEach(function (side) {
        gl.scissor(side[0], 0, side[1], height);
        gl.bindBuffer(gl.ARRAY_BUFFER, buffers[0]);
        gl.vertexAttribPointer(0, 3, gl.SHORT, true, 6, offset);
        gl.bindBuffer(gl.ARRAY_BUFFER, buffers[side[2]]);
        gl.vertexAttribPointer(1, 3, gl.SHORT, true, 6, offset);
        gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_SHORT, 0);
      });
    }
    wipe.addEventListener("input", draw);
    pose.addEventListener("input", draw);
    canvas.addEventListener("pointerdown", function (event) { canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", function (event) {
      if (!event.buttons) return;
      angle -= event.movementX * 0.01;
      draw();
    });
    if (window.ResizeObserver) new ResizeObserver(draw).observe(canvas);
    draw();
  }

  // Called by the scripts that hold the numbers.
  window.skinlightLive = function (name, data) { if (views[name]) begin(views[name], data); };

  var watcher = window.IntersectionObserver && new IntersectionObserver(function (entries) {
    entries.forEach(function (entry) {
      if (!entry.isIntersecting) return;
      watcher.unobserve(entry.target);
      var place = entry.target.querySelector(".live");
      views[place.dataset.live] = place;
      element("script", {src: place.dataset.script}, document.body);
    });
  });
  function watch(part) {
    if (watcher && window.WebGL2RenderingContext)
      Array.prototype.forEach.call(part.querySelectorAll(".live"), function (place) { watcher.observe(place.parentNode); });
  }
  watch(document);
  document.addEventListener("skinlight-body", function (event) { watch(event.target); });
})();
