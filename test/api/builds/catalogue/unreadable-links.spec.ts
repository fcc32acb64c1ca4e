import { Metrics } from '#infra/metrics/metrics';
import { scope } from '../../../support/actors/actors';
import { createTenant, type Tenant } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';
import { ipa } from '../../../support/artifacts/valid-artifacts';

interface Linked {
  readonly id: string;
  readonly install_url: string | null;
  readonly qr_url?: string | null;
}

/** Bytes that no master key opens, as of a damaged row. */
const DAMAGED =
  'set_byte(sealed_token, length(sealed_token) - 1, 255 - get_byte(sealed_token, length(sealed_token) - 1))';

describe('a link that cannot be decrypted', () => {
  let app: TestApp;
  let tenant: Tenant;
  let good: string;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    tenant = await createTenant(app);
    const { admin, project } = tenant;
    good = (await admin.uploads(project, { bytes: ipa(), fileName: 'Good.ipa' }, { version: '9.0' })).id;
    await admin.createsChannel(project);
    const { build, channel, updateKey } = tenant;
    await app.sql(
      `UPDATE invite SET sealed_token = ${DAMAGED} WHERE tester_id IS NULL AND (build_id = $1 OR channel_id = $2)`,
      [build.id, channel.id],
    );
    await app.sql(`UPDATE update_key SET sealed_token = ${DAMAGED} WHERE id = $1`, [updateKey.id]);
    await app.sql(`UPDATE build_device SET udid_sealed = overlay(udid_sealed placing '\\x00'::bytea from 1)`);
    await app.sql(`UPDATE device SET udid_sealed = overlay(udid_sealed placing '\\x00'::bytea from 1)`);
  });
  afterAll(() => app.stop());

  /** A process that has no URL in memory. */
  const restarted = async <T>(work: (other: TestApp) => Promise<T>): Promise<T> => {
    const other = await TestApp.start({ worker: false, beside: app });
    try {
      return await work(other);
    } finally {
      await other.stop();
    }
  };

  // red when: a token that cannot be opened is an error of the request
  it('is null and hides nothing else', async () => {
    await restarted(async (other) => {
      const { project, build, channel, updateKey, organization } = tenant;
      const get = async (path: string): Promise<unknown> =>
        (
          await other
            .ci(tenant.pat.token)
            .get(`${path}${path.includes('?') ? '&' : '?'}${scope(project)}`)
            .expect(200)
        ).body;
      const linkOf = (items: unknown, id: string): unknown => {
        const { install_url: url, qr_url: qr } = (items as { items: Linked[] }).items.find((item) => item.id === id)!;
        return [url, qr];
      };
      for (const list of ['/builds', '/builds?q=9.0&limit=1', '/builds?version=9.0']) {
        expect(linkOf(await get(list), good)).toEqual([
          expect.stringContaining('/install/'),
          expect.stringContaining('/qr.svg'),
        ]);
      }
      expect(linkOf(await get('/builds'), build.id)).toEqual([null, null]);
      expect(await get(`/builds/${build.id}`)).toMatchObject({ install_url: null, qr_url: null });
      const channels = await get('/channels');
      expect(linkOf(channels, channel.id)).toEqual([null, null]);
      expect((channels as { items: Linked[] }).items.filter(({ install_url: url }) => url !== null)).toHaveLength(1);
      expect(await get(`/releases?channel_id=${channel.id}`)).toMatchObject({
        items: [{ build: { install_url: null } }],
      });
      const keys = (await get('/update-keys')) as { items: object[] };
      expect(keys.items).toEqual([expect.objectContaining({ id: updateKey.id, key: null, url: null })]);
      expect(await get('/devices?include=udid')).toMatchObject({ items: [{ udid: null }] });
      const all = `/projects?organization_id=${organization.id}&include=summary`;
      const { body } = await other.ci(tenant.pat.token).get(all).expect(200);
      expect(JSON.stringify(body)).toContain(project.id);

      const logged = other.logLines.filter(
        (line) => line.includes('cannot be opened') && line.includes('"table":"invite"'),
      );
      expect(logged).toHaveLength(2);
      const metrics = await other.nest.get(Metrics, { strict: false }).scrape();
      expect(metrics).toMatch(/agate_unreadable_secrets_total\{table="invite"\} [1-9]/);
      expect(metrics).toContain('agate_unreadable_secrets_total{table="update_key"} 1');
    });
  });

  it('is replaced by rotating it', async () => {
    const { admin, project, build } = tenant;
    const { body } = await admin.post(`/builds/${build.id}/rotate-link?${scope(project)}`, {}).expect(200);
    expect((body as Linked).install_url).toContain('/install/');
  });
});
