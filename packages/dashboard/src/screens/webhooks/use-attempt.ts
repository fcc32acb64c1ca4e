import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf } from '../../queries/keys';
import { afterAttempt, type WebhookDelivery } from '../../queries/webhooks';
import { useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { useWebhooksPlace } from './use-webhooks-place';

/**
 * Sends a message of a webhook, and tells what its receiver answered.
 *
 * @param request asks for the message. The service sends it soon, so its attempt is waited for.
 */
export function useAttempt(webhookId: string, request: () => Promise<WebhookDelivery>) {
  const { outcome, deliveries } = useWords().webhooks;
  const { scope } = useWebhooksPlace();
  const format = useFormat();
  const queryClient = useQueryClient();
  const toast = useToast();
  const refetch = async (): Promise<void> => {
    const { organization_id: of } = scope;
    const names = ['webhook-deliveries', 'webhook-delivery', 'webhook', 'webhooks'] as const;
    await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: keyOf(name, of) })));
  };
  return useMutation({
    mutationFn: async () => {
      const before = await request();
      await queryClient.invalidateQueries({ queryKey: keyOf('webhook-deliveries', scope.organization_id, webhookId) });
      const after = await afterAttempt(scope, before);
      return { delivery: after, isAttempted: after.last_attempt_at !== before.last_attempt_at };
    },
    onSuccess: async ({ delivery, isAttempted }) => {
      const { last_status: status, last_error: error, last_ms: ms } = delivery;
      if (!isAttempted) toast(outcome.waiting, { tone: 'info' });
      else if (error === null) toast(outcome.accepted(format.number(ms ?? 0)), { tone: 'success' });
      else
        toast(outcome.refused(status === null ? (deliveries.errors[error] ?? deliveries.none) : String(status)), {
          tone: 'problem',
        });
      await refetch();
    },
    onError: (error) => toast(error.message, { tone: 'problem' }),
  });
}
