import { useRef, useState } from 'react';
import { Button, DropZone, typeInto } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './branding.module.css';
import { base64Of, Logo, problemOf } from './logo';

interface LogoFieldProps {
  /** The logo that the service has, in base64; empty without one. */
  readonly stored: string;
  /** The logo of the form. */
  readonly shown: string;
}

/** The logo of the form. Its text field is hidden, so that a chosen picture is kept like typed text. */
export function LogoField({ stored, shown }: LogoFieldProps) {
  const words = useWords().branding.logo;
  const field = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState('');
  const set = (base64: string): void => {
    if (field.current) typeInto(field.current, base64);
  };
  const choose = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const found = await problemOf(file);
    setProblem(found === null ? '' : words.problems[found]);
    if (found === null) set(await base64Of(file));
  };
  return (
    <fieldset className={styles.fieldset}>
      <legend>{words.label}</legend>
      <textarea ref={field} name="logo" defaultValue={stored} hidden aria-hidden="true" tabIndex={-1} />
      {shown !== '' && (
        <div className={styles.chosen}>
          <Logo base64={shown} label={words.chosen} />
        </div>
      )}
      <DropZone
        label={words.drop}
        buttonLabel={shown === '' ? words.choose : words.replace}
        accept="image/png"
        onFiles={([file]) => void choose(file)}
      />
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
      {shown !== '' && (
        <div>
          <Button onClick={() => set('')}>{words.remove}</Button>
        </div>
      )}
    </fieldset>
  );
}
