import { useEffect } from 'react';
import { useFormat } from '../../words/use-format';
import { type UploadItem } from '../store/upload-item';

const ACTIVE: readonly UploadItem['state'][] = ['waiting', 'sending', 'paused', 'offline', 'reading'];
const PREFIX = /^\d+\s?% · /;

export const isActive = ({ state }: UploadItem): boolean => ACTIVE.includes(state);

/** The title of the document begins with the share of all uploads that was sent, which other tabs show, too. */
export function useProgressInTitle(items: readonly UploadItem[]): void {
  const format = useFormat();
  const active = items.filter(isActive);
  const size = active.reduce((sum, { file }) => sum + file.size, 0);
  const sent = active.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
  const prefix = size > 0 ? `${format.percent(sent / size)} · ` : '';
  // Also after each change of screen, which sets the title.
  useEffect(() => {
    document.title = prefix + document.title.replace(PREFIX, '');
  });
}
