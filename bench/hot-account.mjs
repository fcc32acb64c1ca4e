// Measures the reservations per second on one billing account.
// npm run bench hot-account [-- --seconds 5 --rounds 3]
//
// 32 callers, each with its own credential, reserve on one account through BillingService. Interleaved with that, the reference runs the
// conditional statement alone, with 32 clients of pgbench or, where it is not installed, of node-postgres. Prints the medians and their
// ratio (goal: at least 0.5), and checks that the reserved sum matches the number of reservations.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/support/builds.mjs';

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

/** The statement of a reservation, without the transaction and the advisory lock around it. */
const STATEMENT = `WITH account AS (
  UPDATE billing_account SET reserved_micro_usd = reserved_micro_usd + 120
  WHERE organization_id = '%ID%' AND balance_micro_usd - reserved_micro_usd >= 120 RETURNING organization_id)
INSERT INTO reservation (id, organization_id, principal, kind, size_bytes, amount_micro_usd, metered, state, created_at, expires_at)
SELECT gen_random_uuid(), organization_id, 'bench', 'download', ${SIZE_BYTES}, 120, true, 'active', now(), now() + interval '30 minutes' FROM account`;

await ensureBuilt();
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
const operatorBilling = app.get(dist('modules/billing/index').OperatorBillingService);
const client = new pg.Client({ connectionString: postgres.ownerUrl });
await client.connect();

const contextOf = (name) => ({ requestId: name, sourceIp: null, identity: { kind: 'operator', name }, clock });

/** Creates an organization with practically unlimited credit. */
async function organization() {
  const { rows } = await client.query(
    `INSERT INTO organization (id, name, created_at) VALUES (gen_random_uuid(), 'Bench', now()) RETURNING id`,
  );
  const [{ id }] = rows;
  await billing.openAccount(contextOf('bench'), id);
  await operatorBilling.grantCredit(contextOf('bench'), id, { amountMicroUsd: 10n ** 15n, reference: 'bench' });
  return id;
}

async function service() {
  const organizationId = await organization();
  const until = Date.now() + SECONDS * 1000;
  const caller = async (_, n) => {
    const ctx = contextOf(`caller-${n}`);
    let count = 0;
    for (; Date.now() < until; count += 1)
      await billing.reserve(ctx, { organizationId, kind: 'download', sizeBytes: SIZE_BYTES });
    return count;
  };
  const reserved = (await Promise.all(Array.from({ length: CLIENTS }, caller))).reduce((sum, n) => sum + n, 0);
  const { rows } = await client.query('SELECT reserved_micro_usd FROM billing_account WHERE organization_id = $1', [
    organizationId,
  ]);
  if (Number(rows[0].reserved_micro_usd) !== reserved * 120)
    throw new Error('The reserved sum does not match the number of reservations.');
  return reserved / SECONDS;
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
  const counts = await Promise.all(Array.from({ length: CLIENTS }, caller));
  await pool.end();
  return counts.reduce((sum, n) => sum + n, 0) / SECONDS;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

try {
  const results = { service: [], reference: [] };
  for (let round = 1; round <= ROUNDS; round++) {
    results.service.push(await service());
    results.reference.push(await reference());
    console.log(
      `round ${round}: service ${results.service.at(-1).toFixed(0)}/s, reference ${results.reference.at(-1).toFixed(0)}/s`,
    );
  }
  const [serviceRate, referenceRate] = [median(results.service), median(results.reference)];
  const ratio = serviceRate / referenceRate;
  console.log(
    `reservations on one account, ${CLIENTS} callers: ${serviceRate.toFixed(0)}/s; the statement alone by ` +
      `${hasPgbench ? 'pgbench' : 'node-postgres'}: ${referenceRate.toFixed(0)}/s; ratio ${ratio.toFixed(2)}`,
  );
} finally {
  await client.end();
  await app.close();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
