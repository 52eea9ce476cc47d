// The colours of errors, as lib/skinlight/render/heat_map.cpp has them: from dark blue over red to pale yellow along points
// in CIELAB whose lightness rises evenly.
const PATH = [[20, 30, -50], [38, 55, -35], [56, 55, 20], [74, 22, 58], [92, -8, 58]];

// CIELAB (D65) to linear sRGB [IEC 61966-2-1].
function linearFromLab([L, a, b]) {
  const inverse = (t) => t > 6 / 29 ? t * t * t : 108 / 841 * (t - 4 / 29), fy = (L + 16) / 116;
  const X = 0.95047 * inverse(fy + a / 500), Y = inverse(fy), Z = 1.08883 * inverse(fy - b / 200);
  return [3.2404542 * X - 1.5371385 * Y - 0.4985314 * Z, -0.9692660 * X + 1.8760108 * Y + 0.0415560 * Z,
    0.0556434 * X - 0.2040259 * Y + 1.0572252 * Z].map((v) => Math.min(Math.max(v, 0), 1));
}

// t = error / maximum.
export function heatColour(t) {
  const position = Math.min(Math.max(t, 0), 1) * (PATH.length - 1), i = Math.min(Math.floor(position), PATH.length - 2);
  return linearFromLab(PATH[i].map((c, k) => c + (position - i) * (PATH[i + 1][k] - c)));
}

const encoded = (c) => Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));

// RGBA bytes of `width` colours, encoded as sRGB.
export function heatBytes(width) {
  const bytes = new Uint8ClampedArray(4 * width);
  for (let x = 0; x < width; ++x) bytes.set([...heatColour(x / (width - 1)).map(encoded), 255], 4 * x);
  return bytes;
}
