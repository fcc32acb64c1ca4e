import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { keyOf } from '../../../queries/keys';
import { type TopUp } from '../../../queries/organization/billing';
import { Badge, Banner, Button, buttonClass, Card, Inline, Table, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../billing.module.css';

/** The outcome of the top-up that the address names. The payment page redirects here. */
export function TopUpBanner({ topUps }: { readonly topUps: readonly TopUp[] }) {
  const words = useWords().billing;
  const format = useFormat();
  const { top_up: id } = useSearch({ from: '/member/o/$org/billing' });
  const topUp = topUps.find((one) => one.id === id);
  useRefreshWhenPaid(topUp);
  if (id === undefined) return null;
  if (!topUp) return <Banner tone="warning" title={words.topUpUnknown} actions={<Hide />} />;
  const sum = format.money(topUp.amount_micro_usd);
  if (topUp.state === 'paid') return <Banner tone="success" title={words.topUpPaid(sum)} actions={<Hide />} />;
  const isManual = topUp.provider === 'manual';
  return (
    <Banner
      title={isManual ? words.waitingForApproval : words.waitingForPayment}
      actions={
        <>
          <PayLink topUp={topUp} />
          <Hide />
        </>
      }
    >
      {isManual ? words.topUpPending(sum) : words.topUpUnpaid(sum)}
    </Banner>
  );
}

/** A payment that arrives changes the balance and the ledger. */
function useRefreshWhenPaid(topUp: TopUp | undefined): void {
  const queryClient = useQueryClient();
  const paidAt = topUp?.paid_at;
  useEffect(() => {
    if (!paidAt) return;
    for (const name of ['billing', 'usage', 'ledger', 'statements'] as const) {
      void queryClient.invalidateQueries({ queryKey: keyOf(name) });
    }
  }, [paidAt, queryClient]);
}

function Hide() {
  const navigate = useNavigate({ from: '/o/$org/billing' });
  return (
    <Button
      variant="quiet"
      onClick={() => void navigate({ search: (before) => ({ ...before, top_up: undefined }), replace: true })}
    >
      {useWords().billing.hide}
    </Button>
  );
}

function PayLink({ topUp }: { readonly topUp: TopUp }) {
  const words = useWords().billing;
  if (topUp.state === 'paid' || topUp.checkout_url === null) return null;
  return (
    <a className={buttonClass()} href={topUp.checkout_url}>
      {words.pay}
    </a>
  );
}

/** The purchases of credit, newest first. */
export function TopUps({ topUps }: { readonly topUps: readonly TopUp[] }) {
  const words = useWords().billing;
  const format = useFormat();
  const labels = words.topUpColumns;
  if (topUps.length === 0) return null;
  return (
    <Card title={words.topUps} flush>
      <Table
        compact
        brief
        label={words.topUps}
        rows={topUps}
        rowKey={({ id }) => id}
        columns={[
          { id: 'created', label: labels.created, cell: ({ created_at }) => <Time value={created_at} /> },
          {
            id: 'state',
            label: labels.state,
            plain: true,
            cell: (topUp) => (
              <Inline>
                <TopUpState topUp={topUp} />
                <PayLink topUp={topUp} />
              </Inline>
            ),
          },
          {
            id: 'amount',
            label: labels.amount,
            align: 'end',
            lead: true,
            cell: ({ amount_micro_usd }) => <span className={styles.amount}>{format.money(amount_micro_usd)}</span>,
          },
        ]}
      />
    </Card>
  );
}

function TopUpState({ topUp }: { readonly topUp: TopUp }) {
  const words = useWords().billing;
  if (topUp.state === 'paid') return <Badge tone="success">{words.paid}</Badge>;
  return <Badge tone="info">{topUp.provider === 'manual' ? words.waitingForApproval : words.waitingForPayment}</Badge>;
}
