import {
  type FocusEvent as ReactFocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { classNames } from '../class-names';
import { Icon, type IconName } from '../icons';
import { returnFocus } from '../layout/focus-heading';
import s from './overlays.module.css';

export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  /** Shown after the label: the project, the kind. */
  readonly detail?: string;
  readonly shortcut?: string;
  readonly onSelect: () => void;
}

export interface PaletteGroup {
  readonly label: string;
  readonly items: readonly PaletteItem[];
}

export interface PaletteProps {
  /** Name of the dialog and of the combobox, and the placeholder. */
  readonly label: string;
  readonly open?: boolean;
  readonly onClose: () => void;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** The results, already filtered, the best first. */
  readonly groups: readonly PaletteGroup[];
  /** Name of the list box: "Results". */
  readonly resultsLabel: string;
  /** Shown and announced when there are no results. */
  readonly emptyText: string;
  /** Announced after each change: "7 results". */
  readonly status?: string;
  readonly footer?: ReactNode;
}

/** A search over everything: a combobox with a list box, in a dialog. An action runs after the palette has closed. */
export function Palette({ open = true, ...rest }: PaletteProps) {
  return open ? <OpenPalette {...rest} /> : null;
}

function OpenPalette(props: PaletteProps) {
  const { label, onClose, query, onQuery, groups, resultsLabel, emptyText, status, footer } = props;
  const id = useId();
  const items = groups.flatMap((group) => group.items);
  const [active, setActiveId] = useActive(items, id);
  const optionId = (item: PaletteItem): string => `${id}-${item.id}`;

  const select = (item: PaletteItem): void => {
    onClose();
    // The dialog returns the focus first, so that the next dialog knows its opener.
    setTimeout(item.onSelect);
  };
  const keyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const at = active ? items.indexOf(active) : -1;
    const target = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (target !== undefined && items.length > 0) setActiveId(items.at(target % items.length)?.id);
    else if (event.key === 'Enter' && active) select(active);
    else return;
    event.preventDefault();
  };
  return (
    <PaletteFrame label={label} onClose={onClose}>
      <div className={s.paletteHead}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-label={label}
          aria-expanded={items.length > 0}
          aria-controls={items.length > 0 ? id : undefined}
          aria-autocomplete="list"
          aria-activedescendant={active && optionId(active)}
          placeholder={label}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setActiveId(undefined);
            onQuery(event.target.value);
          }}
          onKeyDown={keyDown}
        />
      </div>
      {items.length > 0 ? (
        <div id={id} role="listbox" aria-label={resultsLabel} className={s.results}>
          {groups.map((group) => (
            <Results key={group.label} {...{ group, active, optionId }} onActive={setActiveId} onSelect={select} />
          ))}
        </div>
      ) : (
        <p className={s.noResults}>{emptyText}</p>
      )}
      <div role="status" className="visually-hidden">
        {items.length > 0 ? status : emptyText}
      </div>
      {footer && <footer className={s.paletteFoot}>{footer}</footer>}
    </PaletteFrame>
  );
}

type PaletteFrameProps = Pick<PaletteProps, 'label' | 'onClose'> & { readonly children: ReactNode };

/**
 * The dialog of the palette, with the focus in its field until it closes. It is not shown by `showModal()`, which makes the rest of the page
 * inert: for that, the browser computes the style of each element again, which takes half of the time until a palette over a long list is shown.
 */
function PaletteFrame({ label, onClose, children }: PaletteFrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<Element | null>(null);
  const pressedOutside = useRef(false);
  useLayoutEffect(() => {
    const field = dialog.current?.querySelector('input');
    opener.current ??= document.activeElement;
    // A screen that is still loading would focus its heading.
    const keepFocus = ({ target }: FocusEvent): void => {
      if (target !== field) field?.focus();
    };
    field?.focus();
    addEventListener('focusin', keepFocus);
    return () => {
      removeEventListener('focusin', keepFocus);
      // The element that opened the palette may be removed in the same commit.
      queueMicrotask(() => returnFocus(opener.current));
    };
  }, []);
  /** A press on a message above the palette takes the focus from the field, and gives it to nothing. */
  const blurred = ({ target, relatedTarget }: ReactFocusEvent<HTMLElement>): void => {
    if (relatedTarget === null) setTimeout(() => document.hasFocus() && target.focus());
  };
  const keyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClose();
    if (event.key === 'Escape' || event.key === 'Tab') event.preventDefault();
  };
  const pressed = (event: MouseEvent): void => {
    pressedOutside.current = event.target === event.currentTarget;
    // Nothing but the field takes the focus.
    if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
  };
  const clicked = (event: MouseEvent): void => {
    if (pressedOutside.current && event.target === event.currentTarget) onClose();
  };
  return (
    <dialog
      ref={dialog}
      open
      aria-modal="true"
      aria-label={label}
      className={s.palette}
      closedby="closerequest"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={onClose}
      onBlur={blurred}
      onKeyDown={keyDown}
      onMouseDown={pressed}
      onClick={clicked}
    >
      <div className={classNames(s.sheet, s.paletteSheet)}>{children}</div>
    </dialog>
  );
}

/** The option that Enter selects: the highlighted one, else the first. It is scrolled into view. */
function useActive(items: readonly PaletteItem[], listId: string) {
  const [activeId, setActiveId] = useState<string>();
  const active = items.find((item) => item.id === activeId) ?? items[0];
  const optionId = active && `${listId}-${active.id}`;
  useEffect(() => {
    if (optionId) document.getElementById(optionId)?.scrollIntoView({ block: 'nearest' });
  }, [optionId]);
  return [active, setActiveId] as const;
}

interface ResultsProps {
  readonly group: PaletteGroup;
  readonly active: PaletteItem | undefined;
  readonly optionId: (item: PaletteItem) => string;
  readonly onActive: (id: string) => void;
  readonly onSelect: (item: PaletteItem) => void;
}

function Results({ group, active, optionId, onActive, onSelect }: ResultsProps) {
  if (group.items.length === 0) return null;
  return (
    <div role="group" aria-label={group.label}>
      <div className={s.menuLabel} aria-hidden="true">
        {group.label}
      </div>
      {group.items.map((item) => (
        <div
          key={item.id}
          id={optionId(item)}
          role="option"
          aria-selected={item === active}
          className={classNames(s.entry, item === active && s.entryActive)}
          onPointerMove={() => item !== active && onActive(item.id)}
          onClick={() => onSelect(item)}
        >
          {item.icon && <Icon name={item.icon} />}
          <span className={s.entryLabel}>{item.label}</span>
          {item.detail && <span className={s.entryAside}>{item.detail}</span>}
          {item.shortcut && (
            <kbd className={s.entryKey} aria-hidden="true">
              {item.shortcut}
            </kbd>
          )}
        </div>
      ))}
    </div>
  );
}
