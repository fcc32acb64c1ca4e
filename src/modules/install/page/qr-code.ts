import { toString } from 'qrcode';

export const QR_CONTENT_TYPE = 'image/svg+xml; charset=utf-8';

/** As much white around as ISO/IEC 18004 asks for. */
const OPTIONS = { type: 'svg', errorCorrectionLevel: 'M', margin: 4, color: { dark: '#10201f' } } as const;

/** A QR code of `text` as an SVG image: presentation attributes only, dark on white whatever the page's colours. */
export const qrCodeSvg = (text: string): Promise<string> => toString(text, OPTIONS);
