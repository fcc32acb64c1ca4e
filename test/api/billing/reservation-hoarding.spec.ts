import { PAT_SCOPES } from '#kernel/access/roles';
import { Bearer, type Developer, ProjectCredential, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant, verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

const MOST = 3;

/** Whoever gets another credential gets no other share of an organization's room (contract §10; reliability L6). */
describe('hoarding reservations', () => {
  let app: TestApp;
  let tenant: Tenant;
  let query: string;

  beforeAll(async () => {
    app = await TestApp.start({ environment: { MAX_OPEN_RESERVATIONS: String(MOST) } });
    tenant = await createTenant(app);
    query = scope(tenant.project);
  });
  afterAll(() => app.stop());

  const manager = async (): Promise<Developer> => {
    const developer = await verifiedDeveloper(app, randomEmail());
    await app.sql(`INSERT INTO membership VALUES ($1, $2, '{MANAGER}', now())`, [tenant.organization.id, developer.id]);
    return developer;
  };
  const mints = async (bearer: Bearer): Promise<number> =>
    (await bearer.post(`/builds/${tenant.build.id}/download-url?${query}`)).status;
  const fetches = async (token: string): Promise<number> =>
    (await app.anonymous.get(`/install/${token}/builds/${tenant.build.id}/package.ipa`)).status;
  const hoards = async (mint: () => Promise<number>, admitted: number): Promise<void> => {
    for (let n = 0; n < MOST; n++) expect(await mint()).toBe(admitted);
    expect(await mint()).toBe(400);
  };

  const issue = async (by: Bearer, path: string, body: object): Promise<{ id: string; token: string }> =>
    (await by.post(path, body).expect(201)).body as { id: string; token: string };
  const tokenOf = (url: string): string => url.split('/').at(-1)!;

  const invites = async (): Promise<string> => {
    const { body } = await tenant.admin.post(`/testers?${query}`, { email: randomEmail() }).expect(201);
    const { id, email } = body as { id: string; email: string };
    await tenant.admin.post(`/testers/${id}/invite?${query}`, { build_id: tenant.build.id }).expect(204);
    return /\/install\/([\w-]{43})/.exec((await app.mailbox.latest(email)).text!)![1]!;
  };
  /** Leaves by a link. @returns the token of the link back. */
  const leaves = async (token: string): Promise<string> => {
    const page = await app.anonymous.post(`/install/${token}/unsubscribe`).type('form').set('Accept', 'text/html');
    return /\/install\/([\w-]{43})\/subscribe/.exec(page.text)![1]!;
  };

  // red when: a tester's reservations are counted by their link
  it('a tester who leaves has another link, and no other share', async () => {
    const first = await invites();
    await hoards(() => fetches(first), 302);
    const second = await leaves(first);
    expect(await fetches(second)).toBe(400);
    expect(await fetches(await leaves(second))).toBe(400);
    expect(await fetches(await invites())).toBe(302);
  });

  // red when: a developer's reservations are counted by their personal access token
  it('a developer has one share, through whatever tokens of theirs', async () => {
    const bob = await manager();
    const path = `/pats?organization_id=${tenant.organization.id}`;
    const draft = { name: 'script', scopes: PAT_SCOPES };
    const { id, token } = await issue(bob, path, draft);
    const pat = new Bearer(app.url, token);
    await hoards(() => mints(pat), 200);
    await bob.delete(`/pats/${id}?organization_id=${tenant.organization.id}`).expect(204);
    expect(await mints(new Bearer(app.url, (await issue(bob, path, draft)).token))).toBe(400);
    expect(await mints(bob)).toBe(400);
    expect(await mints(await manager())).toBe(200);
  });

  // red when: a project's reservations are counted by the project
  it('a token of a project takes nothing from the next', async () => {
    const path = `/project-access-tokens?${query}`;
    const draft = { name: 'CI', role: 'DOWNLOAD_BUILD' };
    const { token } = await issue(tenant.admin, path, draft);
    await hoards(() => mints(new ProjectCredential(app.url, token)), 200);
    expect(await mints(new ProjectCredential(app.url, (await issue(tenant.admin, path, draft)).token))).toBe(200);
    expect(await mints(await manager())).toBe(200);
  });

  // red when: the reservations of a channel's link are counted by the channel
  it('a link of a channel that somebody hoards by is replaced, and its testers go on', async () => {
    const channel = `/channels/${tenant.channel.id}`;
    await hoards(() => fetches(tokenOf(tenant.channel.install_url)), 302);
    const { body } = await tenant.admin.post(`${channel}/rotate-link?${query}`).expect(200);
    expect(await fetches(tokenOf((body as { install_url: string }).install_url))).toBe(302);
    // Who holds the link of the build is somebody else.
    expect(await fetches(tokenOf(tenant.build.install_url))).toBe(302);
  });
});
