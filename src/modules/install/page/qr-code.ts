import { toString } from 'qrcode';

export const QR_CONTENT_TYPE = 'image/svg+xml; charset=utf-8';

/** ISO/IEC 18004 requires a white margin of four modules. */
const OPTIONS = { type: 'svg', errorCorrectionLevel: 'M', margin: 4, color: { dark: '#10201f' } } as const;

/** A QR code of `text` as an SVG image, dark on white in every colour scheme. It contains no style and no script. */
export const qrCodeSvg = (text: string): Promise<string> => toString(text, OPTIONS);
