import { type ReactNode, type SyntheticEvent, useId, useRef } from 'react';
import s from './overlays.module.css';
import { placeBeside } from './placement';

const LINGER_MS = 120;

interface TooltipHandlers {
  readonly onPointerEnter: (event: SyntheticEvent) => void;
  readonly onPointerLeave: (event: SyntheticEvent) => void;
  readonly onFocus: (event: SyntheticEvent) => void;
  readonly onBlur: (event: SyntheticEvent) => void;
  readonly onKeyDown: (event: React.KeyboardEvent) => void;
}

export interface TooltipParts {
  /** The id for aria-describedby; undefined without a text. */
  readonly id: string | undefined;
  readonly handlers: Partial<TooltipHandlers>;
  /** Must directly follow the element that it belongs to. */
  readonly tip: ReactNode;
}

/**
 * A text beside an element on hover and focus, unless the element has opened a menu, which the text could cover. Escape hides it, and the
 * pointer may move onto it.
 */
export function useTooltip(text: string | undefined): TooltipParts {
  const id = useId();
  const tip = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  if (text === undefined) return { id: undefined, handlers: {}, tip: null };

  const show = (anchor: Element): void => {
    clearTimeout(timer.current);
    const element = tip.current;
    if (!element || element.matches(':popover-open') || anchor.ariaExpanded === 'true') return;
    element.showPopover();
    placeBeside(anchor, element, { side: 'above', align: 'center' });
  };
  const hide = (): void => {
    clearTimeout(timer.current);
    if (tip.current?.matches(':popover-open')) tip.current.hidePopover();
  };
  const hideSoon = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(hide, LINGER_MS);
  };

  return {
    id,
    handlers: {
      onPointerEnter: (event) => show(event.currentTarget),
      onPointerLeave: hideSoon,
      onFocus: ({ currentTarget }) => {
        clearTimeout(timer.current);
        // A closing menu returns the focus while it is being hidden. Until it is hidden, browsers reject another popover.
        if (currentTarget.matches(':focus-visible')) timer.current = setTimeout(() => show(currentTarget));
      },
      onBlur: hide,
      onKeyDown: (event) => event.key === 'Escape' && hide(),
    },
    tip: (
      <span
        ref={tip}
        id={id}
        role="tooltip"
        popover="manual"
        className={s.tooltip}
        onPointerEnter={() => clearTimeout(timer.current)}
        onPointerLeave={hideSoon}
      >
        {text}
      </span>
    ),
  };
}
