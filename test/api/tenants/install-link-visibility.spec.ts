import { Bearer, type BuildJson, type ProjectRef, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant, verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { png } from '../../support/artifacts/png-writer';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { rawRequest, type RawResponse } from '../../support/load/raw-http';

const READS = ['builds:read', 'channels:read', 'releases:read'];
const LINK = /\/install\/[\w-]{43}/;

/** An install link is a credential to download, so only callers who may download see it. */
describe('install_url, and qr_url beside it,', () => {
  let app: TestApp;
  let tenant: Tenant;
  let query: string;
  let build: BuildJson;
  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
    query = scope(tenant.project);
    build = await uploads('7');
    await tenant.admin.promotes(tenant.project, tenant.channel, build);
  });
  afterAll(() => app.stop());

  const uploads = (version: string, icon = png(), by: Bearer = tenant.admin): Promise<BuildJson> =>
    by.uploads(tenant.project, { bytes: ipa({ icon, info: { CFBundleVersion: version } }), fileName: 'Demo.ipa' });
  const pat = async (...scopes: string[]): Promise<Bearer> => {
    const path = `/pats?organization_id=${tenant.organization.id}`;
    const { body } = await tenant.admin.post(path, { name: scopes.join(), scopes }).expect(201);
    return new Bearer(app.url, (body as { token: string }).token);
  };
  const token = async (role: string): Promise<Bearer> => app.ci(await tenant.admin.createsToken(tenant.project, role));
  const reader = async (): Promise<Bearer> => {
    const developer = await verifiedDeveloper(app, randomEmail());
    await app.sql(`INSERT INTO membership VALUES ($1, $2, '{READ}', now())`, [tenant.organization.id, developer.id]);
    return developer;
  };

  /** The bodies of all routes that show builds, channels and releases. */
  const reads = async (bearer: Bearer): Promise<string[]> => {
    const { channel, release } = tenant;
    const inChannel = `${query}&channel_id=${channel.id}`;
    const paths = [
      `/builds?${query}`,
      `/builds/latest?${query}`,
      `/builds/${build.id}?${query}`,
      `/channels?${query}`,
      `/channels/${channel.id}?${query}`,
      `/releases?${inChannel}`,
      `/releases/${release.id}?${inChannel}`,
      `/releases/current/all?${inChannel}`,
    ];
    const responses = await Promise.all(paths.map((path) => bearer.get(path).expect(200)));
    return responses.map(({ text }) => text);
  };

  // red when: a mapper writes the link for every reader
  it.each<[string, () => Promise<Bearer>]>([
    ['a member with VIEW_PROJECT', () => Promise.resolve(tenant.member)],
    ['a member with READ', reader],
    ['a project token with VIEW_PROJECT', () => token('VIEW_PROJECT')],
    ['a personal access token without builds:download', () => pat(...READS, 'builds:write', 'testers:read')],
  ])('is null for %s in every response', async (_who, bearer) => {
    for (const text of await reads(await bearer())) {
      expect(text).toContain('"install_url":null');
      expect(text).not.toMatch(LINK);
    }
  });

  it.each<[string, () => Promise<Bearer>]>([
    ['a project token with DOWNLOAD_BUILD', () => token('DOWNLOAD_BUILD')],
    ['a personal access token with builds:download', () => pat(...READS, 'builds:download')],
    ['an ADMIN', () => Promise.resolve(tenant.admin)],
  ])('is shown to %s in every response', async (_who, bearer) => {
    for (const text of await reads(await bearer())) {
      expect(text).not.toContain('"install_url":null');
      expect(text).toMatch(LINK);
    }
  });

  it('is null in the responses of changes by a token that may not download, and shown in that of an upload', async () => {
    const writer = await pat('builds:write', 'channels:write', 'releases:write', 'builds:upload');
    const other = await uploads('8', png(), writer);
    expect(other.install_url).toMatch(LINK);
    const channel = await writer.post(`/channels?${query}`, { name: 'Hidden' }).expect(201);
    const { id } = channel.body as { id: string };
    const changes = [
      channel,
      await writer.patch(`/builds/${other.id}?${query}`, { notes: 'New' }).expect(200),
      await writer.patch(`/channels/${id}?${query}`, { name: 'Still hidden' }).expect(200),
      await writer.post(`/channels/${id}/rotate-link?${query}`).expect(200),
      await writer.post(`/builds/${other.id}/rotate-link?${query}`).expect(200),
      await writer.post(`/releases?${query}&channel_id=${id}`, { build_id: other.id }).expect(201),
    ];
    for (const { text } of changes) {
      expect(text).toContain('"install_url":null');
      expect(text).not.toMatch(LINK);
    }
  });
});

