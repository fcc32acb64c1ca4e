import { create } from 'qrcode';

export const QR_CONTENT_TYPE = 'image/svg+xml; charset=utf-8';

/** Modules of white around the code (ISO/IEC 18004 asks for four). */
const QUIET_ZONE = 4;

/** A QR code of `text` as an SVG image: one path, presentation attributes only, dark on white whatever the page's colours. */
export function qrCodeSvg(text: string): string {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const side = modules.size + 2 * QUIET_ZONE;
  const runs: string[] = [];
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size;) {
      const start = column;
      while (column < modules.size && modules.get(row, column)) column++;
      if (column > start)
        runs.push(`M${start + QUIET_ZONE} ${row + QUIET_ZONE}h${column - start}v1H${start + QUIET_ZONE}z`);
      else column++;
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<rect width="${side}" height="${side}" fill="#fff"/><path d="${runs.join('')}" fill="#10201f"/></svg>`
  );
}
