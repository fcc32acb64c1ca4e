import { create } from 'qrcode';
import { qrCodeSvg } from './qr-code';

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