describe('icon_url', () => {
  let app: TestApp;
  let tenant: Tenant;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { INSTALL_BASE_URL: 'http://install.localhost:3000' } });
    tenant = await createTenant(app);
    project = tenant.project;
  });
  afterAll(() => app.stop());

  const uploads = (version: string, icon = png()): Promise<BuildJson> =>
    tenant.admin.uploads(project, {
      bytes: ipa({ icon, info: { CFBundleVersion: version } }),
      fileName: 'Demo.ipa',
    });
  const iconOf = (build: BuildJson): URL => new URL(build['icon_url'] as string);
  const open = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawResponse> =>
    rawRequest(app.url + path, { headers });

  it('is an address under BASE_URL that any browser may cache and embed', async () => {
    const build = await uploads('2');
    const icon = iconOf(build);
    expect(icon.origin).toBe('http://localhost:3000');
    const { status, headers, body } = await open(icon.pathname, { Accept: 'image/*' });
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
    expect(body.subarray(1, 4).toString()).toBe('PNG');
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(headers['set-cookie']).toBeUndefined();
    const seen = await tenant.member.get(`/builds/${build.id}?${scope(project)}`).expect(200);
    expect(seen.body).toMatchObject({ icon_url: icon.href, install_url: null });
    const file = { bytes: Buffer.from('#!/bin/sh'), fileName: 'agate.sh' };
    const plain = await tenant.admin.uploads(project, file, { platform: 'linux', version: '1' });
    expect(plain['icon_url']).toBeNull();
  });

  // red when: the address contains the install link
  it('gives access to the icon only', async () => {
    const build = await uploads('3');
    const key = iconOf(build).pathname.split('/').at(-1)!;
    expect(build.install_url).not.toContain(key);
    expect((await open(`/icons/${key}/package.ipa`)).status).toBe(404);
    const elsewhere = [`/install/${key}`, `/install/${key}/icon.png`, `/download/${key}/Demo.ipa`, `/assets/${key}`];
    for (const path of elsewhere) expect([path, (await open(path)).status]).toEqual([path, 404]);
    const link = new URL(build.install_url).pathname.split('/').at(-1)!;
    expect((await open(`/icons/${link}`)).status).toBe(404);
  });

  it('cannot be guessed, and ends with its build', async () => {
    const build = await uploads('4');
    const { pathname } = iconOf(build);
    expect(iconOf(await uploads('5', png({ width: 64 }))).pathname).not.toBe(pathname);
    for (const at of [7, 20, 29, 35, pathname.length - 1]) {
      const wrong = pathname.slice(0, at) + (pathname[at] === 'A' ? 'E' : 'A') + pathname.slice(at + 1);
      expect([wrong, (await open(wrong)).status]).toEqual([wrong, 404]);
    }
    expect((await open('/icons/nonsense')).status).toBe(404);
    await tenant.admin.delete(`/builds/${build.id}?${scope(project)}&permanently=true`).expect(204);
    expect((await open(pathname)).status).toBe(404);
  });

  // red when: the log has the key, which is a credential for the icon
  it('is not in the log', async () => {
    const { pathname } = iconOf(await uploads('6'));
    await open(pathname);
    expect(app.logLines.join('')).not.toContain(pathname.split('/').at(-1));
  });
});
