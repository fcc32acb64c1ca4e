import { Card, type Column, Icon, Table } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../testers.module.css';
import { type CsvTester } from './testers-csv';

const SHOWN = 100;

interface ImportPreviewProps {
  readonly testers: readonly CsvTester[];
  /** The first line, which was read as titles that the service does not know. */
  readonly unknownTitles: string | null;
  /** The lines that the service rejected, with its messages. */
  readonly refused: ReadonlyMap<number, string>;
}

/** The first lines of a list before it is imported, with the people and the problems. */
export function ImportPreview({ testers, unknownTitles, refused }: ImportPreviewProps) {
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
          {unknownTitles !== null && ` ${words.titles(unknownTitles)}`}
        </p>
      }
    >
      <Table
        label={words.preview}
        columns={useColumns(refused)}
        rows={testers.slice(0, SHOWN)}
        rowKey={({ line }) => String(line)}
        compact
      />
    </Card>
  );
}

function useColumns(refused: ReadonlyMap<number, string>): readonly Column<CsvTester>[] {
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
      cell: ({ line, email, problem, sameAs }) => {
        const text = problem === null ? refused.get(line) : words.problems[problem];
        if (text !== undefined) return <Problem>{typeof text === 'string' ? text : text(email)}</Problem>;
        return sameAs !== null && <span className={styles.soft}>{words.repeated(format.number(sameAs))}</span>;
      },
    },
  ];
}

function Problem({ children }: { children: string }) {
  return (
    <span className={styles.problem}>
      <Icon name="problem" />
      {children}
    </span>
  );
}
