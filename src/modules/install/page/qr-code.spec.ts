import { inflateSync } from 'node:zlib';
import jsQR from 'jsqr';
import { create } from 'qrcode';
import { qrCodePng, qrCodeSvg } from './qr-code';

const URL_TEXT = 'https://get.example.com/install/agi_3kV9mQ2xT7pLw8RzB4nYc6HdJ1sFgA5uEoKi0XvMtNq2WyPbC';

describe('qrCodeSvg', () => {
  // red when: the margin is not four modules, or the error correction level is not M
  it('has a margin of four modules and error correction level M', async () => {
    const { modules } = create(URL_TEXT, { errorCorrectionLevel: 'M' });
    expect(await qrCodeSvg(URL_TEXT)).toContain(`viewBox="0 0 ${modules.size + 8} ${modules.size + 8}"`);
  });

  it('contains neither the text nor a style', async () => {
    expect(await qrCodeSvg('"><script>alert(1)</script>')).toMatch(
      /^<svg xmlns="[^"]+" viewBox="[\d ]+" shape-rendering="crispEdges"><path [^<>]+\/><path [^<>]+\/><\/svg>\n$/,
    );
    expect(await qrCodeSvg(URL_TEXT)).not.toMatch(/style|script/);
  });
});

describe('qrCodePng', () => {
  /** Reads the PNG: signature and IHDR are 33 bytes, IEND is 12, and IDAT is between them. */
  const read = (png: Buffer) => {
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    const rows = inflateSync(png.subarray(33 + 8, png.length - 12 - 4));
    const rowBytes = 1 + Math.ceil(width / 8);
    const pixels = new Uint8ClampedArray(width * height * 4);
    for (let at = 0; at < width * height; at += 1) {
      const [x, y] = [at % width, Math.floor(at / width)];
      const isWhite = (rows[y * rowBytes + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1;
      pixels.set([...Array<number>(3).fill(isWhite * 255), 255], at * 4);
    }
    return { width, height, text: jsQR(pixels, width, height)?.data };
  };

  // red when: the bits of a row are in the other order, white is 0, or the rows lack the byte of the filter
  it.each([128, 129, 200, 512, 2048])('is read as the same text at %i pixels', (size) => {
    expect(read(qrCodePng(URL_TEXT, size))).toEqual({ width: size, height: size, text: URL_TEXT });
  });

  it('is as large as its modules when the size is smaller', () => {
    const long = `https://get.example.com/install/${'a'.repeat(300)}`;
    const { modules } = create(long, { errorCorrectionLevel: 'M' });
    expect(read(qrCodePng(long, 64))).toMatchObject({ width: modules.size + 8, height: modules.size + 8 });
  });

  it('has one bit for each pixel', () => {
    expect([...qrCodePng(URL_TEXT, 512).subarray(24, 26)]).toEqual([1, 0]);
    expect(qrCodePng(URL_TEXT, 512).length).toBeLessThan(2_500);
  });
});
