import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from '../actions/button';
import { IconButton } from '../actions/icon-button';
import { classNames } from '../class-names';
import { Icon } from '../icons';
import { useUiWords } from '../ui-words';
import s from './overlays.module.css';

export interface ToastOptions {
  /** Default `success`. A `problem` is an alert and stays until it is closed. */
  readonly tone?: 'success' | 'info' | 'problem';
  readonly action?: { readonly label: string; readonly onClick: () => void };
  /** For an action that is possible for longer than a message is read. Default 6000. */
  readonly shownMs?: number;
}

export type ShowToast = (text: string, options?: ToastOptions) => void;

interface ToastItem extends ToastOptions {
  readonly id: number;
  readonly text: string;
}

const ToastContext = createContext<ShowToast | null>(null);
const SHOWN_MS = 6000;
const KEPT = 4;

/** Shows a short message about a completed action. @throws Error outside of a ToastProvider */
export function useToast(): ShowToast {
  const show = useContext(ToastContext);
  if (!show) throw new Error('Put the component inside a ToastProvider.');
  return show;
}

/** Holds the messages of the components below it. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const words = useUiWords();
  const [items, setItems] = useState<readonly ToastItem[]>([]);
  const lastId = useRef(0);
  const region = useRef<HTMLElement>(null);

  const show = useCallback<ShowToast>((text, options = {}) => {
    const item = { ...options, text, id: ++lastId.current };
    setItems((others) => [...others, item].slice(-KEPT));
  }, []);
  const drop = useCallback((id: number) => setItems((all) => all.filter((item) => item.id !== id)), []);

  // Each message moves the region in front of a dialog that has opened since.
  useLayoutEffect(() => {
    const element = region.current;
    if (!element) return;
    if (element.matches(':popover-open')) element.hidePopover();
    element.showPopover();
  }, [items.length]);

  return (
    <ToastContext.Provider value={useMemo(() => show, [show])}>
      {children}
      <section ref={region} popover="manual" aria-label={words.notifications} aria-live="polite" className={s.toasts}>
        {items.map((item) => (
          <Toast key={item.id} item={item} onClose={() => drop(item.id)} />
        ))}
      </section>
    </ToastContext.Provider>
  );
}

const ICONS = { success: 'success', info: 'info', problem: 'problem' } as const;

function Toast({ item, onClose }: { readonly item: ToastItem; readonly onClose: () => void }) {
  const words = useUiWords();
  const { tone = 'success', text, action, shownMs = SHOWN_MS } = item;
  const [held, setHeld] = useState(false);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    if (held || tone === 'problem') return;
    const timer = setTimeout(() => close.current(), shownMs);
    return () => clearTimeout(timer);
  }, [held, tone, shownMs]);
  return (
    <div
      className={classNames(s.toast, s[tone])}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={ICONS[tone]} />
      <div role={tone === 'problem' ? 'alert' : 'status'} className={s.toastText}>
        {text}
      </div>
      {action && (
        <Button
          variant="quiet"
          onClick={() => {
            action.onClick();
            onClose();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label={words.dismiss} icon="close" onClick={onClose} />
    </div>
  );
}
