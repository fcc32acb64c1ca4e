// How many admissions a second does one organization get?  npm run bench:hot-account [-- --seconds 5 --rounds 3]
//
// 32 callers, each with a credential of its own, reserve on the same account through BillingService of the built service
// (npm run build). Interleaved with it, the reference: the same conditional statement alone, by 32 clients of pgbench, or
// where there is no pgbench, of node-postgres. Prints the medians and their ratio (goal: at least 0.5), and proves that
// what is reserved is what was admitted.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const require = createRequire(import.meta.url);
const { NestFactory } = require('@nestjs/core');
const pg = require('pg');
const dist = (path) => require(`../dist/src/${path}.js`);

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '3' } },
});
const SECONDS = Number(values.seconds);
const ROUNDS = Number(values.rounds);
const CLIENTS = 32;
const SIZE_BYTES = 1_000_000;

/** What admission does to the database, and nothing else. */
const STATEMENT = `WITH room AS (
  UPDATE billing_account SET reserved_micro_usd = reserved_micro_usd + 120
  WHERE organization_id = '%ID%' AND balance_micro_usd - reserved_micro_usd >= 120 RETURNING organization_id)
INSERT INTO reservation (id, organization_id, principal, kind, size_bytes, amount_micro_usd, metered, state, created_at, expires_at)
SELECT gen_random_uuid(), organization_id, 'bench', 'download', ${SIZE_BYTES}, 120, true, 'active', now(), now() + interval '30 minutes' FROM room`;

const directory = mkdtempSync(join(tmpdir(), 'agate-hot-'));
const environment = {
  NODE_ENV: 'test',
  DATA_DIR: directory,
  LOG_LEVEL: 'error',
  ROLE: 'api',
  MAX_OPEN_RESERVATIONS: '1000000000',
};
const config = dist('infra/config/load-config').loadConfig(environment);
const postgres = await dist('infra/database/embedded/embedded-postgres').startEmbeddedPostgres({
  dataDirectory: join(directory, 'postgres'),
  log: () => undefined,
});
await dist('infra/database/migrations/migrate').migrateDatabase(postgres.ownerUrl, postgres.url);
const clock = new (dist('infra/clock/system-clock').SystemClock)();
const app = await NestFactory.createApplicationContext(
  dist('app/app.module').AppModule.forRoot({
    config,
    clock,
    databaseUrl: postgres.url,
    logger: dist('infra/logging/logger').createLogger(config),
    secrets: dist('infra/crypto/secrets').loadSecrets(config),
  }),
  { logger: false },
);
const billing = app.get(dist('modules/billing/index').BillingService);
const operations = app.get(dist('modules/billing/index').OperatorBillingService);
const client = new pg.Client({ connectionString: postgres.ownerUrl });
await client.connect();

const contextOf = (name) => ({ requestId: name, sourceIp: null, identity: { kind: 'operator', name }, clock });

/** An organization of its own for each measurement, with credit without end. */
async function organization() {
  const { rows } = await client.query(
    `INSERT INTO organization (id, name, created_at) VALUES (gen_random_uuid(), 'Bench', now()) RETURNING id`,
  );
  const [{ id }] = rows;
  await billing.openAccount(contextOf('bench'), id);
  await operations.grantCredit(contextOf('bench'), id, { amountMicroUsd: 10n ** 15n, reference: 'bench' });
  return id;
}

async function service() {
  const organizationId = await organization();
  const until = Date.now() + SECONDS * 1000;
  const caller = async (_, n) => {
    const ctx = contextOf(`caller-${n}`);
    let admitted = 0;
    for (; Date.now() < until; admitted += 1)
      await billing.reserve(ctx, { organizationId, kind: 'download', sizeBytes: SIZE_BYTES });
    return admitted;
  };
  const admitted = (await Promise.all(Array.from({ length: CLIENTS }, caller))).reduce((sum, n) => sum + n, 0);
  const { rows } = await client.query('SELECT reserved_micro_usd FROM billing_account WHERE organization_id = $1', [
    organizationId,
  ]);
  if (Number(rows[0].reserved_micro_usd) !== admitted * 120)
    throw new Error('What is reserved is not what was admitted.');
  return admitted / SECONDS;
}

const hasPgbench = spawnSync('pgbench', ['--version']).status === 0;

async function reference() {
  const statement = STATEMENT.replace('%ID%', await organization());
  if (!hasPgbench) return byClients(statement);
  const file = join(directory, 'statement.sql');
  writeFileSync(file, `${statement.replaceAll('\n', ' ')};\n`);
  const out = execFileSync(
    'pgbench',
    [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${CLIENTS}`,
      '--jobs=2',
      `--time=${SECONDS}`,
      `--file=${file}`,
      postgres.url,
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return Number(/tps = ([\d.]+)/.exec(out)[1]);
}

async function byClients(text) {
  const pool = new pg.Pool({ connectionString: postgres.url, max: CLIENTS });
  const until = Date.now() + SECONDS * 1000;
  const caller = async () => {
    let count = 0;
    for (; Date.now() < until; count += 1) await pool.query({ name: 'reserve', text });
    return count;
  };
  const done = await Promise.all(Array.from({ length: CLIENTS }, caller));
  await pool.end();
  return done.reduce((sum, n) => sum + n, 0) / SECONDS;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

try {
  const [ours, theirs] = [[], []];
  for (let round = 1; round <= ROUNDS; round++) {
    ours.push(await service());
    theirs.push(await reference());
    console.log(`round ${round}: service ${ours.at(-1).toFixed(0)}/s, reference ${theirs.at(-1).toFixed(0)}/s`);
  }
  const ratio = median(ours) / median(theirs);
  console.log(
    `admissions on one organization, ${CLIENTS} callers: ${median(ours).toFixed(0)}/s; the statement alone by ` +
      `${hasPgbench ? 'pgbench' : 'node-postgres'}: ${median(theirs).toFixed(0)}/s; ratio ${ratio.toFixed(2)}`,
  );
} finally {
  await client.end();
  await app.close();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
