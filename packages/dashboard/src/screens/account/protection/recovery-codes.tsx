import { useState } from 'react';
import { saveFile } from '../../../parts/files/save-file';
import { Button, Checkbox, CopyButton, Dialog, Inline } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from '../account.module.css';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onKept: () => void;
  readonly onClose: () => void;
}

/** Shows the recovery codes, once. Goes on only after they were copied or saved, or after a checkbox was ticked. */
export function RecoveryCodes({ codes, onKept, onClose }: RecoveryCodesProps) {
  const words = useWords();
  const { mfa } = words.account.security;
  const [kept, setKept] = useState(false);
  const save = (): void => {
    saveFile('agate-recovery-codes.txt', `${codes.join('\n')}\n`, 'text/plain');
    setKept(true);
  };
  return (
    <Dialog
      title={mfa.codesTitle}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.ui.cancel}</Button>
          <Button variant="primary" disabledReason={kept ? undefined : mfa.keepReason} onClick={onKept}>
            {mfa.next}
          </Button>
        </>
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
