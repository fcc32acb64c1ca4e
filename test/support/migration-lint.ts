import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A migration as far as the rules of docs/guides/add-a-migration.md can be read off it. */
export interface LintedMigration extends Pick<MigrationInterface, 'up' | 'transaction'> {
  /** The release that no longer uses what this one takes away: the last step of expand, migrate, contract. */
  readonly unusedSince?: string;
}

/** A rule for statements about a table that was there before, and what is wrong with those that match. */
type Rule = readonly [pattern: RegExp, fault: string];

const TAKES_AWAY: readonly Rule[] = [
  [/^DROP (TABLE|VIEW|TYPE) /, 'takes something away'],
  [/^ALTER TABLE .*\bDROP (COLUMN )?(?!CONSTRAINT|NOT NULL|DEFAULT|EXPRESSION|IDENTITY)\w/, 'drops a column'],
  [/^ALTER .*\bRENAME /, 'renames'],
  [/^ALTER TABLE .*\bALTER (COLUMN )?\w+ (SET DATA )?TYPE /, 'changes the type of a column'],
];

const STOPS_OTHERS: readonly Rule[] = [
  [/^ALTER TABLE .*\bSET NOT NULL/, 'sets NOT NULL: reads the whole table under a lock, and old code may write NULL'],
  [
    /^ALTER TABLE .*\bADD (COLUMN )?(?!CONSTRAINT|UNIQUE|PRIMARY|FOREIGN|CHECK)\w+ (?!.*\bDEFAULT\b)(?!.*\bGENERATED\b)[^,]*NOT NULL/,
    'adds a column that old code does not fill',
  ],
  [/^ALTER TABLE .*\bADD (CONSTRAINT \w+ )?(CHECK|FOREIGN KEY)(?!.*\bNOT VALID)/, 'checks every row under a lock'],
  [/^ALTER TABLE .*\bADD (CONSTRAINT \w+ )?(UNIQUE|PRIMARY KEY) ?(?!USING INDEX)\(/, 'builds an index under a lock'],
  [/^CREATE (UNIQUE )?INDEX (?!CONCURRENTLY)/, 'builds an index under a lock'],
];

/** Why processes of the previous release could not go on while this migration runs, and after it; a line for each. */
export async function faultsOfMigration(migration: LintedMigration): Promise<string[]> {
  const statements = await statementsOf(migration);
  const made = statements.flatMap((text) => /^CREATE TABLE (?:IF NOT EXISTS )?([\w.]+)/.exec(text)?.[1] ?? []);
  const foreign = statements.filter((text) => !made.includes(tableOf(text)));
  const rules = migration.unusedSince === undefined ? [...TAKES_AWAY, ...STOPS_OTHERS] : STOPS_OTHERS;
  const faults = foreign.flatMap((text) =>
    rules.filter(([pattern]) => pattern.test(text)).map(([, fault]) => `${fault}: ${text.slice(0, 100)}`),
  );
  const isConcurrent = statements.some((text) => /\bCONCURRENTLY\b/.test(text));
  if (isConcurrent && migration.transaction !== false) faults.push('CONCURRENTLY needs `transaction = false`');
  if (isConcurrent && statements.length > 1) faults.push('CONCURRENTLY needs a migration of its own');
  return faults;
}

/** What it would send to the database: one line each, without comments, texts and bodies of functions. */
async function statementsOf(migration: LintedMigration): Promise<string[]> {
  const sent: string[] = [];
  const query = (text: string): Promise<unknown[]> => {
    sent.push(text);
    return Promise.resolve([]);
  };
  await migration.up({ query } as unknown as QueryRunner);
  return sent
    .map((text) => text.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$$').replace(/'(?:[^']|'')*'/g, "''"))
    .flatMap((text) => text.replace(/--.*$/gm, '').split(';'))
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}

const tableOf = (text: string): string =>
  /^(?:ALTER|DROP) TABLE (?:IF EXISTS )?(?:ONLY )?([\w.]+)/.exec(text)?.[1] ??
  /^CREATE .*INDEX .*? ON (?:ONLY )?([\w.]+)/.exec(text)?.[1] ??
  '';
