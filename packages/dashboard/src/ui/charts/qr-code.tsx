import { useMemo } from 'react';
import { encode } from 'uqr';
import { classNames } from '../class-names';
import s from './charts.module.css';

export interface QrCodeProps {
  /** The encoded text, often a link. */
  readonly value: string;
  /** Name of the image: "QR code of the install link". */
  readonly label: string;
  /** As wide as its place. */
  readonly large?: boolean;
}

/** A QR code, drawn in the browser. */
export function QrCode({ value, label, large }: QrCodeProps) {
  const { size, path } = useMemo(() => draw(value), [value]);
  return (
    <svg role="img" aria-label={label} className={classNames(s.qr, large && s.large)} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} />
    </svg>
  );
}

function draw(value: string): { readonly size: number; readonly path: string } {
  const { size, data } = encode(value, { ecc: 'M', border: 3 });
  const path = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');
  return { size, path };
}
