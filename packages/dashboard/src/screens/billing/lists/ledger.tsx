import { useInfiniteQuery } from '@tanstack/react-query';
import { itemsOf, ListCard } from '../../../parts/lists/list-screen';
import { type LedgerEntry, ledgerQuery, wholeLedger } from '../../../queries/organization/billing';
import { type Column, Table, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../billing.module.css';
import { useQuantities } from '../usage/use-quantities';
import { useBillingPlace } from '../use-billing-place';
import { dollars, ExportButton } from './export-button';

/** Every credit and charge, newest first. */
export function Ledger() {
  const words = useWords().billing;
  const { organizationId } = useBillingPlace();
  const list = useInfiniteQuery(ledgerQuery(organizationId));
  const columns = useColumns();
  const entries = itemsOf(list);
  return (
    <ListCard
      title={words.ledger}
      flush
      actions={
        entries.length > 0 && (
          <ExportButton label={words.exportLedger} fileName="ledger.csv" read={() => ledgerRows(organizationId)} />
        )
      }
      list={list}
      count={entries.length}
      rows={4}
      forms={words.entries}
      more={words.entriesLoaded}
      empty={<p className={styles.intro}>{words.noEntries}</p>}
    >
      <p className={styles.intro}>{words.ledgerText}</p>
      <Table compact label={words.ledger} columns={columns} rows={entries} rowKey={({ id }) => id} />
    </ListCard>
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
