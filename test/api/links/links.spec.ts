import { type BuildJson, type ChannelJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { createsLink, type LinkJson, LinkVisitor, pathOfLink } from '../../support/actors/link-visitor';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';

describe('links of builds and channels', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let build: BuildJson;
  let channel: ChannelJson;
  let visitor: LinkVisitor;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    ann = await verifiedDeveloper(app);
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization);
    build = await ann.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' });
    channel = await ann.createsChannel(project);
    visitor = new LinkVisitor(app.url);
  });
  afterAll(() => app.stop());

  const list = async (query = ''): Promise<LinkJson[]> =>
    ((await ann.get(`/links?${scope(project)}${query}`).expect(200)).body as { items: LinkJson[] }).items;

  it('include the default link, which the build shows', async () => {
    const [first, ...others] = await list(`&build_id=${build.id}`);
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      is_default: true,
      access: 'open',
      name: null,
      install_url: build.install_url,
      qr_url: `${build.install_url}/qr.svg`,
      state: 'live',
    });
  });

  it('are independent of each other, and the build keeps showing its default link', async () => {
    const link = await createsLink(ann, project, { build_id: build.id, name: 'Fair' });
    expect((await visitor.get(pathOfLink(link))).status).toBe(200);
    await ann.post(`/links/${link.id}/rotate?${scope(project)}`).expect(200);
    expect((await visitor.get(pathOfLink(link))).status).toBe(404);
    expect((await visitor.get(new URL(build.install_url).pathname)).status).toBe(200);
    const { body } = await ann.get(`/builds?${scope(project)}`).expect(200);
    expect((body as { items: BuildJson[] }).items.map(({ install_url: url }) => url)).toEqual([build.install_url]);
    await ann.delete(`/links/${link.id}?${scope(project)}`).expect(204);
    await ann.get(`/links/${link.id}?${scope(project)}`).expect(404);
  });

  // red when: the URL is cached by the link's id, or the version of a build in a list leaves out the link's row
  it('show a rotated default link everywhere, under the same id', async () => {
    const before = (await list(`&build_id=${build.id}`)).find(({ is_default: isDefault }) => isDefault)!;
    await ann.get(`/builds?${scope(project)}`).expect(200);
    await ann.get(`/builds?${scope(project)}`).expect(200);
    const { body: rotated } = await ann.post(`/builds/${build.id}/rotate-link?${scope(project)}`).expect(200);
    const url = (rotated as BuildJson).install_url;
    expect(url).not.toBe(before.install_url);
    const { body: builds } = await ann.get(`/builds?${scope(project)}`).expect(200);
    expect((builds as { items: BuildJson[] }).items[0]?.install_url).toBe(url);
    const { body: link } = await ann.get(`/links/${before.id}?${scope(project)}`).expect(200);
    expect(link).toMatchObject({ id: before.id, install_url: url });
    expect((await visitor.get(pathOfLink(before))).status).toBe(404);
    build = { ...build, install_url: url };
  });

  // red when: an image of a guarded link is offered, which is 404 without a grant, or the kept JSON of a list outlives the change of a rule
  it('have no QR code in builds and channels while the default link has rules', async () => {
    const other = await ann.uploads(project, { bytes: ipa({ info: { CFBundleVersion: '10' } }), fileName: 'Demo.ipa' });
    const codes = async (): Promise<unknown[]> => {
      const { body: one } = await ann.get(`/builds/${other.id}?${scope(project)}`).expect(200);
      const { body: many } = await ann.get(`/builds?${scope(project)}`).expect(200);
      const { body: of } = await ann.get(`/channels/${channel.id}?${scope(project)}`).expect(200);
      const listed = (many as { items: BuildJson[] }).items.find(({ id }) => id === other.id);
      return [one as BuildJson, listed!, of as BuildJson].map(({ qr_url: code }) => code);
    };
    const links = [...(await list(`&build_id=${other.id}`)), ...(await list(`&channel_id=${channel.id}`))].filter(
      ({ is_default: isDefault }) => isDefault,
    );
    const open = [other.install_url, other.install_url, links[1]!.install_url].map((url) => `${url}/qr.svg`);
    expect(await codes()).toEqual(open);
    for (const { id } of links) await ann.patch(`/links/${id}?${scope(project)}`, { access: 'members' }).expect(200);
    expect(await codes()).toEqual([null, null, null]);
    for (const { id } of links) await ann.patch(`/links/${id}?${scope(project)}`, { access: 'open' }).expect(200);
    expect(await codes()).toEqual(open);
    await ann.delete(`/builds/${other.id}?${scope(project)}`).expect(204);
  });

  it('keep the default link', async () => {
    const [link] = await list(`&channel_id=${channel.id}`);
    const { body } = await ann.delete(`/links/${link!.id}?${scope(project)}`).expect(400);
    expect(body).toMatchObject({ error: 'operation_not_allowed', details: { reason: 'default_link' } });
  });

  it.each([
    ['one_target', { name: 'A' }],
    ['one_target', { name: 'A', build_id: 'build', channel_id: 'channel' }],
    ['password_required', { name: 'A', build_id: 'build', access: 'password' }],
    ['password_not_used', { name: 'A', build_id: 'build', access: 'open', password: 'sunny harbour' }],
    ['expires_in_the_past', { name: 'A', build_id: 'build', expires_at: '2020-01-01T00:00:00Z' }],
    ['terms_too_long', { name: 'A', build_id: 'build', terms: 'ä'.repeat(6000) }],
  ])('reject contradictory rules: %s', async (reason, draft) => {
    const { build_id: of, channel_id: or, ...rest } = draft as Record<string, string>;
    const body = { ...rest, ...(of && { build_id: build.id }), ...(or && { channel_id: channel.id }) };
    const response = await ann.post(`/links?${scope(project)}`, body).expect(400);
    expect(response.body).toMatchObject({ error: 'invalid_input', details: { reason } });
  });

  it('never reveal the password, nor an address to callers who may not download', async () => {
    const link = await createsLink(ann, project, { build_id: build.id, access: 'password', password: 'sunny harbour' });
    expect(JSON.stringify(link)).not.toContain('sunny');
    const viewer = app.ci(await ann.createsToken(project, 'VIEW_PROJECT'));
    const { body } = await viewer.get(`/links/${link.id}?${scope(project)}`).expect(200);
    expect(body).toMatchObject({ install_url: null, qr_url: null, access: 'password' });
    await viewer.post(`/links/${link.id}/grant?${scope(project)}`).expect(403);
  });

  it('can be at most a hundred for a build', async () => {
    const other = await ann.uploads(project, { bytes: ipa({ info: { CFBundleVersion: '9' } }), fileName: 'Demo.ipa' });
    await app.sql(
      `INSERT INTO invite (id, organization_id, project_id, build_id, digest, sealed_token, created_at, is_default)
       SELECT gen_random_uuid(), $1, $2, $3, decode(md5(n::text), 'hex'), 'x', now(), false FROM generate_series(1, 99) n`,
      [project.organizationId, project.id, other.id],
    );
    const { body } = await ann.post(`/links?${scope(project)}`, { build_id: other.id, name: 'A' }).expect(400);
    expect(body).toMatchObject({ error: 'quota_exceeded' });
  });
});
