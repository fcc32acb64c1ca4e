import { create } from 'qrcode';
import { qrCodeSvg } from './qr-code';

const URL_TEXT = 'https://get.example.com/install/agi_3kV9mQ2xT7pLw8RzB4nYc6HdJ1sFgA5uEoKi0XvMtNq2WyPbC';

/** Reads the picture back into modules, quiet zone removed. */
function modulesOf(svg: string): boolean[][] {
  const side = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]) - 8;
  const grid = Array.from({ length: side }, () => Array.from({ length: side }, () => false));
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g)) {
    for (let step = 0; step < Number(width); step++) grid[Number(y) - 4]![Number(x) - 4 + step] = true;
  }
  return grid;
}

describe('qrCodeSvg', () => {
  it('draws every module of the code, and only those', () => {
    const { modules } = create(URL_TEXT, { errorCorrectionLevel: 'M' });
    const expected = Array.from({ length: modules.size }, (_row, row) =>
      Array.from({ length: modules.size }, (_column, column) => Boolean(modules.get(row, column))),
    );
    expect(modulesOf(qrCodeSvg(URL_TEXT))).toEqual(expected);
  });

  it('shows nothing of the text, and needs no style', () => {
    expect(qrCodeSvg('"><script>alert(1)</script>')).toMatch(
      /^<svg xmlns="[^"]+" viewBox="[\d ]+" shape-rendering="crispEdges"><rect [^<>]+\/><path [^<>]+\/><\/svg>$/,
    );
    expect(qrCodeSvg(URL_TEXT)).not.toMatch(/style|script/);
  });
});
