import { useMutation } from '@tanstack/react-query';
import { useChanged } from '../../queries/changes';
import { createWebhook, type NewWebhook } from '../../queries/webhooks';
import { FormDialog } from '../../ui';
import { useWords } from '../../words/words-provider';
import { useWebhooksPlace } from './use-webhooks-place';
import { WebhookFields, webhookOf } from './webhook-fields';

interface NewWebhookDialogProps {
  readonly onCreated: (webhook: NewWebhook) => void;
  readonly onClose: () => void;
}

/** Creates a webhook. */
export function NewWebhookDialog({ onCreated, onClose }: NewWebhookDialogProps) {
  const words = useWords().webhooks;
  const { scope } = useWebhooksPlace();
  const changed = useChanged();
  const creation = useMutation({
    mutationFn: (values: FormData) => createWebhook(scope, { url: '', ...webhookOf(values) }),
    // The secret must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: async (webhook) => {
      onCreated(webhook);
      await changed({ type: 'webhook.created' });
    },
  });
  return (
    <FormDialog
      title={words.new}
      size="large"
      onClose={onClose}
      submitLabel={words.create}
      busy={creation.isPending}
      errors={creation.error}
      onSubmit={(values) => creation.mutate(values)}
    >
      <WebhookFields />
    </FormDialog>
  );
}
