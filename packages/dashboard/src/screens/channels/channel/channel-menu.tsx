import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { LEAVING, useChanged } from '../../../queries/changes';
import { type Channel, channelQuery, deleteChannel, renameChannel } from '../../../queries/project/channels';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { AlertDialog, Menu, useToast } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import { ChannelNameDialog } from '../channel-name-dialog';

/** Renames and deletes the channel. */
export function ChannelMenu({ channel }: { channel: Channel }) {
  const words = useWords().channels;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Menu
        label={words.more}
        items={[
          {
            label: words.rename,
            icon: 'edit',
            disabledReason: may('PATCH /channels/{channel_id}'),
            onSelect: () => setOpen('rename'),
          },
          {
            label: words.delete,
            icon: 'trash',
            danger: true,
            disabledReason: may('DELETE /channels/{channel_id}'),
            onSelect: () => setOpen('delete'),
          },
        ]}
      />
      {open === 'rename' && <RenameDialog channel={channel} onClose={close} />}
      {open === 'delete' && <DeleteDialog channel={channel} onClose={close} />}
    </>
  );
}

interface ChannelDialogProps {
  readonly channel: Channel;
  readonly onClose: () => void;
}

function RenameDialog({ channel, onClose }: ChannelDialogProps) {
  const words = useWords().channels;
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const changed = useChanged();
  const toast = useToast();
  const { queryKey } = channelQuery(scope, channel.id);
  const renaming = useMutation({
    mutationFn: (name: string) => renameChannel(scope, channel.id, name),
    // The new name is shown immediately, behind the dialog, which stays open until the service accepts it.
    onMutate: async (name) => {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData(queryKey);
      queryClient.setQueryData(queryKey, (shown) => shown && { ...shown, name });
      return before;
    },
    onError: (_error, _name, before) => queryClient.setQueryData(queryKey, before),
    onSuccess: async (renamed) => {
      queryClient.setQueryData(queryKey, renamed);
      toast(words.renamed(renamed.name), { tone: 'success' });
      onClose();
      await changed({ type: 'channel.updated', channel_id: channel.id });
    },
  });
  return (
    <ChannelNameDialog
      title={words.rename}
      submitLabel={words.saveName}
      name={channel.name}
      saving={renaming}
      onClose={onClose}
    />
  );
}

/** The service rejects the deletion of a channel with releases or subscribers, so the dialog says what to do first. */
function DeleteDialog({ channel, onClose }: ChannelDialogProps) {
  const words = useWords().channels;
  const format = useFormat();
  const { scope, params } = useProjectPlace();
  const navigate = useNavigate();
  const changed = useChanged();
  const toast = useToast();
  const deletion = useMutation({
    mutationKey: LEAVING,
    mutationFn: () => deleteChannel(scope, channel.id),
    onSuccess: async () => {
      toast(words.deleted(channel.name), { tone: 'success' });
      await navigate({ to: '/o/$org/p/$project/channels', params });
      await changed({ type: 'channel.deleted', channel_id: channel.id });
    },
  });
  const isEmpty = channel.current.length === 0 && channel.subscribers === 0;
  return (
    <AlertDialog
      title={words.deleteTitle(channel.name)}
      confirmLabel={words.delete}
      busy={deletion.isPending}
      error={deletion.error}
      disabledReason={isEmpty ? undefined : words.deleteReason}
      onConfirm={() => deletion.mutate()}
      onCancel={onClose}
    >
      {isEmpty && <p>{words.deleteText}</p>}
      {channel.current.length > 0 && <p>{words.hasReleases}</p>}
      {channel.subscribers > 0 && <p>{format.plural(channel.subscribers, words.hasSubscribers)}</p>}
    </AlertDialog>
  );
}
