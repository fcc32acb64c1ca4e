import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../../ui';
import { useWords } from '../../words/words-provider';
import { type UploadItem } from '../store/upload-item';
import { isActive } from './use-progress-in-title';

const ENDED: readonly UploadItem['state'][] = ['done', 'failed'];

/** Insecure pages and some browsers have no notifications. */
const permission = (): NotificationPermission =>
  'Notification' in window && isSecureContext ? Notification.permission : 'denied';

export interface NotifyButtonProps {
  readonly items: readonly UploadItem[];
  /** Called after the reader has decided. The button disappears then. */
  readonly onAsked: () => void;
}

/** Asks, when it is pressed, to notify the reader of uploads that end while they look at something else. */
export function NotifyButton({ items, onAsked }: NotifyButtonProps) {
  const words = useWords().uploads;
  const [allowed, setAllowed] = useState(permission);
  useNotifications(items, allowed === 'granted');
  if (allowed !== 'default' || !items.some(isActive)) return null;
  return (
    <IconButton
      label={words.notify}
      icon="bell"
      onClick={() =>
        void Notification.requestPermission().then((decision) => {
          setAllowed(decision);
          onAsked();
        })
      }
    />
  );
}

function useNotifications(items: readonly UploadItem[], isAllowed: boolean): void {
  const words = useWords().uploads;
  const wereActive = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    for (const { key, state, file } of items) {
      if (!isAllowed || !document.hidden || !wereActive.current.has(key) || !ENDED.includes(state)) continue;
      const notification = new Notification(
        state === 'done' ? words.isUploaded(file.name) : words.hasFailed(file.name),
        {
          tag: key,
        },
      );
      notification.onclick = () => window.focus();
    }
    wereActive.current = new Set(items.filter(isActive).map(({ key }) => key));
  }, [items, isAllowed, words]);
}
