import { useId } from 'react';
import s from './actions.module.css';
import { CopyButton } from './copy-button';

export interface CodeBlockProps {
  readonly label: string;
  readonly text: string;
  readonly copyLabel: string;
  /** The text to copy when it differs from the shown one, for example with the real token. */
  readonly copyText?: string;
  readonly onCopied?: () => void;
}

/** A snippet of code with its copy button. */
export function CodeBlock({ label, text, copyLabel, copyText = text, onCopied }: CodeBlockProps) {
  const id = useId();
  return (
    <figure className={s.code} aria-labelledby={id}>
      <figcaption className={s.codeHead}>
        <span id={id}>{label}</span>
        <CopyButton label={copyLabel} value={copyText} variant="quiet" onCopied={onCopied} />
      </figcaption>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
