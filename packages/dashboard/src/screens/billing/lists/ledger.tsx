import { useInfiniteQuery } from '@tanstack/react-query';
import { ListState } from '../../../parts/lists/list-state';
import { type LedgerEntry, ledgerQuery, wholeLedger } from '../../../queries/organization/billing';
import { Card, type Column, Table, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../billing.module.css';
import { dollars, ExportButton } from './export-button';
import { ListFoot } from '../../../parts/lists/list-foot';
import { useBillingPlace } from '../use-billing-place';
import { useQuantities } from '../usage/use-quantities';

/** Every credit and charge, newest first. */
export function Ledger() {
  const words = useWords().billing;
  const { organizationId } = useBillingPlace();
  const list = useInfiniteQuery(ledgerQuery(organizationId));
  const columns = useColumns();
  const entries = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Card
      title={words.ledger}
      flush
      actions={
        entries.length > 0 && (
          <ExportButton label={words.exportLedger} fileName="ledger.csv" read={() => ledgerRows(organizationId)} />
        )
      }
      footer={
        entries.length > 0 && (
          <ListFoot count={entries.length} forms={words.entries} more={words.entriesLoaded} list={list} />
        )
      }
    >
      <p className={styles.intro}>{list.data && entries.length === 0 ? words.noEntries : words.ledgerText}</p>
      <ListState list={list} rows={4} />
      {entries.length > 0 && (
        <Table compact label={words.ledger} columns={columns} rows={entries} rowKey={({ id }) => id} />
      )}
    </Card>
  );
}

function useColumns(): readonly Column<LedgerEntry>[] {
  const words = useWords().billing;
  const format = useFormat();
  const quantity = useQuantities();
  const labels = words.ledgerColumns;
  const amountOf = ({ kind, quantity: amount }: LedgerEntry): string => {
    if (amount === null) return '–';
    return kind === 'usage_storage' ? quantity.storage(amount) : quantity.transfer(amount);
  };
  return [
    { id: 'kind', label: labels.kind, cell: ({ kind }) => words.kinds[kind] },
    { id: 'time', label: labels.time, cell: ({ created_at }) => <Time value={created_at} /> },
    { id: 'month', label: labels.month, cell: ({ period }) => format.date(period, 'month') },
    { id: 'quantity', label: labels.quantity, align: 'end', cell: amountOf },
    {
      id: 'amount',
      label: labels.amount,
      align: 'end',
      cell: ({ amount_micro_usd }) => (
        <span className={styles.amount}>{format.money(amount_micro_usd, { exact: true })}</span>
      ),
    },
  ];
}

async function ledgerRows(organizationId: string) {
  const entries = await wholeLedger(organizationId);
  return [
    ['id', 'created_at', 'kind', 'period', 'quantity_mb', 'amount_usd', 'reference'],
    ...entries.map((one) => [
      one.id,
      one.created_at,
      one.kind,
      one.period,
      one.quantity,
      dollars(one.amount_micro_usd),
      one.reference,
    ]),
  ];
}
