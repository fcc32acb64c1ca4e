import { randomBytes } from 'node:crypto';
import { Sealer } from '#infra/crypto/sealer';
import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../../support/actors/actors';
import { customerS3, type CustomerStore, ON_THIS_MACHINE, putByosa } from '../../support/actors/byosa';
import { TestApp } from '../../support/app/test-app';
import { startOperator } from '../../support/processes/operator-console';
import { until } from '../../support/until';

jest.setTimeout(240_000);

const MAC = { platform: 'macos', version: '1.0' };
const ACCOUNTS = 1000;
const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

describe('the rotation of master keys', () => {
  const [k1, k2] = [key('k1'), key('k2')];
  const apps: TestApp[] = [];
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let store: CustomerStore;
  const start = async (keys: string): Promise<TestApp> => {
    const options = apps[0] ? { beside: apps[0], worker: false } : {};
    const app = await TestApp.start({ ...options, environment: { ...ON_THIS_MACHINE, MASTER_KEYS: keys } });
    apps.push(app);
    return app;
  };
  beforeAll(async () => {
    store = await customerS3();
    const app = await start(k1);
    ann = await app.developer();
    organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization);
    await putByosa(ann, organization, await store.settings()).expect(200);
    const sealer = app.nest.get(Sealer, { strict: false });
    const accounts = await app.sql<{ id: string }>(
      `WITH made AS (INSERT INTO organization SELECT (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid()))).*
         FROM organization o, generate_series(1, $1) WHERE o.id = $2 RETURNING id)
       INSERT INTO storage_account SELECT gen_random_uuid(), made.id, provider, place, sealed_credentials, state, receives,
         created_at, updated_at FROM made, storage_account RETURNING id`,
      [ACCOUNTS, organization.id],
    );
    const sealed = accounts.map(({ id }) => sealer.seal(Buffer.from('{}'), `storage-account|${id}`));
    await app.sql(
      `UPDATE storage_account a SET sealed_credentials = n.sealed FROM unnest($1::uuid[], $2::bytea[]) AS n (id, sealed)
       WHERE a.id = n.id`,
      [accounts.map(({ id }) => id), sealed],
    );
  });
  afterAll(async () => {
    for (const app of apps.reverse()) await app.stop();
    await store.stop();
  });

  const outdated = async (): Promise<number> => {
    const [row] = await apps[0]!.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM storage_account WHERE substring(sealed_credentials from 3 for 2) <> 'k2'::bytea`,
    );
    return row!.n;
  };
  const rotate = (keys: string) =>
    startOperator(apps[0]!, ['keys', 'rotate', '--yes', '--json'], { MASTER_KEYS: keys });

  it('reseals every secret during use, even after it was killed halfway, so that the old key can be removed', async () => {
    const build = await ann.uploads(project, { bytes: randomBytes(1000), fileName: 'A.dmg' }, MAC);
    const updateKeys = `/update-keys?${scope(project)}`;
    const { body: updateKey } = await ann.post(updateKeys, { platform: 'macos' }).expect(201);
    // Every process must know both keys before the new one is used.
    const both = await start(`${k2},${k1}`);
    const showsBuild = async (app: TestApp): Promise<void> => {
      const { body } = await app.anonymous
        .get(`/api/v1/builds/${build.id}?${scope(project)}`)
        .set('Authorization', `Bearer ${ann.token}`)
        .expect(200);
      expect((body as { install_url: string }).install_url).toBe(build.install_url);
    };
    let running = true;
    const usage = (async () => {
      while (running) await showsBuild(both);
    })();
    expect(await outdated()).toBe(ACCOUNTS + 1);
    const first = rotate(`${k2},${k1}`);
    await until(async () => (await outdated()) !== ACCOUNTS + 1, { everyMs: 1 });
    first.kill();
    await first.done;
    const { status, out, err } = await rotate(`${k2},${k1}`).done;
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const tables = [
      'build_device',
      'device',
      'invite',
      'second_factor',
      'storage_account',
      'update_key',
      'webhook',
      'webhook_delivery',
    ];
    expect(Object.keys(JSON.parse(out) as object).sort()).toEqual(tables);
    running = false;
    await usage;
    expect(await outdated()).toBe(0);

    const alone = await start(k2);
    await showsBuild(alone);
    const shown = await alone.anonymous
      .get(`/api/v1${updateKeys}`)
      .set('Authorization', `Bearer ${ann.token}`)
      .expect(200);
    expect(shown.body).toMatchObject({ items: [{ url: (updateKey as { url: string }).url }] });
    const { body } = await alone.anonymous
      .post(`/api/v1/organizations/${organization.id}/byosa/diagnose`)
      .set('Authorization', `Bearer ${ann.token}`)
      .expect(200);
    // red when: the credentials stay sealed with the old key
    expect((body as { ok: boolean }).ok).toBe(true);
  });
});
