import { createHash, randomUUID } from 'node:crypto';
import { encodeCursor } from '#kernel/cursor';
import { type Bearer, type BuildJson, type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { aab, type AndroidOptions, apk, DEMO_ID, ipa } from '../../../support/artifacts/valid-artifacts';
import { uploadLeftovers } from '../../../support/checks/upload-leftovers';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const OTHER = { bytes: Buffer.from('a disk image'), fileName: 'Demo.dmg' };

describe('/builds', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let ci: Bearer;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { MAX_UPLOAD_BYTES: '300000', MAX_ORGANIZATIONS_PER_DEVELOPER: '100' } });
    ann = await app.developer();
  });
  beforeEach(async () => {
    project = await ann.createsProject(await ann.createsOrganization());
    ci = app.ci(await ann.createsToken(project, 'MANAGE_RELEASES'));
  });
  afterAll(() => app.stop());

  const leftovers = (): Promise<unknown> => uploadLeftovers(app);
  const warnings = (build: BuildJson): string[] => build.warnings.map(({ code }) => code);

  it('makes a build of one upload with a project token, with the artifact’s metadata', async () => {
    const bytes = ipa();
    const { body } = await ci.request('post', '/builds').attach('file', bytes, 'Demo App.ipa').expect(201);
    expect(body).toMatchObject({
      organization_id: project.organizationId,
      project_id: project.id,
      platform: 'ios',
      version: '1.2.3',
      build_number: '42',
      notes: null,
      original_uploaded_at: null,
      uploaded_by: { kind: 'project_access_token' },
      file_name: 'Demo App.ipa',
      size_bytes: bytes.length,
      sha256: sha256(bytes),
      app: { name: 'Demo App', bundle_id: DEMO_ID, min_os_version: '15.0', device_families: ['iphone', 'ipad'] },
      signing: { platform: 'ios', kind: 'adhoc', device_count: 2, expires_at: '2040-01-01T00:00:00.000Z' },
      source: { branch: null, commit: null, ci_url: null, pull_request: null },
      installable: true,
      not_installable: null,
      warnings: [],
    });
    const { id, install_url: installUrl, qr_url: qrUrl } = body as BuildJson & { qr_url: string };
    expect(qrUrl).toBe(`${installUrl}/qr.svg`);
    await app.anonymous
      .get(new URL(qrUrl).pathname)
      .expect(200)
      .expect('Content-Type', /^image\/svg/);
    expect(installUrl).toMatch(/^http:\/\/localhost:3000\/install\/[A-Za-z0-9_-]{43}$/);
    // The install link is permanent: a later request returns it too.
    expect((await ann.get(`/builds/${id}?${scope(project)}`).expect(200)).body).toEqual(body);
    const [{ state, actual_bytes: actual } = {}] = await app.sql<{ state?: string; actual_bytes?: string }>(
      `SELECT state, actual_bytes FROM reservation WHERE organization_id = $1`,
      [project.organizationId],
    );
    expect([state, actual]).toEqual(['settled', String(bytes.length)]);
  });

  it('rejects a project token for another project with 403', async () => {
    const other = await ann.createsProject({ id: project.organizationId });
    expect((await ci.upload(other, OTHER).expect(403)).body).toMatchObject({ error: 'permission_denied' });
  });

  it('accepts text parts before and after the file and ignores empty ones', async () => {
    const { body } = await ci
      .request('post', '/builds')
      .field('notes', 'grüße 🚀')
      .field('version', '')
      .attach('file', apk(), 'demo.apk')
      .field('branch', 'main')
      .field('commit', '9fceb02')
      .field('ci_url', 'https://ci.example.com/7')
      .field('pull_request', '12')
      .field('pull_request_url', '')
      .field('original_uploaded_at', '2025-02-01T10:30:00+01:00')
      .expect(201);
    const pullRequest = { number: 12, url: null };
    const source = {
      branch: 'main',
      commit: '9fceb02',
      ci_url: 'https://ci.example.com/7',
      pull_request: pullRequest,
    };
    const original = { original_uploaded_at: '2025-02-01T09:30:00.000Z' };
    expect(body).toMatchObject({ platform: 'android', notes: 'grüße 🚀', version: '1.2.3', source, ...original });
  });

  it.each([
    ['an unknown part', { colour: 'red' }, 'validation_error'],
    ['a part called like a member of every object', { constructor: 'x' }, 'validation_error'],
    ['an unknown platform', { platform: 'amiga' }, 'validation_error'],
    ['a digest that is none', { sha256: 'abc' }, 'validation_error'],
    ['a ci_url that is no URL', { ci_url: 'javascript:alert(1)' }, 'validation_error'],
    ['an original_uploaded_at that is no time', { original_uploaded_at: 'yesterday' }, 'validation_error'],
    ['a pull request without a number', { pull_request: '#12' }, 'validation_error'],
    ['a pull_request_url that is no URL', { pull_request_url: 'javascript:alert(1)' }, 'validation_error'],
    ['a notify that is not a boolean', { notify: 'never' }, 'validation_error'],
    ['notes that are too long', { notes: 'x'.repeat(5001) }, 'validation_error'],
    ['U+0000 in a part', { notes: 'a\u0000b' }, 'validation_error'],
    ['a platform that contradicts the artifact', { platform: 'android' }, 'platform_mismatch'],
    ['another digest', { sha256: 'a'.repeat(64) }, 'sha256_mismatch'],
  ])('rejects %s and leaves nothing behind', async (_what, fields, expected) => {
    const before = await leftovers();
    const { body } = await ci
      .upload(project, { bytes: ipa(), fileName: 'a.ipa' }, fields as Record<string, string>)
      .expect(400);
    const { error, details } = body as { error: string; details: { reason?: string } };
    expect([error, details.reason]).toContain(expected);
    // red when: UploadReceiver.run does not roll back
    expect(await leftovers()).toEqual(before);
  });

  it('requires version and platform for files without metadata', async () => {
    const reasonOf = async (fields: Record<string, string>): Promise<unknown> =>
      ((await ci.upload(project, OTHER, fields).expect(400)).body as { details: { reason: string } }).details.reason;
    expect(await reasonOf({ version: '1' })).toBe('platform_required');
    expect(await reasonOf({ platform: 'macos' })).toBe('version_required');
    expect(await reasonOf({ platform: 'ios', version: '1' })).toBe('platform_mismatch');
    const build = await ci.uploads(project, OTHER, { platform: 'macos', version: '1.0' });
    expect(build).toMatchObject({
      platform: 'macos',
      version: '1.0',
      build_number: null,
      signing: null,
      installable: true,
    });
  });

  it('rejects a file over the size limit and accepts one at the limit', async () => {
    const before = await leftovers();
    const { body } = await ci.upload(project, { bytes: Buffer.alloc(300_001), fileName: 'big.zip' }).expect(413);
    expect(body).toMatchObject({ error: 'payload_too_large' });
    expect(await leftovers()).toEqual(before);
    await ci.uploads(
      project,
      { bytes: Buffer.alloc(300_000), fileName: 'big.zip' },
      { platform: 'linux', version: '1' },
    );
  });

  it('rejects another bundle id of a platform unless the project allows any', async () => {
    const other = { bytes: ipa({ info: { CFBundleIdentifier: 'com.example.other' } }), fileName: 'b.ipa' };
    await ci.uploads(project, { bytes: ipa(), fileName: 'a.ipa' });
    const { body } = await ci.upload(project, other).expect(400);
    expect(body).toMatchObject({ details: { reason: 'bundle_id_mismatch', expected_bundle_id: DEMO_ID } });
    const path = `/projects/${project.id}?organization_id=${project.organizationId}`;
    await ann.patch(path, { allow_any_bundle_id: true }).expect(200);
    await ci.uploads(project, other);
  });

  // red when: the first upload of an app does not read what another one has pinned since it found nothing
  it('accepts one app when the first builds of two apps are uploaded at the same time', async () => {
    const ids = ['com.example.one', 'com.example.two'];
    const uploads = Array.from({ length: 6 }, (_, n) =>
      ci.upload(project, { bytes: ipa({ info: { CFBundleIdentifier: ids[n % 2]! } }), fileName: `${n}.ipa` }),
    );
    const responses = await Promise.all(uploads);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400, 400, 400]);
    const accepted = responses
      .filter(({ status }) => status === 201)
      .map(({ body }) => body as { app: { bundle_id: string } });
    expect(new Set(accepted.map(({ app: { bundle_id } }) => bundle_id)).size).toBe(1);
  });

  it('warns about a duplicate, a version that is not higher, and an app bundle', async () => {
    const first = { bytes: apk(), fileName: 'a.apk' };
    await ci.uploads(project, first);
    expect(warnings(await ci.uploads(project, first))).toContain('duplicate_of');
    const again = await ci.uploads(project, { bytes: apk({ label: 'Other' }), fileName: 'a.apk' });
    expect(warnings(again)).toContain('version_not_higher');
    const bundle = await ci.uploads(project, { bytes: aab(), fileName: 'a.aab' });
    expect(warnings(bundle)).toContain('app_bundle');
    expect(bundle).toMatchObject({ installable: false });
  });

  // red when: the last build of the platform is compared, whatever its app
  it('compares a build with the last one of its own app only', async () => {
    const path = `/projects/${project.id}?organization_id=${project.organizationId}`;
    await ann.patch(path, { allow_any_bundle_id: true }).expect(200);
    const staging = { packageName: 'com.example.demo.staging', subject: { CN: 'Staging' } };
    const upload = async (options: AndroidOptions) =>
      warnings(await ci.uploads(project, { bytes: apk(options), fileName: 'a.apk' }));
    expect(await upload({ versionCode: 42 })).toEqual([]);
    expect(await upload({ ...staging, versionCode: 7 })).toEqual([]);
    expect(await upload({ versionCode: 41 })).toEqual(['version_not_higher']);
    expect(await upload({ ...staging, versionCode: 8, subject: { CN: 'Other' } })).toEqual(['certificate_changed']);
    for (const version of ['1.0.0', '0.9.0']) {
      const file = { bytes: Buffer.from(`setup ${version}`), fileName: 'setup.exe' };
      const codes = warnings(await ci.uploads(project, file, { platform: 'windows', version }));
      expect(codes).toEqual(version === '1.0.0' ? [] : ['version_not_higher']);
    }
  });

  it('warns about a profile that expires soon and about an expired one', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 40 * 86_400_000);
    const build = await ci.uploads(project, { bytes: ipa({ expiresAt }), fileName: 'a.ipa' });
    expect(warnings(build)).toEqual([]);
    await app.clock.advance({ days: 20 });
    const read = async (): Promise<BuildJson> => (await ci.get(`/builds/${build.id}`).expect(200)).body as BuildJson;
    expect(warnings(await read())).toEqual(['profile_expires_soon']);
    await app.clock.advance({ days: 21 });
    expect(await read()).toMatchObject({
      installable: false,
      not_installable: { code: 'profile_expired' },
      warnings: [{ code: 'profile_expired' }],
    });
    ann = await app.developer();
  });

  it('lists builds newest first, with filters and pages', async () => {
    const builds: BuildJson[] = [];
    for (const [platform, version, notes] of [
      ['macos', '1.0', 'first 100%'],
      ['linux', '1.1', 'second'],
      ['macos', '1.1', 'third'],
    ] as const) {
      builds.push(await ci.uploads(project, OTHER, { platform, version, notes }));
    }
    const ids = async (query: string): Promise<unknown> =>
      ((await ci.get(`/builds?${query}`).expect(200)).body as { items: BuildJson[] }).items.map(({ id }) =>
        builds.findIndex((b) => b.id === id),
      );
    expect(await ids('')).toEqual([2, 1, 0]);
    expect(await ids('platform=macos')).toEqual([2, 0]);
    expect(await ids('version=1.1')).toEqual([2, 1]);
    expect(await ids('q=SECOND')).toEqual([1]);
    // Wildcards of LIKE are ordinary characters.
    expect(await ids('q=%25')).toEqual([0]);
    expect(await ids('q=_')).toEqual([]);
    expect(await ids('cursor=nonsense')).toEqual([2, 1, 0]);
    const first = (await ci.get('/builds?limit=2').expect(200)).body as { items: object[]; next_cursor: string };
    expect(first.items).toHaveLength(2);
    expect(await ids(`limit=2&cursor=${first.next_cursor}`)).toEqual([0]);
    // A cursor of another list or an invalid one returns the first page.
    const foreign = encodeCursor(builds[0]!.id, `builds|${randomUUID()}`);
    for (const cursor of [foreign, 'A'.repeat(22), 'A'.repeat(27)])
      expect(await ids(`cursor=${cursor}`)).toEqual([2, 1, 0]);
    for (const limit of ['0', '-1', 'x', '1.5', '']) await ci.get(`/builds?limit=${limit}`).expect(400);
    await ci.get('/builds?platform=amiga').expect(400);
    expect((await ci.get('/builds/latest').expect(200)).body).toMatchObject({ id: builds[2]?.id });
    expect((await ci.get('/builds/latest?platform=linux').expect(200)).body).toMatchObject({ id: builds[1]?.id });
    await ci.get('/builds/latest?platform=ios').expect(404);
  });

  it('changes and clears notes, and deletes a build with its link and tickets', async () => {
    const build = await ci.uploads(project, { bytes: apk(), fileName: 'a.apk' }, { notes: 'old' });
    const path = `/builds/${build.id}?${scope(project)}`;
    expect((await ci.patch(path, { notes: 'new' }).expect(200)).body).toMatchObject({ notes: 'new' });
    expect((await ci.patch(path, {}).expect(200)).body).toMatchObject({ notes: 'new' });
    expect((await ci.patch(path, { notes: null }).expect(200)).body).toMatchObject({ notes: null });
    await ci.patch(path, { version: '2' }).expect(400);
    const { url } = (await ci.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200)).body as {
      url: string;
    };
    await ci.delete(`${path}&permanently=true`).expect(204);
    await ci.get(path).expect(404);
    await ci.delete(path).expect(404);
    await app.anonymous.get(new URL(url).pathname).expect(404);
    await app.anonymous.get(new URL(build.install_url).pathname).set('Accept', 'application/json').expect(404);
  });
});
