import { useEffect, useState } from 'react';
import { type IconName } from '../icons';
import { useUiWords } from '../ui-words';
import s from './actions.module.css';
import { Button, type ButtonVariant } from './button';
import { IconButton } from './icon-button';
import { writeClipboard } from './write-clipboard';

export interface CopyButtonProps {
  readonly label: string;
  /** The text, or a function that returns it when the button is pressed. */
  readonly value: string | (() => string | Promise<string>);
  readonly variant?: ButtonVariant;
  /** Shows only an icon. */
  readonly iconOnly?: boolean;
  readonly disabledReason?: string;
  readonly onCopied?: () => void;
  /** The key that presses the button. */
  readonly shortcut?: string;
  readonly className?: string;
}

type Outcome = 'copied' | 'failed' | null;
const SHOWN_MS = 2500;

/** Copies a text and says "Copied" in a status beside it. */
export function CopyButton(props: CopyButtonProps) {
  const { label, value, variant, iconOnly, disabledReason, onCopied, shortcut, className } = props;
  const words = useUiWords();
  const [outcome, setOutcome] = useState<Outcome>(null);
  // Screen readers announce a status only if its element existed before its text.
  const [armed, setArmed] = useState(false);

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async (): Promise<void> => {
    const copied = await Promise.resolve(typeof value === 'string' ? value : value()).then(writeClipboard, () => false);
    setOutcome(copied ? 'copied' : 'failed');
    if (copied) onCopied?.();
  };
  const icon: IconName = outcome === 'copied' ? 'check' : 'copy';
  const button = { disabledReason, 'aria-keyshortcuts': shortcut, onClick: () => void copy() };
  return (
    <span className={s.copy} onFocus={() => setArmed(true)} onPointerEnter={() => setArmed(true)}>
      {iconOnly ? (
        <IconButton label={label} icon={icon} variant={variant} className={className} {...button} />
      ) : (
        <Button icon={icon} variant={variant} className={className} {...button}>
          {label}
        </Button>
      )}
      {(armed || outcome) && (
        <span role="status" className={outcome ? s.copied : 'visually-hidden'}>
          {outcome === 'copied' ? words.copied : outcome === 'failed' ? words.copyFailed : ''}
        </span>
      )}
    </span>
  );
}
