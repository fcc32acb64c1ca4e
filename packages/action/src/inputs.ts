type Environment = Readonly<Record<string, string | undefined>>;

/** The inputs that are options of `agate upload` with a value. */
const VALUES = [
  'url',
  'organization',
  'project',
  'channel',
  'notes',
  'notes-file',
  'version',
  'build-number',
  'platform',
  'branch',
  'commit',
  'ci-url',
  'parallel',
  'retry-for',
] as const;

/** The inputs that are options of `agate upload` without a value. */
const SWITCHES = ['notes-from-git', 'silent', 'no-ci-metadata', 'no-commits', 'expect-installable', 'debug'] as const;

/** Options that can be repeated, given as one value for each line. */
const LISTS: ReadonlySet<string> = new Set(['channel']);

/** The value of an input of the step. Runners pass it as a variable and keep the hyphens of its name. */
export const inputOf = (environment: Environment, name: string): string =>
  (environment[`INPUT_${name.toUpperCase()}`] ?? '').trim();

/** Whether an input is true. @throws TypeError for anything but `true`, `false` and nothing. */
export function isOn(environment: Environment, name: string): boolean {
  const value = inputOf(environment, name).toLowerCase();
  if (value !== '' && value !== 'true' && value !== 'false') {
    throw new TypeError(`The input ${name} is "${value}". Use true or false.`);
  }
  return value === 'true';
}

/** The values of an input with one value per line. */
export const linesOf = (environment: Environment, name: string): string[] =>
  inputOf(environment, name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The command line arguments for the inputs, without the files. @throws TypeError for a wrong input. */
export function argumentsOf(environment: Environment): string[] {
  return [
    'upload',
    '--json',
    ...VALUES.flatMap((name) => {
      const values = LISTS.has(name) ? linesOf(environment, name) : [inputOf(environment, name)];
      return values.filter((value) => value !== '').map((value) => `--${name}=${value}`);
    }),
    ...SWITCHES.filter((name) => isOn(environment, name)).map((name) => `--${name}`),
    ...failOnWarning(inputOf(environment, 'fail-on-warning')),
  ];
}

/** The option takes a list of codes or nothing. */
function failOnWarning(value: string): string[] {
  if (value === '' || value === 'false') return [];
  return [value === 'true' ? '--fail-on-warning' : `--fail-on-warning=${value}`];
}

/** The variables of the command line: those of the job, with the credential from the input. */
export function variablesOf(environment: Environment): Record<string, string | undefined> {
  const entries = Object.entries(environment).filter(([name]) => !name.startsWith('INPUT_'));
  return { ...Object.fromEntries(entries), AGATE_TOKEN: inputOf(environment, 'token') };
}
