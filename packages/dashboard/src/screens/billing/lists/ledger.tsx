import { useInfiniteQuery } from '@tanstack/react-query';
import { itemsOf, ListCard } from '../../../parts/lists/list-screen';
import { type LedgerEntry, ledgerQuery, wholeLedger } from '../../../queries/organization/billing';
import { type Column, Table, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { type Words } from '../../../words/words';
import { useWords } from '../../../words/words-provider';
import styles from '../billing.module.css';
import { useQuantities } from '../usage/use-quantities';
import { useBillingPlace } from '../use-billing-place';
import { dollars, ExportButton } from './export-button';

/** Every credit and charge by day, newest first. A day opens to its entries. */
export function Ledger() {
  const words = useWords().billing;
  const { organizationId } = useBillingPlace();
  const list = useInfiniteQuery(ledgerQuery(organizationId));
  const entries = itemsOf(list);
  const days = byDay(entries);
  const oldest = days.at(-1)?.[0];
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
      empty={<p className={styles.intro}>{words.noEntries}</p>}
    >
      <p className={styles.intro}>{words.ledgerText}</p>
      <ul className={styles.days} aria-label={words.ledger}>
        {days.map(([day, ofDay]) => (
          <Day key={day} day={day} entries={ofDay} isWhole={day !== oldest || !list.hasNextPage} />
        ))}
      </ul>
    </ListCard>
  );
}

/** The entries of each day (UTC), in their order. */
function byDay(entries: readonly LedgerEntry[]): readonly (readonly [day: string, entries: readonly LedgerEntry[]])[] {
  const days = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    const day = entry.created_at.slice(0, 'YYYY-MM-DD'.length);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days];
}

interface DayProps {
  /** By UTC, as the service closes months. */
  readonly day: string;
  readonly entries: readonly LedgerEntry[];
  /** Further entries of the day may not be loaded yet. */
  readonly isWhole: boolean;
}

function Day({ day, entries, isWhole }: DayProps) {
  const words = useWords().billing;
  const format = useFormat();
  const columns = useColumns();
  const kinds = [...new Set(entries.map((entry) => nameOf(entry, words)))];
  const sum = entries.reduce((total, { amount_micro_usd }) => total + amount_micro_usd, 0);
  return (
    <li>
      <details className={styles.day}>
        <summary>
          <span className={styles.date}>{format.date(day)}</span>
          <span className={styles.kinds}>{kinds.join(', ')}</span>
          <span className={styles.amount}>{isWhole ? format.money(sum) : '…'}</span>
        </summary>
        {entries.some(isCorrection) && <p className={styles.intro}>{words.correction}</p>}
        <Table
          compact
          brief
          label={words.ledgerOf(format.date(day))}
          columns={columns}
          rows={entries}
          rowKey={({ id }) => id}
        />
      </details>
    </li>
  );
}

/** A fee that is given back, and trial credit that is taken back with it, after a change of the plan. */
const isCorrection = ({ kind, amount_micro_usd: amount }: LedgerEntry): boolean =>
  (kind === 'plan_fee' && amount > 0) || (kind === 'trial_credit' && amount < 0);

const nameOf = (entry: LedgerEntry, words: Words['billing']): string =>
  isCorrection(entry) && entry.kind in words.corrections
    ? words.corrections[entry.kind as keyof typeof words.corrections]
    : words.kinds[entry.kind];

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
    { id: 'kind', label: labels.kind, cell: (entry) => nameOf(entry, words) },
    { id: 'time', label: labels.time, plain: true, cell: ({ created_at }) => <Time value={created_at} exact /> },
    { id: 'month', label: labels.month, cell: ({ period }) => format.date(period, 'month') },
    { id: 'quantity', label: labels.quantity, align: 'end', cell: amountOf },
    {
      id: 'amount',
      label: labels.amount,
      align: 'end',
      lead: true,
      cell: ({ amount_micro_usd }) => <span className={styles.amount}>{format.money(amount_micro_usd)}</span>,
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
