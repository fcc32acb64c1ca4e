import { useMemo } from 'react';
import { encode } from 'uqr';
import s from './charts.module.css';

export interface QrCodeProps {
  /** The encoded text, often a link. */
  readonly value: string;
  /** Name of the image: "QR code of the install link". */
  readonly label: string;
}

/** A QR code, drawn in the browser. */
export function QrCode({ value, label }: QrCodeProps) {
  const { size, path } = useMemo(() => draw(value), [value]);
  return (
    <svg role="img" aria-label={label} className={s.qr} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} />
    </svg>
  );
}

function draw(value: string): { readonly size: number; readonly path: string } {
  const { size, data } = encode(value, { ecc: 'M', border: 3 });
  const path = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');
  return { size, path };
}
