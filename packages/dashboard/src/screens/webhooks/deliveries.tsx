import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { itemsOf, ListCard } from '../../parts/lists/list-screen';
import { useDialog } from '../../parts/use-dialog';
import { deliveriesQuery, type DeliveryState, type Webhook, type WebhookDelivery } from '../../queries/webhooks';
import { type Column, EmptyState, Select, Table, Time } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { DeliveryDialog } from './delivery-dialog';
import { eventLabel } from './event-types';
import { useWebhooksPlace } from './use-webhooks-place';
import { Answer, DeliveryBadge } from './webhook-state';
import styles from './webhooks.module.css';

const STATES: readonly DeliveryState[] = ['delivered', 'pending', 'failed'];

/** What was sent to a webhook, newest first. The filter and the open delivery are in the address. */
export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const words = useWords().webhooks.deliveries;
  const { scope } = useWebhooksPlace();
  const { state: wanted } = useSearch({ strict: false });
  const state = STATES.find((one) => one === wanted);
  const list = useInfiniteQuery(deliveriesQuery(scope, webhook.id, state));
  const deliveries = itemsOf(list);
  const dialog = useDialog('event');
  const empty = state === undefined ? words.empty : words.nothing;
  return (
    <>
      <ListCard
        title={words.heading}
        flush
        actions={<StateFilter value={state ?? ''} />}
        list={list}
        count={deliveries.length}
        rows={4}
        forms={words.count}
        empty={
          <EmptyState compact level={3} title={empty.heading}>
            {empty.text}
          </EmptyState>
        }
      >
        <Table
          brief
          label={words.heading}
          columns={useColumns(dialog.open)}
          rows={deliveries}
          rowKey={({ id }) => id}
        />
      </ListCard>
      {dialog.value !== undefined && <DeliveryDialog webhook={webhook} id={dialog.value} onClose={dialog.close} />}
    </>
  );
}

function StateFilter({ value }: { readonly value: string }) {
  const words = useWords().webhooks.deliveries;
  const navigate = useNavigate();
  return (
    <Select
      label={words.filter}
      hideLabel
      value={value}
      onChange={({ target }) =>
        void navigate({ to: '.', search: (before) => ({ ...before, state: target.value || undefined }) })
      }
      options={[
        { value: '', label: words.all },
        ...STATES.map((state) => ({ value: state, label: words.states[state] ?? state })),
      ]}
    />
  );
}

function useColumns(open: (id: string) => void): readonly Column<WebhookDelivery>[] {
  const all = useWords();
  const { webhooks } = all;
  const { columns } = webhooks.deliveries;
  const format = useFormat();
  return [
    {
      id: 'event',
      label: columns.event,
      cell: ({ id, event_type: type }) => (
        <button type="button" className={styles.open} onClick={() => open(id)}>
          {eventLabel(all, type)}
        </button>
      ),
    },
    { id: 'state', label: columns.state, lead: true, cell: ({ state }) => <DeliveryBadge state={state} /> },
    {
      id: 'answer',
      label: columns.answer,
      plain: true,
      cell: ({ last_status, last_error, last_ms }) => <Answer status={last_status} error={last_error} ms={last_ms} />,
    },
    { id: 'attempts', label: columns.attempts, align: 'end', cell: ({ attempts }) => format.number(attempts) },
    { id: 'time', label: columns.time, plain: true, cell: ({ created_at }) => <Time value={created_at} /> },
  ];
}
