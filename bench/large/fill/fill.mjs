// Fills the database of an installation set by set: an hour of inserts by requests becomes minutes.
import { fillArtifacts } from './artifacts.mjs';
import { fillAudit } from './audit.mjs';
import { fillDue } from './due.mjs';
import { withoutIndexes } from './indexes.mjs';
import { fillLinks } from './links.mjs';
import { fillMoney } from './money.mjs';
import { fillTenants } from './tenants.mjs';

const TABLES = [
  ...['build', 'stored_build', 'storage_interval', 'invite', 'release', 'release_mail', 'tester', 'subscription'],
  ...['build_download', 'ledger_entry', 'billing_statement', 'audit_event'],
];

const STEPS = {
  tenants: fillTenants,
  artifacts: fillArtifacts,
  links: fillLinks,
  money: fillMoney,
  audit: fillAudit,
  due: fillDue,
};

/**
 * Multiplies the rows of the demo's organization, which the service wrote, so that a new column needs no change here.
 * @param database a connection as a superuser.
 * @param subject the ids of the hot organization, project and channel, the DATA_DIR, and the sizes.
 */
export async function fill(database, subject, report) {
  await database.query(`SET synchronous_commit = off; SET maintenance_work_mem = '512MB'; SET work_mem = '128MB'`);
  const timed = async (name, work) => {
    const started = performance.now();
    await work();
    report(`  ${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  };
  const started = performance.now();
  await withoutIndexes(database, TABLES, async () => {
    for (const [name, step] of Object.entries(STEPS)) await timed(name, () => step(database, subject));
  });
  report(`  with indexes: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  await timed('vacuum', () => database.query('VACUUM (ANALYZE)'));
}
