import { type BuildJson, type ProjectRef, scope } from '../../../support/actors/actors';
import { createTenant, type Tenant } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { ipa } from '../../../support/artifacts/valid-artifacts';

const NEW = '00008101-000A1C3E0E88001E';
const OLD = '2b6f0cc904d137be2e1730235f5664094b831186';

describe('the devices of a provisioning profile', () => {
  let app: TestApp;
  let tenant: Tenant;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
    ({ project } = tenant);
  });
  afterAll(() => app.stop());

  const uploads = (devices: readonly string[], info = '7'): Promise<BuildJson> =>
    tenant.admin.uploads(project, { bytes: ipa({ devices, info: { CFBundleVersion: info } }), fileName: 'Demo.ipa' });
  const devicesOf = async (build: BuildJson): Promise<unknown> => {
    const { body } = await tenant.admin.get(`/builds/${build.id}?${scope(project)}`).expect(200);
    return (body as { signing: { devices: unknown } }).signing.devices;
  };
  const inPlainText = async (): Promise<unknown[]> => {
    const found = await app.sql(
      `SELECT build_id FROM build_detail WHERE details::text ILIKE '%${OLD}%' OR details::text ILIKE '%${NEW}%'`,
    );
    return found;
  };
  /** Makes the build look as an earlier release stored it. */
  const asBefore = async ({ id }: BuildJson, devices: readonly string[]): Promise<void> => {
    await app.sql(`DELETE FROM build_device WHERE build_id = $1`, [id]);
    await app.sql(
      `UPDATE build_detail SET details = details || jsonb_build_object('devices', $2::jsonb) WHERE build_id = $1`,
      [id, JSON.stringify(devices)],
    );
  };

  // red when: the details are stored with their devices
  it('are stored encrypted, each once', async () => {
    const build = await uploads([NEW, OLD, NEW.toLowerCase()]);
    expect(await devicesOf(build)).toEqual([NEW, OLD]);
    expect(await inPlainText()).toEqual([]);
    const rows = await app.sql<{ digest: string }>(
      `SELECT encode(udid_digest, 'hex') AS digest FROM build_device WHERE build_id = $1`,
      [build.id],
    );
    expect(new Set(rows.map(({ digest }) => digest)).size).toBe(2);
  });

  it('are shown before and after the job moves those of an earlier release', async () => {
    const build = await uploads([NEW, OLD], '8');
    await asBefore(build, [NEW, OLD]);
    expect(await devicesOf(build)).toEqual([NEW, OLD]);
    await app.runsJob('builds.seal-devices');
    expect(await inPlainText()).toEqual([]);
    expect(await devicesOf(build)).toEqual([NEW, OLD]);
  });

  // red when: the job stops after its first transaction
  it('are moved for every build, in several transactions', async () => {
    const builds = [];
    for (let number = 20; number < 27; number += 1) builds.push(await uploads([NEW], String(number)));
    for (const build of builds) await asBefore(build, [NEW]);
    await app.runsJob('builds.seal-devices');
    expect(await inPlainText()).toEqual([]);
    for (const build of builds) expect(await devicesOf(build)).toEqual([NEW]);
  });

  it('are empty for a profile without devices, and null for one that is not restricted to devices', async () => {
    expect(await devicesOf(await uploads([], '30'))).toEqual([]);
    const bytes = ipa({ distribution: 'enterprise', info: { CFBundleVersion: '31' } });
    expect(await devicesOf(await tenant.admin.uploads(project, { bytes, fileName: 'Demo.ipa' }))).toBeNull();
  });

  it('are deleted with their build', async () => {
    const build = await uploads([NEW], '40');
    await tenant.admin.delete(`/builds/${build.id}?${scope(project)}&permanently=true`).expect(204);
    expect(await app.sql(`SELECT FROM build_device WHERE build_id = $1`, [build.id])).toEqual([]);
  });
});
