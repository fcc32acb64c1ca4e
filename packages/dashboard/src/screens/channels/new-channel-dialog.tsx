import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CHANNEL_QUERIES, createChannel } from '../../queries/project/channels';
import { useProjectPlace } from '../../session/use-project-place';
import { FormDialog, TextField, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';

/** Asks for the name of a new channel. */
export function NewChannelDialog({ onClose }: { onClose: () => void }) {
  const words = useWords().channels;
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const creation = useMutation({
    mutationFn: (name: string) => createChannel(scope, name),
    onSuccess: async ({ name }) => {
      await Promise.all(CHANNEL_QUERIES.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
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
