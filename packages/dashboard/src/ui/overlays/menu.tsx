import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type ToggleEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Button, type ButtonProps, type ButtonVariant } from '../actions/button';
import { IconButton } from '../actions/icon-button';
import { classNames, idList } from '../class-names';
import { Icon, type IconName } from '../icons';
import { VisuallyHidden } from '../visually-hidden';
import s from './overlays.module.css';
import { placeBeside } from './placement';

export interface MenuAction {
  readonly label: string;
  readonly icon?: IconName;
  readonly danger?: boolean;
  /** Makes it a link, which also opens in a new tab. */
  readonly href?: string;
  readonly onSelect?: () => void;
  readonly disabledReason?: string;
  /** When set, the entry is a radio item of its section. */
  readonly checked?: boolean;
  /** Shown at the end, for example a key. */
  readonly aside?: string;
}

/** Entries with a line above them. */
export interface MenuSection {
  /** Shown above the entries, and the name of their group. */
  readonly label?: string;
  readonly items: readonly MenuAction[];
}

export interface MenuProps {
  /** The name of the button and of the menu. */
  readonly label: string;
  readonly items: readonly (MenuAction | MenuSection)[];
  /** Default `more`. */
  readonly icon?: IconName;
  /** The content of the button instead of the icon. `true` shows the label. */
  readonly trigger?: ReactNode;
  readonly variant?: ButtonVariant;
  readonly disabledReason?: string;
  readonly align?: 'start' | 'end';
  /** Class of the button. */
  readonly className?: string;
}

/** A button that opens a menu of actions. Supports arrows, Home, End, first letters and Escape. */
export function Menu({ label, items, icon, trigger, variant, disabledReason, align = 'end', className }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const button = (): HTMLElement | null => document.querySelector(`[popovertarget="${CSS.escape(id)}"]`);
  const place = (): void => {
    const anchor = button();
    if (anchor && list.current) placeBeside(anchor, list.current, { align });
  };

  // When a phone is rotated, the button has moved.
  useEffect(() => {
    if (!open) return;
    window.addEventListener('resize', place);
    return () => window.removeEventListener('resize', place);
  }, [open]);

  const toggled = (event: ToggleEvent<HTMLDivElement>): void => {
    const opens = event.newState === 'open';
    setOpen(opens);
    event.currentTarget.toggleAttribute('data-placed', opens);
    if (!opens) return;
    place();
    focusFirst(event.currentTarget);
  };
  const pick = (item: MenuAction) => (event: MouseEvent) => {
    if (item.disabledReason !== undefined) return event.preventDefault();
    const newTab = item.href !== undefined && (event.ctrlKey || event.metaKey || event.shiftKey);
    if (item.onSelect && !newTab) event.preventDefault();
    list.current?.hidePopover();
    button()?.focus();
    if (!newTab) item.onSelect?.();
  };
  const shared = {
    variant,
    disabledReason,
    className,
    popoverTarget: disabledReason === undefined ? id : undefined,
    'aria-haspopup': 'menu' as const,
    'aria-expanded': open,
    'aria-controls': open ? id : undefined,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' || disabledReason !== undefined) return;
      event.preventDefault();
      list.current?.showPopover();
    },
  };
  return (
    <>
      <Trigger id={id} label={label} icon={icon} trigger={trigger} button={shared} />
      <div
        ref={list}
        id={id}
        role="menu"
        aria-label={label}
        popover="auto"
        className={s.menu}
        onToggle={toggled}
        onKeyDown={(event) => moveInMenu(event, list.current)}
      >
        {items.map((item, index) =>
          'items' in item ? (
            <Section key={index} section={item} pick={pick} />
          ) : (
            <Entry key={index} item={item} pick={pick} />
          ),
        )}
      </div>
    </>
  );
}

interface TriggerProps {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName | undefined;
  readonly trigger: ReactNode;
  readonly button: Omit<ButtonProps, 'children' | 'icon'>;
}

/** The button of a menu. Its content is its description, because its name is the label. */
function Trigger({ id, label, icon, trigger, button }: TriggerProps) {
  if (trigger === undefined) return <IconButton label={label} icon={icon ?? 'more'} {...button} />;
  return (
    <Button icon={icon} aria-describedby={trigger === true ? undefined : `${id}-shown`} {...button}>
      {trigger === true ? (
        label
      ) : (
        <>
          <span id={`${id}-shown`} aria-hidden="true" className={s.shown}>
            {trigger}
          </span>
          <VisuallyHidden>{label}</VisuallyHidden>
        </>
      )}
      <Icon name="chevron-down" className={s.caret} />
    </Button>
  );
}

type Pick = (item: MenuAction) => (event: MouseEvent) => void;

function Section({ section, pick }: { readonly section: MenuSection; readonly pick: Pick }) {
  return (
    <div role="group" aria-label={section.label} className={s.menuSection}>
      {section.label && (
        <div className={s.menuLabel} aria-hidden="true">
          {section.label}
        </div>
      )}
      {section.items.map((item) => (
        <Entry key={item.label} item={item} pick={pick} />
      ))}
    </div>
  );
}

function Entry({ item, pick }: { readonly item: MenuAction; readonly pick: Pick }) {
  const id = useId();
  const { label, icon, danger, href, disabledReason, checked, aside } = item;
  const content = (
    <>
      {checked === undefined ? icon && <Icon name={icon} /> : <Icon name="check" className={s.tick} />}
      <span className={s.entryLabel}>
        {label}
        {disabledReason && (
          <span id={id} className={s.entryReason} aria-hidden="true">
            {disabledReason}
          </span>
        )}
      </span>
      {aside && (
        <span className={s.entryAside} aria-hidden="true">
          {aside}
        </span>
      )}
    </>
  );
  const shared = {
    role: checked === undefined ? 'menuitem' : 'menuitemradio',
    tabIndex: -1,
    className: classNames(s.entry, danger && s.entryDanger),
    'aria-checked': checked,
    'aria-disabled': disabledReason === undefined ? undefined : true,
    'aria-describedby': idList(disabledReason !== undefined && id),
    onClick: pick(item),
  };
  return href === undefined ? (
    <button type="button" {...shared}>
      {content}
    </button>
  ) : (
    <a href={href} {...shared}>
      {content}
    </a>
  );
}

/** Focuses the chosen entry, otherwise the first one. */
function focusFirst(menu: HTMLElement): void {
  const entries = entriesOf(menu);
  (entries.find((entry) => entry.ariaChecked === 'true') ?? entries[0])?.focus();
}

const entriesOf = (menu: HTMLElement): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')];

function moveInMenu(event: KeyboardEvent, menu: HTMLElement | null): void {
  if (!menu || event.ctrlKey || event.metaKey || event.altKey) return;
  const entries = entriesOf(menu);
  const at = entries.indexOf(document.activeElement as HTMLElement);
  const step: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const target = step[event.key];
  if (event.key === 'Tab') menu.hidePopover();
  else if (target !== undefined) {
    event.preventDefault();
    entries.at(target % entries.length)?.focus();
  } else if (event.key.length === 1 && event.key !== ' ') {
    const letter = event.key.toLocaleLowerCase();
    const starts = (entry: HTMLElement): boolean => entry.textContent.trim().toLocaleLowerCase().startsWith(letter);
    const found = [...entries.slice(at + 1), ...entries.slice(0, at + 1)].find(starts);
    if (!found) return;
    event.preventDefault();
    event.stopPropagation();
    found.focus();
  }
}
