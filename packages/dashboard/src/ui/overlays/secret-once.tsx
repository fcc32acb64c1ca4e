import { type ReactNode, useState } from 'react';
import { Button } from '../actions/button';
import { CopyField } from '../actions/copy-field';
import { Checkbox } from '../forms/checkbox';
import { Dialog } from './dialog';

export interface SecretOnceProps {
  /** For example "Copy your token now". */
  readonly title: string;
  /** A text that says that the secret is shown only once. */
  readonly children?: ReactNode;
  /** Name of the read-only field. */
  readonly label: string;
  readonly value: string;
  readonly copyLabel: string;
  /** The label of the checkbox for readers who stored the secret in another way: "I have kept it". */
  readonly keptLabel: string;
  readonly doneLabel: string;
  /** The reason why "Done" does nothing yet. */
  readonly doneReason: string;
  readonly onDone: () => void;
  /** Shown below the field, for example a snippet. */
  readonly more?: ReactNode;
}

/** Shows a secret that cannot be shown again. Closes only after copying, or after a checkbox was ticked. */
export function SecretOnce(props: SecretOnceProps) {
  const { title, children, label, value, copyLabel, keptLabel, doneLabel, doneReason, onDone, more } = props;
  const [kept, setKept] = useState(false);
  return (
    <Dialog
      title={title}
      locked={!kept}
      onClose={onDone}
      footer={
        <Button variant="primary" disabledReason={kept ? undefined : doneReason} onClick={onDone}>
          {doneLabel}
        </Button>
      }
    >
      {children}
      <CopyField label={label} value={value} copyLabel={copyLabel} onCopied={() => setKept(true)} />
      {more}
      <Checkbox label={keptLabel} checked={kept} onChange={(event) => setKept(event.target.checked)} />
    </Dialog>
  );
}
