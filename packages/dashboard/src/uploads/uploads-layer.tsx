import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useDeveloper } from '../queries/account/session';
import { Icon } from '../ui';
import { useWords } from '../words/words-provider';
import { droppedFiles } from './browser/files';
import s from './panel/panel.module.css';
import { UploadPanel } from './panel/upload-panel';
import { useProgressInTitle } from './panel/use-progress-in-title';
import { uploads } from './uploads';
import { useUploads } from './use-uploads';

const RouteUploads = lazy(async () => ({ default: (await import('./routing/route-uploads')).RouteUploads }));

/**
 * Covers every screen behind the login: the panel of uploads, and the whole window as a place to drop files. Asks for confirmation before
 * the page is left while bytes are being sent.
 */
export function UploadsLayer() {
  const developer = useDeveloper();
  const { items, unfinished, routed, addDropped, disabledReason } = useUploads();
  useProgressInTitle(items);
  const isOver = useWindowDrop((transfer) => addDropped(droppedFiles(transfer)));
  useEffect(() => {
    uploads.retryAfterLogin();
    void uploads.findInterrupted(developer.id);
  }, [developer.id]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (uploads.isFlowing) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
  return (
    <>
      {isOver && <DropHint disabledReason={disabledReason} />}
      {routed && (
        <Suspense>
          <RouteUploads {...routed} onClose={() => uploads.route(null)} />
        </Suspense>
      )}
      {items.length + unfinished.length > 0 && <UploadPanel items={items} unfinished={unfinished} />}
    </>
  );
}

function DropHint({ disabledReason }: { readonly disabledReason: string | undefined }) {
  const words = useWords().uploads;
  return (
    <div className={s.dropHint} aria-hidden="true">
      <div className={s.dropSheet}>
        <Icon name={disabledReason === undefined ? 'upload' : 'info'} />
        <p className={s.dropTitle}>{disabledReason ?? words.dropHere}</p>
        {disabledReason === undefined && <p>{words.dropText}</p>}
      </div>
    </div>
  );
}

const hasFiles = (event: DragEvent): event is DragEvent & { readonly dataTransfer: DataTransfer } =>
  event.dataTransfer?.types.includes('Files') ?? false;

/** Accepts files that are dropped outside of every drop zone. Returns whether files are held over the window. */
function useWindowDrop(onDrop: (transfer: DataTransfer) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const drop = useRef(onDrop);
  useEffect(() => {
    drop.current = onDrop;
  });
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Without this the browser opens the file in place of the page.
      event.preventDefault();
      setIsOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const dropped = (event: DragEvent): void => {
      setIsOver(false);
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      drop.current(event.dataTransfer);
    };
    // A drop zone stops the event, but the hint must still disappear.
    const ended = (): void => setIsOver(false);
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', dropped);
    addEventListener('drop', ended, { capture: true });
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', dropped);
      removeEventListener('drop', ended, { capture: true });
    };
  }, []);
  return isOver;
}
