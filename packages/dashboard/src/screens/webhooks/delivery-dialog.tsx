import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../parts/lists/load-error';
import { deliveryQuery, redeliver, type Webhook, type WebhookDeliveryDetail } from '../../queries/webhooks';
import { Button, CodeBlock, DescriptionList, Dialog, Skeleton, Stack, Time } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { eventLabel } from './event-types';
import { useAttempt } from './use-attempt';
import { useNeedsManager } from './use-needs-manager';
import { useWebhooksPlace } from './use-webhooks-place';
import { Answer, DeliveryBadge } from './webhook-state';

interface DeliveryDialogProps {
  readonly webhook: Webhook;
  readonly id: string;
  readonly onClose: () => void;
}

/** A delivery: what was sent, what the receiver answered, and the button that sends it again. */
export function DeliveryDialog({ webhook, id, onClose }: DeliveryDialogProps) {
  const all = useWords();
  const words = all.webhooks.deliveries;
  const { scope } = useWebhooksPlace();
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(scope, id));
  return (
    <Dialog
      title={delivery ? words.title(eventLabel(all, delivery.event_type)) : words.heading}
      size="large"
      onClose={onClose}
      footer={<Redeliver webhookId={webhook.id} id={id} />}
    >
      {error && !delivery && <LoadError error={error} onRetry={() => void refetch()} />}
      {!error && !delivery && <Skeleton count={6} />}
      {delivery && <Contents delivery={delivery} />}
    </Dialog>
  );
}

function Contents({ delivery }: { readonly delivery: WebhookDeliveryDetail }) {
  const words = useWords().webhooks.deliveries;
  const format = useFormat();
  const { event_id, state, attempts, last_status, last_error, last_ms, created_at, body, answer } = delivery;
  return (
    <Stack gap={12}>
      <DescriptionList
        items={[
          { label: words.columns.state, value: <DeliveryBadge state={state} /> },
          { label: words.columns.time, value: <Time value={created_at} /> },
          { label: words.columns.attempts, value: format.number(attempts) },
          {
            label: words.columns.answer,
            value: <Answer status={last_status} error={last_error} ms={last_ms} />,
          },
          { label: words.id, value: event_id, mono: true },
        ]}
      />
      {answer ? (
        <CodeBlock label={words.received} text={answer} copyLabel={words.copyReceived} />
      ) : (
        last_status !== null && <p className="soft">{words.noBody}</p>
      )}
      <CodeBlock label={words.sent} text={indented(body)} copyText={body} copyLabel={words.copySent} />
    </Stack>
  );
}

/** JSON for people. Other text stays as it is. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function Redeliver({ webhookId, id }: { readonly webhookId: string; readonly id: string }) {
  const words = useWords().webhooks.deliveries;
  const { scope } = useWebhooksPlace();
  const reason = useNeedsManager();
  const sending = useAttempt(webhookId, () => redeliver(scope, id));
  return (
    <Button icon="refresh" busy={sending.isPending} disabledReason={reason} onClick={() => sending.mutate()}>
      {words.redeliver}
    </Button>
  );
}
