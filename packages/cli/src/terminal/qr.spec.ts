import jsQR from 'jsqr';
import { terminalQr } from './qr';

const ADDRESS = 'https://agate.example.com/install/Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0Z2FycGx5';
const SCALE = 4;
/** The two halves of a character of text, upper and lower; true is painted. */
const HALVES: Readonly<Record<string, readonly [boolean, boolean]>> = {
  ' ': [false, false],
  '▀': [true, false],
  '▄': [false, true],
  '█': [true, true],
};

interface Shades {
  readonly painted: number;
  readonly background: number;
  readonly surroundings: number;
}

/** Reads a QR code as a camera would, from the colours that the terminal shows. */
function decoded(text: string, { painted, background, surroundings }: Shades): string | undefined {
  const rows = text.split('\n').flatMap((line) => {
    const cells = [...line.replaceAll(/\u001b\[[\d;]*m/g, '')].map((cell) => HALVES[cell]!);
    return [cells.map(([upper]) => upper), cells.map(([, lower]) => lower)];
  });
  const margin = 4;
  const size = (Math.max(rows.length, rows[0]!.length) + 2 * margin) * SCALE;
  const pixels = new Uint8ClampedArray(size * size * 4);
  for (let index = 0; index < size * size; index += 1) {
    const y = Math.floor(index / size / SCALE) - margin;
    const x = Math.floor((index % size) / SCALE) - margin;
    const half = rows[y]?.[x];
    const shade = half === undefined ? surroundings : half ? painted : background;
    pixels.set([shade, shade, shade, 255], index * 4);
  }
  return jsQR(pixels, size, size)?.data;
}

const [BLACK, WHITE] = [0, 255];

describe('A QR code in a terminal', () => {
  it.each([
    ['dark', BLACK],
    ['light', WHITE],
  ])('is readable on a %s background', (_name, surroundings) => {
    const text = terminalQr(ADDRESS, true);
    // Both colours are set, so the terminal's own colours do not matter.
    for (const line of text.split('\n')) expect(line).toMatch(/^\u001b\[38;5;16;48;5;231m[ ▀▄█]+\u001b\[0m$/);
    expect(decoded(text, { painted: BLACK, background: WHITE, surroundings })).toBe(ADDRESS);
  });

  it.each([
    ['dark', BLACK, WHITE],
    ['light', WHITE, BLACK],
  ])('is readable without colours on a %s background', (_name, background, painted) => {
    const text = terminalQr(ADDRESS, false);
    expect(text).toMatch(/^[ ▀▄█\n]+$/);
    expect(decoded(text, { painted, background, surroundings: background })).toBe(ADDRESS);
  });

  // red when: without colours the dark modules are painted, so that most terminals show the negative
  it('has a light margin on a dark background without colours', () => {
    expect(terminalQr(ADDRESS, false).split('\n', 1)[0]).toMatch(/^█+$/);
  });
});
