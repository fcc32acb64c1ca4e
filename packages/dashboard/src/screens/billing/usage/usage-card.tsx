import { toCsv } from '@agate/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { saveFile } from '../../../parts/files/save-file';
import { LoadError } from '../../../parts/lists/load-error';
import { type BillingAccount, type Usage, usageQuery } from '../../../queries/organization/billing';
import { Bars, Button, Card, Inline, Select, Skeleton, Stack, Table } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../billing.module.css';
import { useBillingPlace } from '../use-billing-place';
import { CostChart, MeterName } from './cost-chart';
import { daysOf, isMonth, monthsBetween } from './months';
import { useQuantities } from './use-quantities';

interface UsageCardProps {
  readonly account: BillingAccount;
  readonly isCharged: boolean;
}

/** Uploads, downloads and storage of a month, by day, with their costs. The month is in the address. */
export function UsageCard({ account, isCharged }: UsageCardProps) {
  const { organizationId } = useBillingPlace();
  const { month } = useSearch({ from: '/member/o/$org/billing' });
  const chosen = isMonth(month) && month !== account.period ? month : '';
  const usage = useQuery({ ...usageQuery(organizationId, chosen), placeholderData: keepPreviousData });
  if (usage.error && !usage.data) return <LoadError error={usage.error} onRetry={() => void usage.refetch()} />;
  if (!usage.data) return <Skeleton shape="cards" count={2} />;
  return <UsageByDay usage={usage.data} account={account} isCharged={isCharged} />;
}

const METERS = [
  { id: 'upload', quantity: 'upload_mb' },
  { id: 'download', quantity: 'download_mb' },
  { id: 'storage', quantity: 'storage_mb_months' },
] as const;

/** The usage of each meter in a month: in total and by day, with its cost. */
function useMeters(usage: Usage) {
  const words = useWords().billing;
  const quantities = useQuantities();
  return METERS.map(({ id, quantity }) => ({
    id,
    label: words[id],
    quantity: id === 'storage' ? quantities.storage : quantities.transfer,
    used: usage[quantity],
    values: usage.days.map((day) => day[quantity]),
    micro: usage[`${id}_micro_usd`],
  }));
}

function UsageByDay({ usage, account, isCharged }: UsageCardProps & { readonly usage: Usage }) {
  const words = useWords().billing;
  const format = useFormat();
  const meters = useMeters(usage);
  const days = usage.days.map(({ day }) => format.date(day, 'day'));
  const isEmpty = meters.every(({ used }) => used === 0);
  const nothing = <p className={styles.note}>{words.noUsage(format.date(usage.period, 'month'))}</p>;
  return (
    <Card title={words.usage} hideTitle footer={!isEmpty && <Foot usage={usage} isCharged={isCharged} />}>
      <Stack gap={16}>
        {isCharged ? (
          <CostChart
            title={words.costByDay}
            days={daysOf(usage.period).map((day) => format.date(day, 'day'))}
            started={days.length}
            actions={<MonthChoice account={account} />}
            format={format.money}
            empty={nothing}
            series={meters.map(({ id, values, used, micro }) => ({
              id,
              // The cost of the month, by the quantities of the days: it is rounded once.
              values: values.map((value) => (used > 0 ? (micro * value) / used : 0)),
            }))}
          />
        ) : (
          <Bars
            title={words.byDay}
            days={days}
            actions={<MonthChoice account={account} />}
            series={meters.map(({ id, label, values, quantity, used }) => ({
              id,
              label,
              tone: id,
              values,
              format: quantity,
              total: quantity(used),
            }))}
          />
        )}
        {isCharged && !isEmpty && <Cost usage={usage} account={account} />}
        {usage.open_upload_bytes > 0 && (
          <p className={styles.note}>{words.openUploads(format.bytes(usage.open_upload_bytes))}</p>
        )}
        {isEmpty && !isCharged && nothing}
      </Stack>
    </Card>
  );
}

function Foot({ usage, isCharged }: { readonly usage: Usage; readonly isCharged: boolean }) {
  const words = useWords().billing;
  return (
    <Inline className={styles.foot}>
      <span className={styles.note}>{isCharged && words.costNote}</span>
      <Button
        variant="quiet"
        icon="download"
        onClick={() => saveFile(`usage-${usage.period}.csv`, usageCsv(usage), 'text/csv')}
      >
        {words.exportUsage}
      </Button>
    </Inline>
  );
}

const usageCsv = ({ days }: Usage): string =>
  toCsv([
    ['day', 'upload_mb', 'download_mb', 'storage_mb_months'],
    ...days.map((one) => [one.day, one.upload_mb, one.download_mb, one.storage_mb_months]),
  ]);

function MonthChoice({ account }: { readonly account: BillingAccount }) {
  const words = useWords().billing;
  const format = useFormat();
  const { organization } = useBillingPlace();
  const { month } = useSearch({ from: '/member/o/$org/billing' });
  const navigate = useNavigate({ from: '/o/$org/billing' });
  const chosen = isMonth(month) ? month : account.period;
  const known = monthsBetween(organization?.created_at.slice(0, 7) ?? account.period, account.period);
  const months = known.includes(chosen) ? known : [...known, chosen];
  return (
    <Select
      label={words.month}
      hideLabel
      value={chosen}
      onChange={({ target: { value } }) =>
        void navigate({ search: (before) => ({ ...before, month: value === account.period ? undefined : value }) })
      }
      options={months.map((value) => ({ value, label: format.date(value, 'month') }))}
    />
  );
}

function Cost({ usage, account }: { readonly usage: Usage; readonly account: BillingAccount }) {
  const words = useWords().billing;
  const format = useFormat();
  const meters = useMeters(usage);
  const price = (perMegabyte: number): string => format.money(perMegabyte * 1000, { exact: true });
  const prices = {
    upload: words.perGigabyte(price(account.prices.upload_mb_micro_usd)),
    download: words.perGigabyte(price(account.prices.download_mb_micro_usd)),
    storage: words.perGigabyteMonth(price(account.prices.storage_mb_month_micro_usd)),
  };
  const rows = [
    ...meters.map(({ id, label, quantity, used, micro }) => ({
      id,
      meter: label,
      quantity: quantity(used),
      price: prices[id],
      cost: micro,
    })),
    { id: null, meter: words.total, quantity: null, price: null, cost: usage.total_micro_usd },
  ];
  return (
    <div className={styles.costs}>
      <Table
        compact
        brief
        label={words.costTable}
        rows={rows}
        rowKey={({ meter }) => meter}
        columns={[
          {
            id: 'meter',
            label: words.columns.meter,
            cell: ({ id, meter }) => (id ? <MeterName id={id}>{meter}</MeterName> : <strong>{meter}</strong>),
          },
          { id: 'quantity', label: words.columns.quantity, align: 'end', plain: true, cell: (row) => row.quantity },
          { id: 'price', label: words.columns.price, align: 'end', plain: true, cell: (row) => row.price },
          {
            id: 'cost',
            label: words.columns.cost,
            align: 'end',
            lead: true,
            cell: ({ cost }) => <span className={styles.amount}>{format.money(cost)}</span>,
          },
        ]}
      />
    </div>
  );
}
