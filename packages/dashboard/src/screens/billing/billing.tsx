import { useQuery } from '@tanstack/react-query';
import { useTitle } from '../../frame/use-title';
import { LoadError } from '../../parts/lists/load-error';
import { NeedsRole } from '../../parts/members/needs-role';
import { useDialog } from '../../parts/use-dialog';
import { serviceQuery } from '../../queries/account/session';
import {
  type BillingAccount,
  billingAccountQuery,
  type Service,
  topUpsQuery,
  usageQuery,
} from '../../queries/organization/billing';
import { Banner, Button, Card, Columns, PageHeader, Skeleton, Stack } from '../../ui';
import { useWords } from '../../words/words-provider';
import { BudgetAlerts, SpendingCap } from './limits';
import { Ledger } from './lists/ledger';
import { Statements } from './lists/statements';
import { TopUpBanner, TopUps } from './lists/top-ups';
import { Plan } from './plan/plan';
import { SummaryCard } from './summary-card';
import { TopUpDialog } from './top-up-dialog';
import { UsageCard } from './usage/usage-card';
import { useBillingPlace } from './use-billing-place';

/** The usage of an organization, its costs, and the payment. */
export function Billing() {
  const words = useWords().billing;
  const { organization, may } = useBillingPlace();
  useTitle(words.heading, organization?.name);
  const reason = may('GET /organizations/{organization_id}/billing');
  if (reason === undefined) return <OpenBilling />;
  return (
    <Stack>
      <PageHeader title={words.heading} actions={<Button disabledReason={reason}>{words.addCredit}</Button>} />
      <NeedsRole reason={reason} />
    </Stack>
  );
}

function OpenBilling() {
  const words = useWords().billing;
  const { organizationId } = useBillingPlace();
  const account = useQuery(billingAccountQuery(organizationId));
  const service = useQuery(serviceQuery);
  if (account.data && service.data) return <LoadedBilling account={account.data} service={service.data} />;
  const failed = [account, service].find(({ error }) => error);
  return (
    <Stack>
      <PageHeader title={words.heading} />
      {failed?.error ? (
        <LoadError error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <Skeleton shape="cards" count={3} />
      )}
    </Stack>
  );
}

function LoadedBilling({ account, service }: ChargedProps) {
  const words = useWords().billing;
  const isCharged = service.billing === 'metered';
  return (
    <Stack>
      <PageHeader title={words.heading} actions={isCharged && <AddCredit account={account} service={service} />} />
      {isCharged ? <Charged account={account} service={service} /> : <Counted account={account} />}
    </Stack>
  );
}

/** A service without billing only counts. */
function Counted({ account }: { readonly account: BillingAccount }) {
  const words = useWords().billing;
  return (
    <>
      <Banner title={words.off} />
      <UsageCard account={account} isCharged={false} />
    </>
  );
}

interface ChargedProps {
  readonly account: BillingAccount;
  readonly service: Service;
}

function Charged({ account, service }: ChargedProps) {
  const words = useWords().billing;
  const { organizationId } = useBillingPlace();
  const { data: usage, isPending: isUsagePending } = useQuery(usageQuery(organizationId));
  const { data: topUps, isPending: areTopUpsPending } = useQuery(topUpsQuery(organizationId));
  // A section that loads late at the top would push down the others.
  if (isUsagePending || areTopUpsPending) return <Skeleton shape="cards" count={3} />;
  return (
    <>
      {topUps && <TopUpBanner topUps={topUps} />}
      {usage && <SummaryCard account={account} usage={usage} />}
      <UsageCard account={account} isCharged />
      <Card title={words.limits} hideTitle>
        <Columns gap={32}>
          <Plan account={account} service={service} />
          <SpendingCap key={account.spend_cap_micro_usd} account={account} />
          <BudgetAlerts key={account.budget_alert_percents.join()} account={account} />
        </Columns>
      </Card>
      {topUps && <TopUps topUps={topUps} />}
      <Ledger />
      <Statements />
    </>
  );
}

function AddCredit({ account, service }: ChargedProps) {
  const words = useWords().billing;
  const { may } = useBillingPlace();
  const { value, open, close } = useDialog('act');
  const reason = may('POST /organizations/{organization_id}/billing/top-ups');
  return (
    <>
      <Button
        // A postpaid plan is paid after the month: credit is not what it waits for.
        variant={account.mode === 'prepaid' ? 'primary' : 'secondary'}
        icon="plus"
        disabledReason={reason}
        onClick={() => open('credit')}
      >
        {words.addCredit}
      </Button>
      {value === 'credit' && reason === undefined && (
        <TopUpDialog account={account} provider={service.payment_provider} onClose={close} />
      )}
    </>
  );
}
