import { PAT_SCOPES } from '#kernel/access/roles';
import { Bearer, type Developer, ProjectCredential, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant, verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

const MAX_OPEN = 3;
const LINUX = { platform: 'linux', version: '1.0' };

/** Open reservations are limited per caller and organization, so that another credential of the same caller does not raise the limit. */
describe('the limit of open reservations', () => {
  let app: TestApp;
  let tenant: Tenant;
  let query: string;

  beforeAll(async () => {
    app = await TestApp.start({ environment: { MAX_OPEN_RESERVATIONS: String(MAX_OPEN), TRUST_PROXY: '127.0.0.1' } });
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
  let clients = 0;
  /** Each call comes from another address, because one address gets the same ticket again. */
  const fetchPackage = async (token: string): Promise<number> => {
    const path = `/install/${token}/builds/${tenant.build.id}/package.ipa`;
    return (await app.anonymous.get(path).set('X-Forwarded-For', `192.0.2.${++clients}`)).status;
  };
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

  // red when: the reservations of a shared link are counted by the link, so that one client locks out all others
  it('is separate for each client address of a shared link', async () => {
    for (const url of [tenant.channel.install_url, tenant.build.install_url]) {
      for (let n = 0; n < MAX_OPEN + 2; n++) expect(await fetchPackage(tokenOf(url))).toBe(302);
    }
  });

  // red when: reservations are counted over all organizations
  it('is separate for each organization of a developer', async () => {
    const bob = await manager();
    await exhausts(() => mint(bob), 200);
    const project = await bob.createsProject(await bob.createsOrganization());
    const { id } = await bob.uploads(project, { bytes: Buffer.from('#!/bin/sh'), fileName: 'agate.sh' }, LINUX);
    await bob.post(`/builds/${id}/download-url?${scope(project)}`).expect(200);
  });
});
