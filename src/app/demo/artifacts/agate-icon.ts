import { encodePng } from './png';

/** Called millions of times, and a look at a global costs as much as the arithmetic where Jest runs this. */
const { abs, atan2, floor, hypot, max, min, sin } = Math;

type Colour = readonly [red: number, green: number, blue: number];

/** From the crystals in the middle to the rind. */
const BANDS: readonly Colour[] = [
  [250, 244, 236],
  [236, 205, 190],
  [214, 126, 104],
  [240, 214, 196],
  [168, 72, 84],
  [222, 158, 140],
  [98, 52, 92],
  [186, 160, 196],
  [58, 52, 104],
  [112, 134, 176],
  [30, 36, 72],
];
const CORNER_RADIUS = 0.22;
/** Points looked at in a pixel, in each direction: smooth edges. */
const SAMPLES = 2;
/** How sharply one band gives way to the next, 0 (a gradient) to 1 (a step). */
const SHARPNESS = 0.82;

/** The demo's icon, a square PNG: a slice of agate, its bands around a crystal heart, on a badge with round corners. */
export function agateIcon(size: number): Buffer {
  const rgba = new Uint8Array(size * size * 4);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) rgba.set(pixel(x, y, size), (y * size + x) * 4);
  }
  return encodePng({ width: size, height: size, rgba });
}

function pixel(x: number, y: number, size: number): [number, number, number, number] {
  let [red, green, blue, covered] = [0, 0, 0, 0];
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
    const u = (x + ((sample % SAMPLES) + 0.5) / SAMPLES) / size - 0.5;
    const v = (y + (floor(sample / SAMPLES) + 0.5) / SAMPLES) / size - 0.5;
    if (!isOnBadge(u, v)) continue;
    const colour = stone(u, v);
    red += colour[0];
    green += colour[1];
    blue += colour[2];
    covered += 1;
  }
  if (covered === 0) return [0, 0, 0, 0];
  return [red / covered, green / covered, blue / covered, (255 * covered) / (SAMPLES * SAMPLES)];
}

function isOnBadge(u: number, v: number): boolean {
  const inner = 0.5 - CORNER_RADIUS;
  return hypot(max(abs(u) - inner, 0), max(abs(v) - inner, 0)) <= CORNER_RADIUS;
}

/** The colour at a point, -0.5 to 0.5 both ways. Bands keep their distance from the heart, but wander as in the real stone. */
function stone(u: number, v: number): Colour {
  const [du, dv] = [u + 0.05, (v - 0.03) * 1.12];
  const angle = atan2(dv, du);
  const radius = hypot(du, dv);
  const wander = 0.05 * sin(3 * angle + 0.8) + 0.028 * sin(5 * angle - 1.9) + 0.005 * sin(9 * angle);
  const depth = max(0, (radius + wander * min(1, radius * 4)) * 1.65 + 0.004 * sin(radius * 120));
  const place = min(depth, 1) * (BANDS.length - 1);
  const inner = BANDS[floor(place)]!;
  const outer = BANDS[min(floor(place) + 1, BANDS.length - 1)]!;
  return mix(inner, outer, step(place - floor(place)));
}

/** 0 to 1 as the fraction passes through the middle. */
function step(fraction: number): number {
  const t = min(1, max(0, (fraction - SHARPNESS / 2) / (1 - SHARPNESS)));
  return t * t * (3 - 2 * t);
}

const mix = (a: Colour, b: Colour, t: number): Colour => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];
