import { useState } from 'react';
import { saveFile } from '../../../parts/files/save-file';
import { Button, Checkbox, CopyButton, Dialog, Inline } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from '../account.module.css';

/** Shows the recovery codes, once. Closes only after they were copied or saved, or after a checkbox was ticked. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { mfa } = useWords().account.security;
  const [kept, setKept] = useState(false);
  const save = (): void => {
    saveFile('agate-recovery-codes.txt', `${codes.join('\n')}\n`, 'text/plain');
    setKept(true);
  };
  return (
    <Dialog
      title={mfa.codesTitle}
      size="small"
      locked
      onClose={onDone}
      footer={
        <Button variant="primary" disabledReason={kept ? undefined : mfa.doneReason} onClick={onDone}>
          {mfa.done}
        </Button>
      }
    >
      <p>{mfa.codesText}</p>
      <ul aria-label={mfa.codes} className={styles.codes}>
        {codes.map((code) => (
          <li key={code} className="mono">
            {code}
          </li>
        ))}
      </ul>
      <Inline>
        <CopyButton label={mfa.copyCodes} value={codes.join('\n')} onCopied={() => setKept(true)} />
        <Button icon="download" onClick={save}>
          {mfa.saveCodes}
        </Button>
      </Inline>
      <Checkbox label={mfa.kept} checked={kept} onChange={({ target }) => setKept(target.checked)} />
    </Dialog>
  );
}
