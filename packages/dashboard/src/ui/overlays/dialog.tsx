import {
  type PointerEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { IconButton } from '../actions/icon-button';
import { classNames } from '../class-names';
import { returnFocus } from '../layout/focus-heading';
import { useUiWords } from '../ui-words';
import s from './overlays.module.css';

export interface DialogProps {
  /** The exact accessible name. */
  readonly title: string;
  /** Default true: render the dialog only while it is open. */
  readonly open?: boolean;
  /** Called after Escape, the close button, or a press on the backdrop. */
  readonly onClose: () => void;
  readonly children?: ReactNode;
  /** The buttons. */
  readonly footer?: ReactNode;
  /** 26, 34 or 52 rem. Default `medium`. */
  readonly size?: 'small' | 'medium' | 'large';
  /** Removes the close button; neither Escape nor the backdrop closes. */
  readonly locked?: boolean;
  /** An action is running, whose outcome the reader must see: nothing closes the dialog. */
  readonly busy?: boolean;
}

/** A modal dialog. It closes only when a press begins and ends on the backdrop, and returns the focus. */
export function Dialog({ open = true, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} /> : null;
}

function OpenDialog({ title, onClose, children, footer, size = 'medium', locked = false, busy = false }: DialogProps) {
  const words = useUiWords();
  const id = useId();
  return (
    <ModalFrame labelledBy={id} onClose={onClose} locked={locked || busy} className={classNames(s.dialog, s[size])}>
      <div className={s.sheet}>
        <header className={s.dialogHead}>
          <h2 id={id}>{title}</h2>
          {!locked && (
            <IconButton
              label={words.close}
              icon="close"
              disabledReason={busy ? words.running : undefined}
              onClick={onClose}
            />
          )}
        </header>
        <div className={s.dialogBody}>{children}</div>
        {footer && <footer className={s.dialogFoot}>{footer}</footer>}
      </div>
    </ModalFrame>
  );
}

interface ModalFrameProps {
  readonly role?: 'alertdialog';
  readonly labelledBy?: string;
  readonly describedBy?: string;
  readonly onClose: () => void;
  readonly locked?: boolean;
  readonly className: string;
  readonly children: ReactNode;
}

/** The element with `data-autofocus`, else the first field, of radio buttons the chosen one; else the browser's choice stays. */
const firstToFocus = (dialog: HTMLElement | null): HTMLElement | null =>
  dialog?.querySelector<HTMLElement>('[data-autofocus]') ??
  dialog?.querySelector<HTMLElement>(
    'input:not([type="hidden"], [hidden], [type="radio"]:not(:checked)), select, textarea',
  ) ??
  null;

/** The behaviour of every modal dialog, without styles. */
export function ModalFrame(props: ModalFrameProps) {
  const { role, labelledBy, describedBy, onClose, locked = false, className, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedOutside = useRef(false);
  const closesItself = useRef(false);

  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    if (element && !element.open) element.showModal();
    // The browser would focus the button that closes the dialog, and Enter would press it.
    (firstToFocus(element) ?? element)?.focus();
    return () => {
      closesItself.current = element?.open ?? false;
      element?.close();
      // The element that opened the dialog may be removed in the same commit.
      queueMicrotask(() => returnFocus(opener));
    };
  }, []);

  // The content may arrive after the dialog.
  useEffect(() => {
    if (document.activeElement === dialog.current) firstToFocus(dialog.current)?.focus();
  });

  const cancel = (event: SyntheticEvent): void => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    if (!locked) onClose();
  };
  // Browsers do not let a page refuse the second of two Escapes.
  const closed = (event: SyntheticEvent<HTMLDialogElement>): void => {
    const { target, currentTarget } = event;
    if (target !== currentTarget || !currentTarget.isConnected) return;
    // The effect closes a dialog that React hides while part of it loads, and opens it again. The reader did not close it.
    const hidden = closesItself.current;
    closesItself.current = false;
    if (hidden || currentTarget.open) return;
    if (locked) currentTarget.showModal();
    else onClose();
  };
  const released = (event: PointerEvent): void => {
    const outside = pressedOutside.current && event.target === event.currentTarget;
    pressedOutside.current = false;
    if (outside && !locked) onClose();
  };
  return (
    <dialog
      ref={dialog}
      role={role}
      tabIndex={-1}
      className={className}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      closedby={locked ? 'none' : 'closerequest'}
      onCancel={cancel}
      onClose={closed}
      onPointerDown={(event) => (pressedOutside.current = event.target === event.currentTarget)}
      onPointerUp={released}
    >
      {children}
    </dialog>
  );
}
