import jsQR from 'jsqr';
import { terminalQr } from './qr';

const ADDRESS = 'https://agate.example.com/install/Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0Z2FycGx5';
const SCALE = 4;
/** The two modules that a character of text shows, upper and lower; true is dark. */
const MODULES: Readonly<Record<string, readonly [boolean, boolean]>> = {
  ' ': [false, false],
  '▀': [true, false],
  '▄': [false, true],
  '█': [true, true],
};

/** Reads a QR code as a camera would, from the colours that the terminal shows. */
function decoded(text: string, surroundings: number): string | undefined {
  const rows = text.split('\n').flatMap((line) => {
    // Both colours are set, so the terminal's own colours do not matter.
    expect(line).toMatch(/^\u001b\[38;5;16;48;5;231m[ ▀▄█]+\u001b\[0m$/);
    const cells = [...line.replaceAll(/\u001b\[[\d;]*m/g, '')].map((cell) => MODULES[cell]!);
    return [cells.map(([upper]) => upper), cells.map(([, lower]) => lower)];
  });
  const margin = 4;
  const size = (Math.max(rows.length, rows[0]!.length) + 2 * margin) * SCALE;
  const pixels = new Uint8ClampedArray(size * size * 4);
  for (let index = 0; index < size * size; index += 1) {
    const y = Math.floor(index / size / SCALE) - margin;
    const x = Math.floor((index % size) / SCALE) - margin;
    const module = rows[y]?.[x];
    const shade = module === undefined ? surroundings : module ? 0 : 255;
    pixels.set([shade, shade, shade, 255], index * 4);
  }
  return jsQR(pixels, size, size)?.data;
}

describe('A QR code in a terminal', () => {
  it.each([
    ['dark', 0],
    ['light', 255],
  ])('is readable on a %s background', (_name, shade) => {
    expect(decoded(terminalQr(ADDRESS), shade)).toBe(ADDRESS);
  });
});
