import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The value of every secret in the recorded environments. No output may contain it. */
export const RECORDED_SECRET = 's3cr3t-must-not-leave';

/** The variables of one run of a CI, as a job sees them. */
export interface RecordedRun {
  readonly ci: string;
  /** `push`, `tag`, `pull request` or a variant of them. */
  readonly event: string;
  readonly env: Readonly<Record<string, string>>;
  /** The contents of the files that the variables name; JSON or text. */
  readonly files: Readonly<Record<string, unknown>>;
  readonly expected: {
    readonly name: string;
    readonly branch: string | null;
    readonly commit: string | null;
    readonly url: string | null;
    readonly pullRequest: number | null;
  };
}

interface Recording {
  readonly name: string;
  readonly cases: Readonly<
    Record<
      string,
      Pick<RecordedRun, 'env'> &
        Partial<Pick<RecordedRun, 'files'>> & { expected: Omit<RecordedRun['expected'], 'name'> }
    >
  >;
}

/** All recorded runs, one file for each CI. */
export const recordedRuns = (): RecordedRun[] =>
  readdirSync(__dirname)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const { name, cases } = JSON.parse(readFileSync(path.join(__dirname, file), 'utf8')) as Recording;
      return Object.entries(cases).map(([event, { env, files = {}, expected }]) => ({
        ci: name,
        event,
        env,
        files,
        expected: { ...expected, name },
      }));
    });

/** The recorded run of one CI. @throws when there is none. */
export function recordedRun(ci: string, event = 'push'): RecordedRun {
  const run = recordedRuns().find((each) => each.ci === ci && each.event === event);
  if (!run) throw new Error(`No recorded ${event} of ${ci}.`);
  return run;
}
