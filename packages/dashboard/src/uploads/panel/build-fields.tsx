import { useQuery } from '@tanstack/react-query';
import { channelChoicesQuery } from '../../queries/project/channel-choices';
import { useMay } from '../../session/use-may';
import { Button, Inline, Select, TextArea } from '../../ui';
import { useWords } from '../../words/words-provider';
import { scopeOf, type UploadItem } from '../store/upload-item';
import { uploads } from '../uploads';
import s from './panel.module.css';

/**
 * The reader's notes and channel for a build, typed while its file is sent. After that, typed text is saved, and the build promoted,
 * immediately.
 */
export function BuildFields({ item }: { readonly item: UploadItem }) {
  const words = useWords().uploads;
  const { key, edits, hasUnsavedNotes, followUpError } = item;
  return (
    <div className={s.fields}>
      <TextArea
        label={words.notes}
        rows={1}
        maxLength={10_000}
        value={edits.notes}
        error={followUpError?.of === 'notes' ? words.notesFailed : undefined}
        onChange={(event) => uploads.edit(key, { notes: event.target.value })}
        onBlur={() => uploads.saveNotes(key)}
      />
      <ChannelField item={item} />
      {hasUnsavedNotes && (
        <Inline>
          <Button onClick={() => uploads.saveNotes(key)}>{words.saveNotes}</Button>
        </Inline>
      )}
    </div>
  );
}

function ChannelField({ item }: { readonly item: UploadItem }) {
  const words = useWords().uploads;
  const { key, target, edits, build, promotedTo, followUpError } = item;
  const may = useMay(target);
  const { data: channels } = useQuery(channelChoicesQuery(scopeOf(target)));
  const reason = may('POST /releases') ?? (channels?.length === 0 ? words.noChannels : undefined);
  const isPromoted = promotedTo !== '' && promotedTo === edits.channelId;
  const nameOf = (id: string): string => channels?.find((channel) => channel.id === id)?.name ?? '';
  return (
    <div className={s.channel}>
      <Select
        label={words.channel}
        hint={reason}
        disabled={reason !== undefined}
        value={edits.channelId}
        error={followUpError?.of === 'promotion' ? words.promotionFailed : undefined}
        onChange={(event) => uploads.edit(key, { channelId: event.target.value })}
        options={[
          { value: '', label: words.noChannel },
          ...(channels ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {isPromoted && <p role="status">{words.promotedTo(nameOf(promotedTo))}</p>}
      {build && edits.channelId !== '' && !isPromoted && (
        <Button onClick={() => uploads.promote(key)}>{words.promote}</Button>
      )}
    </div>
  );
}
