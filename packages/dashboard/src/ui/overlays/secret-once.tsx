import { type ReactNode, useState } from 'react';
import { Button } from '../actions/button';
import { CopyField } from '../actions/copy-field';
import { Checkbox } from '../forms/checkbox';
import { Dialog } from './dialog';

export interface SecretWords {
  /** For example "Copy your token now". */
  readonly title: string;
  /** Says that the secret is shown only once. */
  readonly text: string;
  /** Name of the read-only field. */
  readonly label: string;
  /** The label of the button that copies. */
  readonly copy: string;
  /** The label of the checkbox for readers who stored the secret in another way: "I have kept it". */
  readonly kept: string;
  readonly done: string;
  /** The reason why "Done" does nothing yet. */
  readonly reason: string;
}

export interface SecretOnceProps {
  readonly words: SecretWords;
  readonly value: string;
  readonly onDone: () => void;
  /** Shown below the field, for example a snippet. */
  readonly more?: ReactNode;
}

/** Shows a secret that cannot be shown again. Closes only after copying, or after a checkbox was ticked. */
export function SecretOnce({ words, value, onDone, more }: SecretOnceProps) {
  const [kept, setKept] = useState(false);
  return (
    <Dialog
      title={words.title}
      locked={!kept}
      onClose={onDone}
      footer={
        <Button variant="primary" disabledReason={kept ? undefined : words.reason} onClick={onDone}>
          {words.done}
        </Button>
      }
    >
      <p>{words.text}</p>
      <CopyField label={words.label} value={value} copyLabel={words.copy} onCopied={() => setKept(true)} />
      {more}
      <Checkbox label={words.kept} checked={kept} onChange={(event) => setKept(event.target.checked)} />
    </Dialog>
  );
}
