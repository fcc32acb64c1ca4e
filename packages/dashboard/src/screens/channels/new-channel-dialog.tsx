import { useMutation } from '@tanstack/react-query';
import { useChanged } from '../../queries/changes';
import { createChannel } from '../../queries/project/channels';
import { useProjectPlace } from '../../session/use-project-place';
import { FormDialog, TextField, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';

/** Asks for the name of a new channel. */
export function NewChannelDialog({ onClose }: { onClose: () => void }) {
  const words = useWords().channels;
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  const creation = useMutation({
    mutationFn: (name: string) => createChannel(scope, name),
    onSuccess: async ({ name }) => {
      await changed({ type: 'channel.created' });
      toast(words.created(name), { tone: 'success' });
      onClose();
    },
  });
  return (
    <FormDialog
      size="small"
      title={words.newChannel}
      onClose={onClose}
      submitLabel={words.createChannel}
      busy={creation.isPending}
      errors={creation.error}
      onSubmit={(values) => creation.mutate((values.get('name') as string).trim())}
    >
      <TextField label={words.name} name="name" hint={words.nameHint} required maxLength={100} autoComplete="off" />
    </FormDialog>
  );
}
