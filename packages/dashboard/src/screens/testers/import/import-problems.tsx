import { ApiError } from '@agate/client';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../testers.module.css';
import { type CsvTester, type TestersCsv } from './testers-csv';

const SHOWN = 20;

/** The problems of a list, in words: "Line 3: …". */
export function useListProblems(): (list: TestersCsv) => string[] {
  const words = useWords().testers.importing;
  const format = useFormat();
  return ({ testers, problem }) => {
    if (problem) {
      const text = words.problems[problem.problem];
      const message = typeof text === 'string' ? text : text('');
      return [problem.line === null ? message : words.line(format.number(problem.line), message)];
    }
    return testers.flatMap(({ line, email, problem: wrong }) => {
      if (wrong === null) return [];
      const text = words.problems[wrong];
      return words.line(format.number(line), typeof text === 'string' ? text : text(email));
    });
  };
}

/** The lines that the service rejects, by their numbers in the chosen list. Empty for other errors. */
export function useRefusedLines(): (error: Error | null, testers: readonly CsvTester[]) => string[] {
  const words = useWords().testers.importing;
  const format = useFormat();
  return (error, testers) => {
    if (!(error instanceof ApiError) || error.code !== 'validation_error') return [];
    return [...error.fields].map(([field, message]) => {
      const sent = /^line (\d+)$/.exec(field)?.[1];
      // The first line that was sent names the columns.
      const tester = sent === undefined ? undefined : testers[Number(sent) - 2];
      return tester ? words.line(format.number(tester.line), message) : message;
    });
  };
}

/** The invalid lines. */
export function ImportProblems({ problems }: { problems: readonly string[] }) {
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
      <p>{words.noneAdded}</p>
    </div>
  );
}
