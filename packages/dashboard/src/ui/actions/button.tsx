import { type ComponentProps, type MouseEvent, type ReactNode } from 'react';
import { classNames, idList } from '../class-names';
import { Icon, type IconName } from '../icons';
import { useTooltip } from '../overlays/use-tooltip';
import { useUiWords } from '../ui-words';
import s from './actions.module.css';

export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'quiet';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  /** Default `secondary`. */
  readonly variant?: ButtonVariant;
  readonly icon?: IconName;
  /** Shows the icon after the text instead of before it. */
  readonly iconAtEnd?: boolean;
  /** An action is running: the button shows it and ignores presses. */
  readonly busy?: boolean;
  /** The reason why the button does nothing now: it has a lock, stays focusable, and the reason is shown and announced. */
  readonly disabledReason?: string;
  /** The reason why there is nothing to do yet, for example an empty form. As `disabledReason`, without a lock: the reader may do it. */
  readonly missing?: string | undefined;
  readonly children?: ReactNode;
}

/** The classes that make a link look like a button, for the router's links. */
export const buttonClass = (variant: ButtonVariant = 'secondary', ...more: (string | undefined)[]): string =>
  classNames(s.button, s[variant], ...more);

/** A button with a text. Its type is `button` by default. */
export function Button(props: ButtonProps) {
  const { variant, icon, iconAtEnd, busy, disabledReason, missing, className, children, ...rest } = props;
  const { running } = useUiWords();
  // An action that runs for a second must not move the button beside it.
  const isLocked = disabledReason !== undefined && disabledReason !== running;
  const shown = isLocked ? 'lock' : icon;
  const glyph = busy ? <Icon name="spinner" className={s.spinner} /> : shown ? <Icon name={shown} /> : null;
  return (
    <PlainButton
      busy={busy}
      disabledReason={disabledReason ?? missing}
      className={buttonClass(variant, className)}
      {...rest}
    >
      {!iconAtEnd && glyph}
      {children}
      {iconAtEnd && glyph}
    </PlainButton>
  );
}

interface PlainButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  readonly busy?: boolean;
  readonly disabledReason?: string;
  /** A text that is only visible, because the button's name already contains it. */
  readonly caption?: string;
}

/** The behaviour of all buttons, without styles. */
export function PlainButton({ busy, disabledReason, caption, onClick, ...rest }: PlainButtonProps) {
  const { id, handlers, tip } = useTooltip(disabledReason ?? caption);
  const off = busy === true || disabledReason !== undefined;
  const click = (event: MouseEvent<HTMLButtonElement>): void => {
    if (!off) return onClick?.(event);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <button
        type="button"
        {...rest}
        {...handlers}
        aria-disabled={off || undefined}
        aria-busy={busy || undefined}
        aria-describedby={idList(rest['aria-describedby'], disabledReason !== undefined && id)}
        onClick={click}
      />
      {tip}
    </>
  );
}
