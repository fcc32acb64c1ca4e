import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CHANNEL_QUERIES, createChannel } from '../../queries/project/channels';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, Dialog, Form, TextField, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';

const FORM = 'new-channel';

/** Asks for the name of a new channel. */
export function NewChannelDialog({ onClose }: { onClose: () => void }) {
  const { channels: words, ui } = useWords();
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
    <Dialog
      size="small"
      title={words.newChannel}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button type="submit" form={FORM} variant="primary" busy={creation.isPending}>
            {words.createChannel}
          </Button>
        </>
      }
    >
      <Form
        id={FORM}
        errors={creation.error}
        onSubmit={(values) => creation.mutate((values.get('name') as string).trim())}
      >
        <TextField label={words.name} name="name" hint={words.nameHint} required maxLength={100} autoComplete="off" />
      </Form>
    </Dialog>
  );
}
