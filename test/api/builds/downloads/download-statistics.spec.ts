import { randomUUID } from 'node:crypto';
import { type Developer, randomEmail, scope } from '../../../support/actors/actors';
import { createTenant, type Tenant } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';

interface DailyJson {
  readonly from: string;
  readonly to: string;
  readonly downloads: number;
  readonly testers: number;
  readonly days: {
    readonly day: string;
    readonly downloads: number;
    readonly testers: number;
    readonly by_device: unknown[];
    readonly by_platform: unknown[];
  }[];
}

describe('the statistics of downloads', () => {
  let app: TestApp;
  let tenant: Tenant;
  let ann: Developer;
  let query: string;
  let daily: string;

  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
    ann = tenant.admin;
    query = scope(tenant.project);
    daily = `/projects/${tenant.project.id}/downloads/daily?organization_id=${tenant.organization.id}`;
  });
  afterAll(() => app.stop());

  const logs = async (
    at: string,
    { device = 'iphone', tester = null as string | null, channel = null as string | null } = {},
  ): Promise<void> => {
    await app.sql(
      `INSERT INTO build_download (id, organization_id, project_id, build_id, ticket_id, minted_by_kind, tester_id,
         channel_id, device_family, started_at) VALUES ($1, $2, $3, $4, $5, 'invite', $6, $7, $8, $9)`,
      [
        randomUUID(),
        tenant.organization.id,
        tenant.project.id,
        tenant.build.id,
        randomUUID(),
        tester,
        channel,
        device,
        at,
      ],
    );
  };
  const counts = async (more: string): Promise<DailyJson> =>
    (await ann.get(daily + more).expect(200)).body as DailyJson;

  describe('by day', () => {
    beforeAll(async () => {
      const [tess, bob] = [randomUUID(), randomUUID()];
      await logs('2026-03-01T23:59:59.999Z', { tester: tess });
      await logs('2026-03-03T00:00:00Z', { tester: tess, channel: tenant.channel.id });
      await logs('2026-03-03T12:00:00Z', { tester: bob, device: 'ipad' });
      await logs('2026-03-03T23:59:59.999Z', { tester: bob });
      await logs('2026-03-03T12:00:00Z');
      await logs('2026-03-04T00:00:00Z');
    });

    // red when: the days are those of another time zone, or days without downloads are left out
    it('count downloads and testers of every day, by device and platform', async () => {
      expect(await counts('&from=2026-03-01&to=2026-03-03')).toEqual({
        from: '2026-03-01',
        to: '2026-03-03',
        downloads: 5,
        testers: 2,
        days: [
          {
            day: '2026-03-01',
            downloads: 1,
            testers: 1,
            by_device: [{ device_family: 'iphone', downloads: 1 }],
            by_platform: [{ platform: 'ios', downloads: 1 }],
          },
          { day: '2026-03-02', downloads: 0, testers: 0, by_device: [], by_platform: [] },
          {
            day: '2026-03-03',
            downloads: 4,
            testers: 2,
            by_device: [
              { device_family: 'iphone', downloads: 3 },
              { device_family: 'ipad', downloads: 1 },
            ],
            by_platform: [{ platform: 'ios', downloads: 4 }],
          },
        ],
      });
    });

    it('can be limited to a build or a channel', async () => {
      const range = '&from=2026-03-01&to=2026-03-04';
      const of = async (filter: string): Promise<number> => (await counts(range + filter)).downloads;
      expect(await of(`&build_id=${tenant.build.id}`)).toBe(6);
      expect(await of(`&build_id=${randomUUID()}`)).toBe(0);
      expect(await of(`&channel_id=${tenant.channel.id}`)).toBe(1);
    });

    it('are of the last 30 days by default', async () => {
      const { from, to, days } = await counts('');
      expect([days.length, days[0]!.day, days.at(-1)!.day]).toEqual([30, from, to]);
    });

    it('are rejected for a range that is empty, too long, or not of days', async () => {
      for (const range of ['&from=2026-03-02&to=2026-03-01', '&from=2024-01-01&to=2026-03-01'])
        expect((await ann.get(daily + range).expect(400)).body).toMatchObject({
          error: 'invalid_input',
          details: { reason: 'range_invalid' },
        });
      expect((await ann.get(`${daily}&from=2026-02-30`).expect(400)).body).toMatchObject({ error: 'validation_error' });
    });

    it('are visible to everyone who sees the project', async () => {
      const viewer = app.ci(await ann.createsToken(tenant.project, 'UPLOAD_BUILD'));
      await viewer.get(daily).expect(200);
      await tenant.member.get(daily).expect(200);
    });
  });

  // red when: a tester with two mails counts twice, or downloads without a mail are counted
  it('count the testers at each step from the mail to the download', async () => {
    const funnel = async (): Promise<unknown> =>
      (await ann.get(`/builds/${tenant.build.id}/funnel?${query}`).expect(200)).body;
    const before = (await funnel()) as { mailed: number };
    const invited: { id: string; token: string }[] = [];
    for (let count = 0; count < 3; count++) {
      const email = randomEmail();
      const { id } = (await ann.post(`/testers?${query}`, { email }).expect(201)).body as { id: string };
      await ann.post(`/testers/${id}/invite?${query}`, { build_id: tenant.build.id }).expect(204);
      invited.push({ id, token: (await app.mailbox.link(email)).pathname.split('/').at(-1)! });
    }
    const [first, second] = invited;
    await ann.post(`/testers/${first!.id}/invite?${query}`, { build_id: tenant.build.id }).expect(204);
    const mailed = before.mailed + 3;
    expect(await funnel()).toEqual({ mailed, opened: 0, downloaded: 0, running: 0 });
    await app.anonymous.get(`/install/${first!.token}`).set('Accept', 'text/html').expect(200);
    expect(await funnel()).toEqual({ mailed, opened: 1, downloaded: 0, running: 0 });
    await logs('2026-04-01T12:00:00Z', { tester: second!.id });
    expect(await funnel()).toEqual({ mailed, opened: 2, downloaded: 1, running: 0 });
    // The subscriber of the channel is mailed about the release of the build.
    await app.mailsReleases();
    expect(await funnel()).toEqual({ mailed: mailed + 1, opened: 2, downloaded: 1, running: 0 });
    await ann.get(`/builds/${randomUUID()}/funnel?${query}`).expect(404);
  });
});
