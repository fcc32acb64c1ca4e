import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { LoadError } from '../../../parts/lists/load-error';
import { toCsv } from '../../../parts/files/csv';
import { saveFile } from '../../../parts/files/save-file';
import { type BillingAccount, type Usage, usageQuery } from '../../../queries/organization/billing';
import { Bars, Button, Card, Select, Skeleton, Stack, Table } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../billing.module.css';
import { isMonth, monthsBetween } from './months';
import { useBillingPlace } from '../use-billing-place';
import { useQuantities } from './use-quantities';

interface UsageCardProps {
  readonly account: BillingAccount;
  readonly isCharged: boolean;
}

/** What was uploaded, downloaded and stored in a month, by day, and what it cost. The month is in the address. */
export function UsageCards({ account, isCharged }: UsageCardProps) {
  const { organizationId } = useBillingPlace();
  const { month } = useSearch({ from: '/member/o/$org/billing' });
  const chosen = isMonth(month) && month !== account.period ? month : '';
  const usage = useQuery({ ...usageQuery(organizationId, chosen), placeholderData: keepPreviousData });
  if (usage.error && !usage.data) return <LoadError error={usage.error} onRetry={() => void usage.refetch()} />;
  if (!usage.data) return <Skeleton shape="cards" count={2} />;
  return (
    <>
      <UsageByDay usage={usage.data} account={account} isCharged={isCharged} />
      {isCharged && <Cost usage={usage.data} account={account} />}
    </>
  );
}

function UsageByDay({ usage, account, isCharged }: UsageCardProps & { readonly usage: Usage }) {
  const words = useWords().billing;
  const format = useFormat();
  const quantity = useQuantities();
  const cost = (microDollars: number): string => (isCharged ? ` · ${format.money(microDollars)}` : '');
  const isEmpty = usage.upload_mb === 0 && usage.download_mb === 0 && usage.storage_mb_months === 0;
  return (
    <Card title={words.usage} hideTitle>
      <Stack gap={16}>
        <Bars
          title={words.byDay}
          days={usage.days.map(({ day }) => format.date(day, 'day'))}
          actions={<MonthChoice account={account} />}
          series={[
            {
              id: 'upload',
              label: words.upload,
              tone: 'upload',
              values: usage.days.map(({ upload_mb }) => upload_mb),
              format: quantity.transfer,
              total: quantity.transfer(usage.upload_mb) + cost(usage.upload_micro_usd),
            },
            {
              id: 'download',
              label: words.download,
              tone: 'download',
              values: usage.days.map(({ download_mb }) => download_mb),
              format: quantity.transfer,
              total: quantity.transfer(usage.download_mb) + cost(usage.download_micro_usd),
            },
            {
              id: 'storage',
              label: words.storage,
              tone: 'storage',
              values: usage.days.map(({ storage_mb_months }) => storage_mb_months),
              format: quantity.storage,
              total: quantity.storage(usage.storage_mb_months) + cost(usage.storage_micro_usd),
            },
          ]}
        />
        {isEmpty ? (
          <p className={styles.note}>{words.noUsage(format.date(usage.period, 'month'))}</p>
        ) : (
          <div>
            <Button
              variant="quiet"
              icon="download"
              onClick={() => saveFile(`usage-${usage.period}.csv`, usageCsv(usage), 'text/csv')}
            >
              {words.exportUsage}
            </Button>
          </div>
        )}
      </Stack>
    </Card>
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

function Cost({ usage, account: { prices } }: { readonly usage: Usage; readonly account: BillingAccount }) {
  const words = useWords().billing;
  const format = useFormat();
  const quantity = useQuantities();
  const price = (perMegabyte: number): string => format.money(perMegabyte * 1000, { exact: true });
  const rows = [
    {
      meter: words.upload,
      quantity: quantity.transfer(usage.upload_mb),
      price: words.perGigabyte(price(prices.upload_mb_micro_usd)),
      cost: usage.upload_micro_usd,
    },
    {
      meter: words.download,
      quantity: quantity.transfer(usage.download_mb),
      price: words.perGigabyte(price(prices.download_mb_micro_usd)),
      cost: usage.download_micro_usd,
    },
    {
      meter: words.storage,
      quantity: quantity.storage(usage.storage_mb_months),
      price: words.perGigabyteMonth(price(prices.storage_mb_month_micro_usd)),
      cost: usage.storage_micro_usd,
    },
    { meter: words.total, quantity: '–', price: '–', cost: usage.total_micro_usd },
  ];
  return (
    <Card title={words.cost(format.date(usage.period, 'month'))} flush footer={words.costNote}>
      <Table
        compact
        label={words.costTable}
        rows={rows}
        rowKey={({ meter }) => meter}
        columns={[
          { id: 'meter', label: words.columns.meter, cell: ({ meter }) => meter },
          { id: 'quantity', label: words.columns.quantity, align: 'end', cell: (row) => row.quantity },
          { id: 'price', label: words.columns.price, align: 'end', cell: (row) => row.price },
          {
            id: 'cost',
            label: words.columns.cost,
            align: 'end',
            cell: ({ cost }) => <span className={styles.amount}>{format.money(cost, { exact: true })}</span>,
          },
        ]}
      />
    </Card>
  );
}
