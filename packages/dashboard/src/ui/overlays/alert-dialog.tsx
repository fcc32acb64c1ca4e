import { type ReactNode, useId } from 'react';
import { Button } from '../actions/button';
import { classNames } from '../class-names';
import { useUiWords } from '../ui-words';
import { ModalFrame } from './dialog';
import s from './overlays.module.css';

export interface AlertDialogProps {
  /** A question: "Delete 2.1.0 (210)?". */
  readonly title: string;
  readonly open?: boolean;
  /** The consequence. */
  readonly children?: ReactNode;
  /** A verb and its object: "Delete build". */
  readonly confirmLabel: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly busy?: boolean;
  readonly disabledReason?: string;
  /** The error of the action. Its message is shown in an alert. */
  readonly error?: Error | null;
  /** Default `danger`. */
  readonly variant?: 'danger' | 'primary';
}

/** Asks for confirmation before an action that cannot be undone. Cancel has the focus. It does not close while it is busy. */
export function AlertDialog({ open = true, ...rest }: AlertDialogProps) {
  return open ? <OpenAlertDialog {...rest} /> : null;
}

function OpenAlertDialog(props: AlertDialogProps) {
  const { title, children, confirmLabel, onConfirm, onCancel, busy, disabledReason, error, variant = 'danger' } = props;
  const hasBody = Boolean(children) || Boolean(error);
  const words = useUiWords();
  const id = useId();
  return (
    <ModalFrame
      role="alertdialog"
      labelledBy={id}
      describedBy={hasBody ? `${id}-body` : undefined}
      onClose={onCancel}
      locked={busy}
      className={classNames(s.dialog, s.small)}
    >
      <div className={s.sheet}>
        <header className={s.dialogHead}>
          <h2 id={id}>{title}</h2>
        </header>
        {hasBody && (
          <div id={`${id}-body`} className={s.dialogBody}>
            {children}
            {error && <p role="alert">{error.message}</p>}
          </div>
        )}
        <footer className={s.dialogFoot}>
          <Button disabledReason={busy ? words.running : undefined} onClick={onCancel} data-autofocus>
            {words.cancel}
          </Button>
          <Button variant={variant} busy={busy} disabledReason={disabledReason} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </footer>
      </div>
    </ModalFrame>
  );
}
