import { createContext, useContext, useSyncExternalStore } from 'react';
import { useTooltip } from '../overlays/use-tooltip';
import { useUiWords } from '../ui-words';
import s from './display.module.css';

export interface TimeProps {
  /** An ISO 8601 instant, as the API sends it. */
  readonly value: string | Date;
  /** Shows the exact time instead of "3 minutes ago". */
  readonly exact?: boolean;
}

/** Whether the keyboard reaches the times inside. In lists, each time would be one more stop between two rows. */
const IsReached = createContext(false);
export const ReachedTimes = IsReached.Provider;

/** A point in time: relative, or exact in the reader's zone. The other forms, and UTC, appear on hover and on focus. */
export function Time({ value, exact = false }: TimeProps) {
  const words = useUiWords();
  const now = useNow();
  const isReached = useContext(IsReached);
  const time = typeof value === 'string' ? new Date(value) : value;
  const [exactText, utc] = [words.exactTime(time), words.utcTime(time)];
  const others = [!exact && exactText, utc !== exactText && utc].filter(Boolean).join(' · ');
  const { id, handlers, tip } = useTooltip(others || undefined);
  return (
    <>
      <time
        dateTime={time.toISOString()}
        className={exact ? undefined : s.time}
        tabIndex={isReached && id !== undefined ? 0 : undefined}
        aria-describedby={id}
        {...handlers}
      >
        {exact ? exactText : words.relativeTime(time, now)}
      </time>
      {tip}
    </>
  );
}

const TICK_MS = 20_000;
const readers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let current = new Date();

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  timer ??= setInterval(() => {
    current = new Date();
    for (const tell of readers) tell();
  }, TICK_MS);
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function snapshot(): Date {
  // The timer starts with the first reader.
  if (timer === undefined && Date.now() - current.getTime() > 1000) current = new Date();
  return current;
}

/** The time of the browser, which advances every 20 seconds. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, snapshot);
}
