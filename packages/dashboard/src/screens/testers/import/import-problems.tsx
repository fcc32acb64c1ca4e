import { ApiError } from '@agate/client';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../testers.module.css';
import { type CsvTester, type TestersCsv } from './testers-csv';

const SHOWN = 20;

/** The lines that the service rejects, by their numbers in the chosen list. Empty for other errors. */
export function refusedLines(error: Error, sent: readonly CsvTester[]): ReadonlyMap<number, string> {
  const lines = new Map<number, string>();
  if (!(error instanceof ApiError) || error.code !== 'validation_error') return lines;
  for (const [field, message] of error.fields) {
    const number = /^line (\d+)$/.exec(field)?.[1];
    // The first line that was sent names the columns.
    const tester = number === undefined ? undefined : sent[Number(number) - 2];
    if (tester) lines.set(tester.line, message);
  }
  return lines;
}

/** The problems of a list, in words: "Line 3: …". */
export function useListProblems(): (list: TestersCsv, refused: ReadonlyMap<number, string>) => string[] {
  const words = useWords().testers.importing;
  const format = useFormat();
  return ({ testers, problem }, refused) => {
    // The screen asks which column it is.
    if (problem?.problem === 'columns') return [];
    if (problem) {
      const text = words.problems[problem.problem];
      const message = typeof text === 'string' ? text : text('');
      return [problem.line === null ? message : words.line(format.number(problem.line), message)];
    }
    return testers.flatMap(({ line, email, problem: wrong }) => {
      const text = wrong === null ? refused.get(line) : words.problems[wrong];
      if (text === undefined) return [];
      return words.line(format.number(line), typeof text === 'string' ? text : text(email));
    });
  };
}

/** The problems of a list, and what they mean for its other lines. */
export function ImportProblems({ problems, note }: { problems: readonly string[]; note: string | null }) {
  const words = useWords().testers.importing;
  const format = useFormat();
  const more = problems.length - SHOWN;
  return (
    <div role="alert" className={styles.alert}>
      <ul className={styles.plain}>
        {problems.slice(0, SHOWN).map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
      {more > 0 && <p>{format.plural(more, words.moreProblems)}</p>}
      {note !== null && <p>{note}</p>}
    </div>
  );
}
