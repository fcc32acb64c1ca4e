import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useDialog } from '../../parts/use-dialog';
import { LEAVING, useChanged } from '../../queries/changes';
import { keyOf } from '../../queries/keys';
import { changeWebhook, deleteWebhook, rotateWebhookSecret, testWebhook, type Webhook } from '../../queries/webhooks';
import { AlertDialog, Button, FormDialog, Menu, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import { useAttempt } from './use-attempt';
import { useNeedsManager } from './use-needs-manager';
import { useGoToWebhooks, useWebhooksPlace } from './use-webhooks-place';
import { WebhookFields, webhookOf } from './webhook-fields';
import { WebhookSecret } from './webhook-secret';

interface WebhookProps {
  readonly webhook: Webhook;
}
interface DialogProps extends WebhookProps {
  readonly onClose: () => void;
}

/** The test of a webhook, and its menu: edit, rotate the secret, delete. */
export function WebhookActs({ webhook }: WebhookProps) {
  const words = useWords().webhooks;
  const reason = useNeedsManager();
  const dialog = useDialog('act');
  const pause = usePause(webhook);
  return (
    <>
      <Test webhook={webhook} />
      <Menu
        label={words.actions(webhook.name)}
        items={[
          {
            label: words.edit,
            icon: 'edit',
            disabledReason: reason,
            onSelect: () => dialog.open('edit'),
          },
          // Chats do not check signatures.
          ...(webhook.format === 'standard'
            ? [
                {
                  label: words.rotate.label,
                  icon: 'refresh' as const,
                  disabledReason: reason,
                  onSelect: () => dialog.open('rotate'),
                },
              ]
            : []),
          ...(webhook.state === 'on'
            ? [
                {
                  label: words.pause.label,
                  icon: 'pause' as const,
                  disabledReason: reason,
                  onSelect: () => pause.mutate(),
                },
              ]
            : []),
          {
            label: words.remove.label,
            icon: 'trash',
            danger: true,
            disabledReason: reason,
            onSelect: () => dialog.open('delete'),
          },
        ]}
      />
      {dialog.value === 'edit' && <Edit webhook={webhook} onClose={dialog.close} />}
      {dialog.value === 'rotate' && <Rotate webhook={webhook} onClose={dialog.close} />}
      {dialog.value === 'delete' && <Delete webhook={webhook} onClose={dialog.close} />}
    </>
  );
}

function Test({ webhook: { id } }: WebhookProps) {
  const words = useWords().webhooks;
  const { scope } = useWebhooksPlace();
  const reason = useNeedsManager();
  const test = useAttempt(id, () => testWebhook(scope, id));
  return (
    <Button variant="primary" busy={test.isPending} disabledReason={reason} onClick={() => test.mutate()}>
      {words.test}
    </Button>
  );
}

function usePause({ id }: Webhook) {
  const words = useWords().webhooks.pause;
  const { scope } = useWebhooksPlace();
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: () => changeWebhook(scope, id, { state: 'off' }),
    onSuccess: async () => {
      toast(words.done, { tone: 'success' });
      await queryClient.invalidateQueries({ queryKey: keyOf('webhook', scope.organization_id, id) });
    },
    onError: (error) => toast(error.message, { tone: 'problem' }),
  });
}

function Edit({ webhook, onClose }: DialogProps) {
  const words = useWords().webhooks;
  const { scope } = useWebhooksPlace();
  const changed = useChanged();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (values: FormData) => changeWebhook(scope, webhook.id, webhookOf(values)),
    onSuccess: async () => {
      toast(words.saved, { tone: 'success' });
      onClose();
      await changed({ type: 'webhook.updated' });
    },
  });
  return (
    <FormDialog
      title={words.editTitle(webhook.name)}
      size="large"
      onClose={onClose}
      submitLabel={words.save}
      busy={change.isPending}
      errors={change.error}
      onSubmit={(values) => change.mutate(values)}
    >
      <WebhookFields webhook={webhook} />
    </FormDialog>
  );
}

function Rotate({ webhook, onClose }: DialogProps) {
  const words = useWords().webhooks.rotate;
  const { scope } = useWebhooksPlace();
  const [secret, setSecret] = useState<string>();
  const rotation = useMutation({
    mutationFn: () => rotateWebhookSecret(scope, webhook.id),
    // The secret must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: (rotated) => setSecret(rotated.secret),
  });
  if (secret !== undefined) return <WebhookSecret secret={secret} onDone={onClose} />;
  return (
    <AlertDialog
      title={words.title(webhook.name)}
      variant="primary"
      confirmLabel={words.confirm}
      busy={rotation.isPending}
      error={rotation.error}
      onConfirm={() => rotation.mutate()}
      onCancel={onClose}
    >
      <p>{words.text}</p>
    </AlertDialog>
  );
}

function Delete({ webhook, onClose }: DialogProps) {
  const words = useWords().webhooks.remove;
  const { scope } = useWebhooksPlace();
  const changed = useChanged();
  const goToWebhooks = useGoToWebhooks();
  const toast = useToast();
  const deletion = useMutation({
    mutationKey: LEAVING,
    mutationFn: () => deleteWebhook(scope, webhook.id),
    onSuccess: async () => {
      toast(words.done(webhook.name), { tone: 'success' });
      await goToWebhooks();
      await changed({ type: 'webhook.deleted' });
    },
  });
  return (
    <AlertDialog
      title={words.title(webhook.name)}
      confirmLabel={words.label}
      busy={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
      onCancel={onClose}
    >
      <p>{words.text}</p>
    </AlertDialog>
  );
}
