import { CopyField, Dialog, QrCode } from '../../ui';

export interface QrDialogProps {
  /** What the link opens. */
  readonly title: string;
  readonly link: string;
  /** The name of the picture. */
  readonly picture: string;
  readonly copyLabel: string;
  readonly onClose: () => void;
}

/** A large QR code with its link. */
export function QrDialog({ title, link, picture, copyLabel, onClose }: QrDialogProps) {
  return (
    <Dialog size="small" title={title} onClose={onClose}>
      <QrCode value={link} label={picture} large />
      <CopyField hideLabel label={title} value={link} copyLabel={copyLabel} />
    </Dialog>
  );
}
