import { type ReactNode } from 'react';
import s from './overlays.module.css';
import { useTooltip } from './use-tooltip';

export interface TooltipProps {
  readonly text: string;
  /** A short text or a badge. It becomes focusable, so that the text can be reached by keyboard. */
  readonly children: ReactNode;
}

/** Explains a piece of text on hover and focus. Buttons have `disabledReason` for this. */
export function Tooltip({ text, children }: TooltipProps) {
  const { id, handlers, tip } = useTooltip(text);
  return (
    <>
      <button type="button" className={s.explained} aria-describedby={id} {...handlers}>
        {children}
      </button>
      {tip}
    </>
  );
}
