import { useEffect, useState } from 'react';
import s from './charts.module.css';

export interface QrCodeProps {
  /** The text it holds, often a link. */
  readonly value: string;
  /** Name of the image: "QR code of the install link". */
  readonly label: string;
}

interface Drawing {
  readonly value: string;
  readonly size: number;
  readonly path: string;
}

/** A QR code, drawn in the browser. */
export function QrCode({ value, label }: QrCodeProps) {
  const [drawing, setDrawing] = useState<Drawing>();
  useEffect(() => {
    let wanted = true;
    void draw(value).then((drawn) => wanted && setDrawing(drawn));
    return () => {
      wanted = false;
    };
  }, [value]);
  if (drawing?.value !== value) return <div className={s.qr} aria-busy="true" />;
  return (
    <svg role="img" aria-label={label} className={s.qr} viewBox={`0 0 ${drawing.size} ${drawing.size}`}>
      <path d={drawing.path} />
    </svg>
  );
}

async function draw(value: string): Promise<Drawing> {
  const { encode } = await import('uqr');
  const { size, data } = encode(value, { ecc: 'M', border: 3 });
  const path = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');
  return { value, size, path };
}
