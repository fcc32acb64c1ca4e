import { AlertDialog } from '../../ui';
import { useWords } from '../../words/words-provider';

export interface DiscardQuestionProps {
  /** The name of the file. */
  readonly name: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks before what has arrived is deleted. */
export function DiscardQuestion({ name, onConfirm, onCancel }: DiscardQuestionProps) {
  const words = useWords().uploads;
  return (
    <AlertDialog
      title={words.discardTitle(name)}
      confirmLabel={words.discardUpload}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p>{words.discardText}</p>
    </AlertDialog>
  );
}
