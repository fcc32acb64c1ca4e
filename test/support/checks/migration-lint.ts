import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The parts of a migration that the rules of docs/guides/add-a-migration.md use. */
export interface LintedMigration extends Pick<MigrationInterface, 'up' | 'transaction'> {
  /** The release that no longer uses what this migration removes: the last step of expand, migrate, contract. */
  readonly unusedSince?: string;
}

/** A rule for statements on an existing table, and the fault of a statement that matches. */
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
  [
    /^ALTER TABLE .*\bADD (COLUMN )?(?!CONSTRAINT|UNIQUE|PRIMARY|FOREIGN|CHECK)\w+ [^,]*(\bDEFAULT (?!now\(\))[\w.]*\(|\bGENERATED\b|\b(small|big)?serial\b)/,
    'rewrites the whole table under a lock',
  ],
];

/** Statements that may wait without limit, as those outside a transaction do, because queries do not queue behind them. */
const WAITS_ALONE = /^(SELECT|INSERT|UPDATE|DELETE|WITH) |\bCONCURRENTLY\b/;
/** Statements that do not block readers of either table. */
const REFERS_ONLY = /^ALTER TABLE [\w.]+ ADD (CONSTRAINT \w+ )?FOREIGN KEY (?!.*, (ADD|DROP|ALTER) )/;
/** An interrupted attempt leaves an invalid index with the same name. */
const INDEX_AGAIN = /^DROP INDEX CONCURRENTLY IF EXISTS (\w+)(;CREATE (UNIQUE )?INDEX CONCURRENTLY \1 [^;]*)?$/;

/** Faults that would break processes of the previous release during or after this migration, one line each. */
export async function faultsOfMigration(migration: LintedMigration): Promise<string[]> {
  const statements = await statementsOf(migration);
  const made = statements.flatMap((text) => /^CREATE TABLE (?:IF NOT EXISTS )?([\w.]+)/.exec(text)?.[1] ?? []);
  const foreign = statements.filter((text) => !made.includes(tableOf(text)));
  const rules = migration.unusedSince === undefined ? [...TAKES_AWAY, ...STOPS_OTHERS] : STOPS_OTHERS;
  const faults = foreign.flatMap((text) =>
    rules.filter(([pattern]) => pattern.test(text)).map(([, fault]) => `${fault}: ${text.slice(0, 100)}`),
  );
  return [...faults, ...faultsTogether(statements, foreign, migration.transaction !== false)];
}

/** Faults of statements in combination, or because their transaction holds locks until its end. */
function faultsTogether(statements: readonly string[], foreign: readonly string[], isTransaction: boolean): string[] {
  const isConcurrent = statements.some((text) => /\bCONCURRENTLY\b/.test(text));
  const validates = statements.filter((text) => /\bVALIDATE CONSTRAINT\b/.test(text)).length;
  const alters = foreign.filter((text) => /^(ALTER|DROP) TABLE /.test(text) && !/\bVALIDATE\b/.test(text));
  const locked = new Set(alters.flatMap((text) => [tableOf(text), ...referredToBy(text)]));
  const rules: readonly (readonly [isBroken: boolean, fault: string])[] = [
    [isConcurrent && isTransaction, 'CONCURRENTLY needs `transaction = false`'],
    [
      isConcurrent && !INDEX_AGAIN.test(statements.join(';')),
      'a CONCURRENTLY migration must DROP IF EXISTS, then CREATE, and nothing else',
    ],
    [
      validates > 0 && validates < statements.length,
      'VALIDATE CONSTRAINT needs a migration of its own: it reads all rows',
    ],
    [
      !isTransaction && !statements.every((text) => WAITS_ALONE.test(text)),
      '`transaction = false` waits for a table without end',
    ],
    [
      isTransaction && foreign.some((text) => /^(WITH .*)?(UPDATE|DELETE FROM) /.test(text)),
      'keeps rows locked to the end: change them in batches',
    ],
    [
      locked.size > 1 && !(alters.length === 1 && REFERS_ONLY.test(alters[0] ?? '')),
      `keeps one table to itself while it waits for another: ${[...locked].join(', ')}`,
    ],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, fault]) => fault);
}

/** The migration's statements, one line each, without comments, string literals and function bodies. */
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

const referredToBy = (text: string): string[] =>
  [...text.matchAll(/\bREFERENCES (?:ONLY )?([\w.]+)/g)].map(([, table = '']) => table);

const tableOf = (text: string): string =>
  /^(?:ALTER|DROP) TABLE (?:IF EXISTS )?(?:ONLY )?([\w.]+)/.exec(text)?.[1] ??
  /^(?:UPDATE|DELETE FROM) (?:ONLY )?([\w.]+)/.exec(text)?.[1] ??
  /^CREATE .*INDEX .*? ON (?:ONLY )?([\w.]+)/.exec(text)?.[1] ??
  '';
