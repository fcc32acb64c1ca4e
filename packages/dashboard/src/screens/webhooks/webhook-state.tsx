import { type Webhook, type WebhookDelivery } from '../../queries/webhooks';
import { Badge, Lines, Time } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

const TONES = { on: 'success', failing: 'warning', off: 'neutral' } as const;

export const stateOf = ({ state, failing_since }: Webhook): keyof typeof TONES =>
  state === 'off' ? 'off' : failing_since === null ? 'on' : 'failing';

/** Whether a webhook sends, and how many events it is behind. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const words = useWords().webhooks;
  const format = useFormat();
  const state = stateOf(webhook);
  return (
    <Lines>
      <div>
        <Badge tone={TONES[state]} dot={state === 'off' ? 'hollow' : 'filled'}>
          {words.states[state]}
        </Badge>
      </div>
      {webhook.behind > 0 && <div className="soft small">{format.plural(webhook.behind, words.behind)}</div>}
    </Lines>
  );
}

/** The last answer of the receiver. */
export function LastAnswer({
  webhook: { last_status, last_error, last_attempt_at: last_at },
}: {
  readonly webhook: Webhook;
}) {
  const words = useWords().webhooks;
  if (last_at === null) return <span className="soft">{words.noAnswer}</span>;
  return (
    <span>
      <Answer status={last_status} error={last_error} /> · <Time value={last_at} />
    </span>
  );
}

interface AnswerProps {
  /** Null without a response. */
  readonly status: number | null;
  readonly error: string | null;
  readonly ms?: number | null;
}

/** The status that a receiver answered, or the reason why it did not. */
export function Answer({ status, error, ms }: AnswerProps) {
  const { none, errors } = useWords().webhooks.deliveries;
  const format = useFormat();
  if (status === null) return <span className="soft">{errors[error ?? ''] ?? none}</span>;
  return typeof ms === 'number' ? `${status} · ${format.number(ms)} ms` : String(status);
}

const DELIVERY_TONES = { delivered: 'success', pending: 'neutral', failed: 'problem' } as const;

/** The state of a delivery. */
export function DeliveryBadge({ state }: Pick<WebhookDelivery, 'state'>) {
  const { states } = useWords().webhooks.deliveries;
  return <Badge tone={DELIVERY_TONES[state]}>{states[state] ?? state}</Badge>;
}
