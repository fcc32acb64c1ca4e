import { lazy, Suspense, useState } from 'react';
import { IconButton } from '../../ui';
import { type QrDialogProps } from './qr-dialog';

const QrDialog = lazy(async () => ({ default: (await import('./qr-dialog')).QrDialog }));

export interface QrButtonProps extends Omit<QrDialogProps, 'onClose'> {
  /** The name of the button. */
  readonly label: string;
}

/** An icon that opens a large QR code, for a phone that is held in front of the screen. */
export function QrButton({ label, ...dialog }: QrButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={label} icon="qr" onClick={() => setOpen(true)} />
      <Suspense>{isOpen && <QrDialog {...dialog} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
