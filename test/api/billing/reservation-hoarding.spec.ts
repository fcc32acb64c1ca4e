import { PAT_SCOPES } from '#kernel/access/roles';
import { Bearer, type Developer, ProjectCredential, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant, verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

const MAX_OPEN = 3;

/** Open reservations are limited per caller, so that another credential of the same caller does not raise the limit. */
describe('the limit of open reservations', () => {
  let app: TestApp;
  let tenant: Tenant;
  let query: string;

  beforeAll(async () => {
    app = await TestApp.start({ environment: { MAX_OPEN_RESERVATIONS: String(MAX_OPEN) } });
    tenant = await createTenant(app);
    query = scope(tenant.project);
  });
  afterAll(() => app.stop());

  const manager = async (): Promise<Developer> => {
    const developer = await verifiedDeveloper(app, randomEmail());
    await app.sql(`INSERT INTO membership VALUES ($1, $2, '{MANAGER}', now())`, [tenant.organization.id, developer.id]);
    return developer;
  };
  const mint = async (bearer: Bearer): Promise<number> =>
    (await bearer.post(`/builds/${tenant.build.id}/download-url?${query}`)).status;
  const fetchPackage = async (token: string): Promise<number> =>
    (await app.anonymous.get(`/install/${token}/builds/${tenant.build.id}/package.ipa`)).status;
  const exhausts = async (reserve: () => Promise<number>, admitted: number): Promise<void> => {
    for (let n = 0; n < MAX_OPEN; n++) expect(await reserve()).toBe(admitted);
    expect(await reserve()).toBe(400);
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
  /** Unsubscribes by a link. @returns the token of the link to resubscribe. */
  const unsubscribes = async (token: string): Promise<string> => {
    const page = await app.anonymous.post(`/install/${token}/unsubscribe`).type('form').set('Accept', 'text/html');
    return /\/install\/([\w-]{43})\/subscribe/.exec(page.text)![1]!;
  };

  // red when: a tester's reservations are counted by their link
  it('is the same for a tester who unsubscribes and receives another link', async () => {
    const first = await invites();
    await exhausts(() => fetchPackage(first), 302);
    const second = await unsubscribes(first);
    expect(await fetchPackage(second)).toBe(400);
    expect(await fetchPackage(await unsubscribes(second))).toBe(400);
    expect(await fetchPackage(await invites())).toBe(302);
  });

  // red when: a developer's reservations are counted by their personal access token
  it('is shared by all tokens of a developer', async () => {
    const bob = await manager();
    const path = `/pats?organization_id=${tenant.organization.id}`;
    const draft = { name: 'script', scopes: PAT_SCOPES };
    const { id, token } = await issue(bob, path, draft);
    const pat = new Bearer(app.url, token);
    await exhausts(() => mint(pat), 200);
    await bob.delete(`/pats/${id}?organization_id=${tenant.organization.id}`).expect(204);
    expect(await mint(new Bearer(app.url, (await issue(bob, path, draft)).token))).toBe(400);
    expect(await mint(bob)).toBe(400);
    expect(await mint(await manager())).toBe(200);
  });

  // red when: a project's reservations are counted by the project
  it('is separate for each token of a project', async () => {
    const path = `/project-access-tokens?${query}`;
    const draft = { name: 'CI', role: 'DOWNLOAD_BUILD' };
    const { token } = await issue(tenant.admin, path, draft);
    await exhausts(() => mint(new ProjectCredential(app.url, token)), 200);
    expect(await mint(new ProjectCredential(app.url, (await issue(tenant.admin, path, draft)).token))).toBe(200);
    expect(await mint(await manager())).toBe(200);
  });

  // red when: the reservations of a channel's link are counted by the channel
  it('starts again for a rotated channel link', async () => {
    const channel = `/channels/${tenant.channel.id}`;
    await exhausts(() => fetchPackage(tokenOf(tenant.channel.install_url)), 302);
    const { body } = await tenant.admin.post(`${channel}/rotate-link?${query}`).expect(200);
    expect(await fetchPackage(tokenOf((body as { install_url: string }).install_url))).toBe(302);
    // The link of the build has its own limit.
    expect(await fetchPackage(tokenOf(tenant.build.install_url))).toBe(302);
  });
});
