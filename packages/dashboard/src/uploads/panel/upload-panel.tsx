import { useRef, useState } from 'react';
import { focusHeading, IconButton } from '../../ui';
import { useWords } from '../../words/words-provider';
import { type UnfinishedItem, type UploadItem } from '../store/upload-item';
import { NotifyButton } from './notify-button';
import s from './panel.module.css';
import { UnfinishedUploads } from './unfinished-uploads';
import { UploadRow } from './upload-row';

export interface UploadPanelProps {
  readonly items: readonly UploadItem[];
  readonly unfinished: readonly UnfinishedItem[];
}

/** All uploads, above every screen. */
export function UploadPanel({ items, unfinished }: UploadPanelProps) {
  const words = useWords().uploads;
  const [isOpen, setIsOpen] = useState(true);
  const heading = useRef<HTMLHeadingElement>(null);
  const done = items.filter(({ state }) => state === 'done').length;
  /** The focus must not be lost with its row. */
  const removed = (): void => {
    if (items.length + unfinished.length > 1) heading.current?.focus();
    else focusHeading();
  };
  return (
    <aside aria-label={words.heading} className={s.panel}>
      <div className={s.head}>
        <h2 ref={heading} tabIndex={-1}>
          {words.heading}
        </h2>
        <p role="status" className={s.count}>
          {items.length > 0 && words.count(done, items.length)}
        </p>
        <NotifyButton items={items} onAsked={() => heading.current?.focus()} />
        <IconButton
          label={isOpen ? words.hide : words.show}
          icon={isOpen ? 'chevron-down' : 'chevron-up'}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        />
      </div>
      <div className={s.body} hidden={!isOpen}>
        {unfinished.length > 0 && <UnfinishedUploads items={unfinished} onRemoved={removed} />}
        {items.length > 0 && (
          <ul className={s.rows}>
            {items.map((item) => (
              <UploadRow key={item.key} item={item} onRemoved={removed} />
            ))}
          </ul>
        )}
      </div>
    </aside>
  );
}
