import { encode } from 'uqr';

/** The pixels of one module: large enough for print. */
const SCALE = 16;

/** Lets the browser save a QR code as a PNG. It is drawn here, because the service has no picture of a link with rules. */
export async function saveQrPng(value: string, name: string): Promise<void> {
  const { size, data } = encode(value, { ecc: 'M', border: 3 });
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size * SCALE;
  const pen = canvas.getContext('2d');
  if (!pen) return;
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = '#000';
  data.forEach((row, y) => row.forEach((dark, x) => dark && pen.fillRect(x * SCALE, y * SCALE, SCALE, SCALE)));
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!picture) return;
  const address = URL.createObjectURL(picture);
  const link = document.createElement('a');
  link.href = address;
  link.download = `${fileNameOf(name)}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The name without what file systems do not allow. */
const fileNameOf = (name: string): string => name.replace(/[^\p{L}\p{N}.-]+/gu, '-').replace(/^[-.]+|-+$/g, '') || 'qr';
