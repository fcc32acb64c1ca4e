import { useEffect, useRef } from 'react';
import styles from './branding.module.css';

export const MAX_LOGO_BYTES = 64 * 1024;
export const MAX_LOGO_SIDE = 2_048;

/** The file as base64. */
export async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

const pictureOf = (base64: string): Promise<ImageBitmap> =>
  createImageBitmap(
    new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], { type: 'image/png' }),
  );

/** Why a file cannot be a logo. Null when it can. */
export async function problemOf(file: File): Promise<'type' | 'size' | 'sides' | null> {
  if (file.type !== 'image/png') return 'type';
  if (file.size > MAX_LOGO_BYTES) return 'size';
  try {
    const { width, height } = await createImageBitmap(file);
    return Math.max(width, height) > MAX_LOGO_SIDE ? 'sides' : null;
  } catch {
    return 'type';
  }
}

/** A logo that may not be stored yet. It is drawn, because the policy of the page loads pictures of the service only. */
export function Logo({ base64, label }: { readonly base64: string; readonly label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isCurrent = true;
    pictureOf(base64).then(
      (picture) => {
        if (!isCurrent || !canvas.current) return;
        canvas.current.width = picture.width;
        canvas.current.height = picture.height;
        canvas.current.getContext('2d')?.drawImage(picture, 0, 0);
      },
      // A picture with a valid header may still be damaged. The preview then shows none, as browsers of testers do.
      () => undefined,
    );
    return () => void (isCurrent = false);
  }, [base64]);
  return <canvas ref={canvas} role="img" aria-label={label} className={styles.logo} />;
}
