import { Button, CopyField, Dialog, QrCode } from '../../ui';
import { useWords } from '../../words/words-provider';
import { saveQrPng } from './qr-png';

export interface QrDialogProps {
  /** What the link opens. */
  readonly title: string;
  readonly link: string;
  /** The name of the picture. */
  readonly picture: string;
  readonly copyLabel: string;
  readonly onClose: () => void;
}

/** A large QR code with its link, to copy and to save. */
export function QrDialog({ title, link, picture, copyLabel, onClose }: QrDialogProps) {
  const words = useWords().links;
  return (
    <Dialog
      size="small"
      title={title}
      onClose={onClose}
      footer={
        <Button icon="download" onClick={() => void saveQrPng(link, title)}>
          {words.download}
        </Button>
      }
    >
      <QrCode value={link} label={picture} large />
      <CopyField hideLabel label={title} value={link} copyLabel={copyLabel} />
    </Dialog>
  );
}
