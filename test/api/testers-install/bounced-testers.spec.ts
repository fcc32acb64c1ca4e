import { type Developer, type ProjectRef, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { type RefusingSmtp, startRefusingSmtp } from '../../support/servers/refusing-smtp';
import { until } from '../../support/until';

interface TesterJson {
  readonly id: string;
  readonly email: string;
  readonly state: string;
  readonly bounced_at: string | null;
  readonly bounce_code: string | null;
}

interface ReleaseJson {
  readonly id: string;
  readonly mails: { readonly queued: number; readonly waiting: number; readonly failed: number } | null;
}

describe('testers whose address the mail server refuses', () => {
  let smtp: RefusingSmtp;
  let app: TestApp;
  let tenant: Tenant;
  let ann: Developer;

  beforeAll(async () => {
    smtp = await startRefusingSmtp();
    app = await TestApp.start({ environment: { MAIL_URL: smtp.url } });
    tenant = await createTenant(app);
    ann = tenant.admin;
  });
  beforeEach(() => smtp.accept());
  afterAll(async () => {
    await app.stop();
    await smtp.stop();
  });

  const adds = async (project: ProjectRef = tenant.project, email = randomEmail()): Promise<TesterJson> =>
    (await ann.post(`/testers?${scope(project)}`, { email }).expect(201)).body as TesterJson;
  const get = async ({ id }: TesterJson, project: ProjectRef = tenant.project): Promise<TesterJson> =>
    (await ann.get(`/testers/${id}?${scope(project)}`).expect(200)).body as TesterJson;
  const subscribes = ({ id }: TesterJson) =>
    ann.request('put', `/testers/${id}/subscriptions/${tenant.channel.id}?${scope(tenant.project)}`).expect(200);
  const invites = ({ id }: TesterJson, project: ProjectRef = tenant.project) =>
    ann.post(`/testers/${id}/invite?${scope(project)}`).expect(204);
  const promotes = async (): Promise<ReleaseJson> => {
    const build = await ann.uploads(tenant.project, { bytes: ipa(), fileName: 'Demo.ipa' });
    const { body } = await ann
      .post(`/releases?${scope(tenant.project)}&channel_id=${tenant.channel.id}`, { build_id: build.id })
      .expect(201);
    await app.mailsReleases();
    return body as ReleaseJson;
  };
  const mailsOf = async ({ id }: ReleaseJson): Promise<ReleaseJson['mails']> => {
    const path = `/releases/${id}?${scope(tenant.project)}&channel_id=${tenant.channel.id}`;
    return ((await ann.get(path).expect(200)).body as ReleaseJson).mails;
  };
  const queuedMails = async (): Promise<number> =>
    (await app.sql(`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'mail.send'`)).length;
  const allSent = () => until(async () => (await queuedMails()) === 0);
  const bounces = async (tester: TesterJson, reply = '550 5.1.1 User unknown'): Promise<TesterJson> => {
    smtp.refuse(tester.email, reply);
    await invites(tester);
    await allSent();
    return get(tester);
  };

  // red when: a permanent refusal is retried, or is not recorded
  it('are bounced after one attempt, with the code of the server and an audit event', async () => {
    const tester = await bounces(await adds());
    expect(tester).toMatchObject({ state: 'bounced', bounce_code: '5.1.1' });
    expect(tester.bounced_at).toMatch(/^2026-/);
    expect(smtp.attempts(tester.email)).toBe(1);
    const events = await app.sql(
      `SELECT payload, actor_kind FROM audit_event WHERE type = 'tester.bounced' AND payload @> $1`,
      [{ tester_id: tester.id }],
    );
    expect(events).toEqual([
      expect.objectContaining({ payload: expect.objectContaining({ code: '5.1.1' }) as object, actor_kind: 'system' }),
    ]);
    const lines = app.logLines.filter((line) => line.includes(tester.id));
    expect(lines.filter((line) => line.includes('does not know the recipient'))).toHaveLength(1);
    expect(lines.join()).not.toContain(tester.email);
  });

  it('are listed by state, and exported with time and code', async () => {
    const tester = await bounces(await adds());
    const other = await adds();
    const { body } = await ann.get(`/testers?${scope(tenant.project)}&state=bounced&limit=1000`).expect(200);
    const ids = (body as { items: TesterJson[] }).items.map(({ id }) => id);
    expect(ids).toContain(tester.id);
    expect(ids).not.toContain(other.id);
    const csv = (await ann.get(`/testers/export?${scope(tenant.project)}`).expect(200)).text;
    expect(csv.split('\r\n').find((line) => line.startsWith(tester.email))).toContain(`${tester.bounced_at},5.1.1`);
  });

  // red when: the release mails of testers who bounced are queued, or count as sent
  it('get no mails about releases, and are not counted as recipients', async () => {
    const [good, bad] = [await adds(), await adds()];
    await Promise.all([subscribes(good), subscribes(bad)]);
    const path = `/releases/recipients?${scope(tenant.project)}&channel_id=${tenant.channel.id}&build_id=${tenant.build.id}`;
    const recipients = async (): Promise<number> =>
      ((await ann.get(path).expect(200)).body as { recipients: number }).recipients;
    const before = await recipients();
    smtp.refuse(bad.email, '550 5.1.1 User unknown');
    const first = await promotes();
    await allSent();
    expect(await mailsOf(first)).toMatchObject({ waiting: 0, failed: 1 });
    expect(await recipients()).toBe(before - 1);
    const second = await promotes();
    await allSent();
    expect(await mailsOf(second)).toMatchObject({ failed: 0 });
    expect(smtp.attempts(bad.email)).toBe(1);
    expect((await get(bad)).state).toBe('bounced');
  });

  it('are tried again when a developer invites them', async () => {
    const tester = await bounces(await adds());
    smtp.accept();
    await invites(tester);
    await allSent();
    expect(await get(tester)).toMatchObject({ state: 'invited', bounced_at: null, bounce_code: null });
    expect(smtp.attempts(tester.email)).toBe(2);
  });

  // red when: a policy of the server against one mail stops all mails to the address
  it.each(['554 5.7.1 Blocked by policy', '552 5.3.4 Message too large', '552 5.2.2 Mailbox full'])(
    'are not bounced by "%s", which refuses this mail only',
    async (reply) => {
      const tester = await bounces(await adds(), reply);
      expect(tester).toMatchObject({ state: 'invited', bounced_at: null });
      expect(smtp.attempts(tester.email)).toBe(1);
    },
  );

  it('are bounced in their own project only', async () => {
    const otherProject = await ann.createsProject(tenant.organization, 'Other');
    const tester = await adds();
    const other = await adds(otherProject, tester.email);
    await bounces(tester);
    expect(await get(other, otherProject)).toMatchObject({ bounced_at: null, state: 'added' });
  });

  it('do not appear as jobs that an operator must look at', async () => {
    await bounces(await adds());
    expect(await app.sql(`SELECT FROM graphile_worker.jobs WHERE last_error IS NOT NULL`)).toEqual([]);
  });
});
