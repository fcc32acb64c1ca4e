import { Card, type Column, Icon, Table } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../testers.module.css';
import { type CsvTester } from './testers-csv';

const SHOWN = 100;

/** The first lines of a list before it is imported, with the people and the problems. */
export function ImportPreview({ testers }: { testers: readonly CsvTester[] }) {
  const words = useWords().testers.importing;
  const format = useFormat();
  const count = format.plural(testers.length, useWords().testers.count);
  return (
    <Card
      title={words.preview}
      flush
      footer={
        <p role="status" className="soft small">
          {testers.length > SHOWN ? words.shown(format.number(SHOWN), format.number(testers.length)) : count}
        </p>
      }
    >
      <Table
        label={words.preview}
        columns={useColumns()}
        rows={testers.slice(0, SHOWN)}
        rowKey={({ line }) => String(line)}
        compact
      />
    </Card>
  );
}

function useColumns(): readonly Column<CsvTester>[] {
  const words = useWords().testers.importing;
  const format = useFormat();
  return [
    { id: 'line', label: words.columns.line, width: 'narrow', cell: ({ line }) => format.number(line) },
    {
      id: 'email',
      label: words.columns.email,
      rowHeader: true,
      cell: ({ email }) => <span className={styles.address}>{email || '–'}</span>,
    },
    {
      id: 'name',
      label: words.columns.name,
      cell: ({ name }) => <span className={styles.address}>{name || '–'}</span>,
    },
    {
      id: 'note',
      label: words.columns.note,
      cell: ({ email, problem, sameAs }) => {
        if (problem !== null) return <Problem problem={problem} email={email} />;
        return sameAs !== null && <span className={styles.soft}>{words.repeated(format.number(sameAs))}</span>;
      },
    },
  ];
}

function Problem({ problem, email }: { problem: NonNullable<CsvTester['problem']>; email: string }) {
  const text = useWords().testers.importing.problems[problem];
  return (
    <span className={styles.problem}>
      <Icon name="problem" />
      {typeof text === 'string' ? text : text(email)}
    </span>
  );
}
