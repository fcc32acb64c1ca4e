import { useInfiniteQuery } from '@tanstack/react-query';
import { itemsOf, ListCard } from '../../../parts/lists/list-screen';
import { allStatements, type Statement, statementsQuery } from '../../../queries/organization/billing';
import { type Column, Table } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../billing.module.css';
import { useBillingPlace } from '../use-billing-place';
import { dollars, ExportButton } from './export-button';

/** The closed months, newest first. */
export function Statements() {
  const words = useWords().billing;
  const { organizationId } = useBillingPlace();
  const list = useInfiniteQuery(statementsQuery(organizationId));
  const columns = useColumns();
  const statements = itemsOf(list);
  if (list.isSuccess && statements.length === 0 && !list.hasNextPage) {
    return <p className={styles.note}>{words.noStatements}</p>;
  }
  return (
    <ListCard
      title={words.statements}
      flush
      actions={
        <ExportButton
          label={words.exportStatements}
          fileName="statements.csv"
          read={() => statementRows(organizationId)}
        />
      }
      list={list}
      count={statements.length}
      rows={2}
      forms={words.statementCount}
    >
      <Table compact brief label={words.statements} columns={columns} rows={statements} rowKey={({ id }) => id} />
    </ListCard>
  );
}

function useColumns(): readonly Column<Statement>[] {
  const words = useWords().billing;
  const format = useFormat();
  const labels = words.statementColumns;
  const sum = (id: keyof typeof labels, of: (statement: Statement) => number): Column<Statement> => ({
    id,
    label: labels[id],
    align: 'end',
    cell: (statement) => <span className={styles.amount}>{format.money(of(statement))}</span>,
  });
  return [
    { id: 'month', label: labels.month, cell: ({ period }) => format.date(period, 'month') },
    { id: 'plan', label: labels.plan, plain: true, cell: ({ plan }) => words.plans[plan] },
    sum('opening', ({ opening_balance_micro_usd }) => opening_balance_micro_usd),
    sum('credits', ({ credits_micro_usd }) => credits_micro_usd),
    sum('fees', ({ fees_micro_usd }) => fees_micro_usd),
    sum('usage', (one) => one.storage_micro_usd + one.upload_micro_usd + one.download_micro_usd),
    { ...sum('closing', ({ closing_balance_micro_usd }) => closing_balance_micro_usd), lead: true },
  ];
}

async function statementRows(organizationId: string) {
  const statements = await allStatements(organizationId);
  return [
    [
      ...['id', 'period', 'plan', 'opening_balance_usd', 'credits_usd', 'fees_usd', 'storage_usd', 'upload_usd'],
      ...['download_usd', 'closing_balance_usd', 'storage_mb_months', 'upload_mb', 'download_mb', 'created_at'],
    ],
    ...statements.map((one) => [
      one.id,
      one.period,
      one.plan,
      dollars(one.opening_balance_micro_usd),
      dollars(one.credits_micro_usd),
      dollars(one.fees_micro_usd),
      dollars(one.storage_micro_usd),
      dollars(one.upload_micro_usd),
      dollars(one.download_micro_usd),
      dollars(one.closing_balance_micro_usd),
      one.storage_mb_months,
      one.upload_mb,
      one.download_mb,
      one.created_at,
    ]),
  ];
}
