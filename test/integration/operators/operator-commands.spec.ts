import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newId } from '#kernel/ids';
import { OwnerDatabase } from '#infra/database/roles/owner-database';
import { OperatorCommands } from '#modules/operators';
import { StorageService } from '#modules/storage';
import { operatorProgram } from '#app/cli/operator-program';
import { type OrganizationRef } from '../../support/actors/actors';
import { contentOf } from '../../support/actors/backup-fixture';
import { customerS3, type CustomerStore, ON_THIS_MACHINE, putByosa } from '../../support/actors/byosa';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

interface Expected {
  /** The arguments after the command's name. */
  readonly words?: () => readonly string[] | Promise<readonly string[]>;
  /** The audit event of the change; null for a command that changes nothing. */
  readonly event: string | null;
  /** The command reports progress. */
  readonly long?: true;
}

jest.setTimeout(120_000);

describe('every operator command', () => {
  let app: TestApp;
  let tenant: Tenant;
  let victim: Tenant;
  let interrupted: Tenant;
  let plain: OrganizationRef;
  let store: CustomerStore;
  const folder = join(tmpdir(), `agate-commands-${randomBytes(5).toString('hex')}`);

  beforeAll(async () => {
    [app, store] = await Promise.all([TestApp.start({ worker: false, environment: ON_THIS_MACHINE }), customerS3()]);
    tenant = await createTenant(app, 'tenant');
    victim = await createTenant(app, 'victim');
    interrupted = await createTenant(app, 'interrupted');
    plain = await tenant.admin.createsOrganization();
    await putByosa(tenant.admin, tenant.organization, await store.settings()).expect(200);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await app.stop();
    await store.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(`${folder}.zip`, { force: true });
    await rm(`${folder}-cut`, { recursive: true, force: true });
  });

  const own =
    (...words: string[]) =>
    () => [tenant.organization.id, ...words];
  const topUp = async (): Promise<string[]> => {
    const [row] = await app.sql<{ id: string }>(
      `INSERT INTO top_up VALUES (gen_random_uuid(), $1, 5000000, 'manual', 'pending', NULL, NULL, NULL, now(), NULL) RETURNING id`,
      [tenant.organization.id],
    );
    return [row!.id];
  };
  const failedJob = async (): Promise<string[]> => {
    await app.sql(`SELECT FROM graphile_worker.add_job('mail.send', '{}', max_attempts => 1)`);
    await app.sql(
      `SELECT FROM graphile_worker.permanently_fail_jobs(array(SELECT max(id) FROM graphile_worker.jobs), 'x')`,
    );
    return ['all'];
  };

  const withSecondFactor = async (): Promise<string[]> => {
    await app.sql(`INSERT INTO second_factor (developer_id, sealed_secret, last_step) VALUES ($1, 'x', 0)`, [
      tenant.admin.id,
    ]);
    return [tenant.admin.id];
  };

  const EXPECTED: Readonly<Record<string, Expected>> = {
    'account export': { words: own('--file', `${folder}.zip`), event: 'organization.exported', long: true },
    'account erase': { words: () => [victim.organization.id], event: 'organization.erased', long: true },
    'account invite': { words: () => ['invited@example.com'], event: 'developer.invited' },
    'account reset-mfa': { words: withSecondFactor, event: 'developer.mfa_reset' },
    'account sign-out': { words: () => [tenant.member.email], event: 'developer.signed_out' },
    'account suspend': { words: () => [tenant.member.id], event: 'developer.suspended' },
    'account unsuspend': { words: () => [tenant.member.id], event: 'developer.unsuspended' },
    'audit verify': { words: () => ['--organization-id', tenant.organization.id], event: null, long: true },
    'backup create': { words: () => [folder], event: 'backup.created', long: true },
    'billing show': { words: own(), event: null },
    'billing top-ups': { event: null },
    'billing uncapped': { event: null },
    'billing check': { event: null },
    'billing approve': { words: topUp, event: 'billing.top_up_paid' },
    'billing grant': { words: own('12.50', '--reference', 'gift'), event: 'billing.credit_granted' },
    'billing cap': { words: own('250'), event: 'billing.updated' },
    'billing fee': { words: own('waived'), event: 'billing.fee_waiver_changed' },
    'billing plan': { words: () => [plain.id, 'business'], event: 'billing.plan_changed' },
    'blobs check': { event: null, long: true },
    'blobs clean': { event: 'blobs.cleaned', long: true },
    'byosa diagnose': { words: own(), event: null },
    'byosa flip': { words: own('--to', 'byosa', '--copy'), event: 'byosa.flipped', long: true },
    check: { event: null, long: true },
    'clock show': { event: null },
    'clock confirm': { event: 'clock.confirmed' },
    'flags list': { event: null },
    'jobs status': { event: null },
    'jobs failed': { event: null },
    'jobs retry': { words: failedJob, event: 'jobs.retried' },
    'keys rotate': { event: 'keys.rotated', long: true },
    sweep: { event: 'jobs.swept', long: true },
  };

  const run = async (words: readonly string[]): Promise<{ status: number; out: string; err: string }> => {
    let [out, err] = ['', ''];
    const io = {
      out: (text: string) => (out += text),
      err: (text: string) => (err += text),
      ask: () => null,
      showsProgress: true,
    };
    const commands = app.nest.get(OperatorCommands, { strict: false }).all;
    return { status: await operatorProgram(commands, app.clock, { io }).run(words), out, err };
  };
  const events = async (): Promise<string[]> =>
    (await app.sql<{ type: string }>(`SELECT type FROM audit_event WHERE actor_kind = 'operator' ORDER BY id`)).map(
      ({ type }) => type,
    );

  // red when: a command is added without a row in EXPECTED. `backup restore` needs an empty database: see
  // test/endurance/database/backup.spec.ts
  it('has a row in the table of this file', () => {
    const names = app.nest.get(OperatorCommands, { strict: false }).all.map(({ name }) => name);
    expect(names.filter((name) => name !== 'backup restore').sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  // The commands that delete the most run last.
  const order = Object.keys(EXPECTED).sort((a, b) => Number(a === 'account erase') - Number(b === 'account erase'));

  // red when: a command has no effect(), records nothing, or never reports
  it.each(order)('requires confirmation, supports --dry-run and --json, and is audited: %s', async (name) => {
    const { words = () => [], event, long } = EXPECTED[name]!;
    const typed = [...name.split(' '), ...(await words())];
    const before = await contentOf(app.database);
    const recorded = await events();
    if (event === null) {
      expect(await run([...typed, '--yes'])).toMatchObject({
        status: 2,
        err: expect.stringContaining('--yes') as string,
      });
    } else {
      expect(await run(typed)).toMatchObject({ status: 2, out: '' });
      const dryRun = await run([...typed, '--dry-run', '--json']);
      expect([dryRun.status, JSON.parse(dryRun.out)]).toMatchObject([0, { dry_run: true }]);
      expect(await contentOf(app.database)).toEqual(before);
    }
    const result = await run([...typed, ...(event === null ? [] : ['--yes']), '--json']);
    expect(result.status).toBe(0);
    expect(typeof JSON.parse(result.out)).toBe('object');
    if (long) expect(result.err).toMatch(/\r.*\d+/);
    if (event === null) expect(await contentOf(app.database)).toEqual(before);
    expect((await events()).slice(recorded.length).filter((type) => type === event)).toHaveLength(
      event === null ? 0 : 1,
    );
  });

  /** Commands with an irreversible effect. `event` is recorded before the call of `effect`, which the test lets fail. */
  const irreversible: Record<
    string,
    { words: () => string[] | Promise<string[]>; effect: () => jest.SpyInstance; event: string }
  > = {
    'account export': {
      words: () => [tenant.organization.id, '--file', `${folder}-cut.zip`],
      effect: () => jest.spyOn(app.nest.get(OwnerDatabase, { strict: false }), 'session'),
      event: 'organization.export_started',
    },
    'account export of a developer': {
      words: () => [tenant.admin.id, '--file', `${folder}-cut.zip`],
      effect: () => jest.spyOn(app.nest.get(OwnerDatabase, { strict: false }), 'session'),
      event: 'developer.export_started',
    },
    'backup create': {
      words: () => [`${folder}-cut`],
      effect: () => jest.spyOn(app.nest.get(OwnerDatabase, { strict: false }), 'session'),
      event: 'backup.started',
    },
    'blobs clean': {
      words: async () => {
        const file = join(app.dataDirectory, `artifacts/builds/${newId()}.blob`);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, 'orphan');
        await app.clock.advance({ hours: 25 });
        return [];
      },
      effect: () => jest.spyOn(app.nest.get(StorageService, { strict: false }), 'deleteLater'),
      event: 'blobs.clean_started',
    },
    'account erase': {
      words: () => [interrupted.organization.id],
      effect: () => jest.spyOn(app.nest.get(StorageService, { strict: false }), 'deleteAllLater'),
      event: 'organization.erasure_started',
    },
  };

  // red when: the command is recorded at its end only, so that an interrupted command leaves no audit event
  it.each(Object.keys(irreversible))('is recorded before its irreversible effect: %s', async (name) => {
    const { words, effect, event } = irreversible[name]!;
    const typed = [...name.replace(/ of .*/, '').split(' '), ...(await words()), '--yes'];
    const recorded = await events();
    const killed = effect().mockRejectedValueOnce(new Error('killed'));
    expect(await run(typed)).toMatchObject({ status: 1, err: expect.stringContaining('killed') as string });
    expect(killed).toHaveBeenCalledTimes(1);
    expect((await events()).slice(recorded.length)).toEqual([event]);
  });
});
