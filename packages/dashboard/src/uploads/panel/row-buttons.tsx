import { useState } from 'react';
import { IconButton, type IconName } from '../../ui';
import { useWords } from '../../words/words-provider';
import { canRetry, type UploadItem } from '../store/upload-item';
import { uploads } from '../uploads';
import { DiscardQuestion } from './discard-question';

type Act = 'pause' | 'resume' | 'retry';

const ICONS: Record<Act, IconName> = { pause: 'pause', resume: 'play', retry: 'refresh' };

function actOf({ state, error, edits }: UploadItem): Act | null {
  if (state === 'sending' || state === 'waiting' || state === 'offline') return 'pause';
  if (state === 'paused') return 'resume';
  return state === 'failed' && (canRetry(error) || edits.version !== '') ? 'retry' : null;
}

/** Pause, resume or retry, and discard or close. The first button keeps its place, and therefore the focus, while its meaning changes. */
export function RowButtons({ item, onRemoved }: { readonly item: UploadItem; readonly onRemoved: () => void }) {
  const words = useWords().uploads;
  const { key, state, error, file, sentBytes } = item;
  const act = actOf(item);
  const acts: Record<Act, () => void> = {
    pause: () => uploads.pause(key),
    resume: () => uploads.resume(key),
    retry: () => uploads.start(key),
  };
  const [isAsking, setIsAsking] = useState(false);
  const isOver = state === 'done' || (state === 'failed' && !canRetry(error));
  const remove = (): void => {
    uploads.remove(key);
    onRemoved();
  };
  return (
    <>
      {act && <IconButton key="act" label={words[act]} icon={ICONS[act]} onClick={acts[act]} />}
      {state !== 'reading' && (
        <IconButton
          key="end"
          label={isOver ? words.close : words.discard}
          icon="close"
          onClick={() => (isOver || sentBytes === 0 ? remove() : setIsAsking(true))}
        />
      )}
      {isAsking && !isOver && (
        <DiscardQuestion name={file.name} onConfirm={remove} onCancel={() => setIsAsking(false)} />
      )}
    </>
  );
}
