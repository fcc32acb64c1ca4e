import { randomUUID } from 'node:crypto';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { type AndroidOptions, apk, ipa, type IpaOptions } from '../../../support/artifacts/valid-artifacts';

const CAMERA = { NSCameraUsageDescription: 'Scans codes.' };
const LOCATION = { NSLocationWhenInUseUsageDescription: 'Shows you on the map.' };

describe('details of builds', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let query: string;

  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
    query = scope(project);
  });
  afterAll(() => app.stop());

  const uploads = (options: IpaOptions): Promise<BuildJson> =>
    ann.uploads(project, { bytes: ipa(options), fileName: 'Demo.ipa' });
  const get = async (by: Pick<Developer, 'get'>, id: string) =>
    (await by.get(`/builds/${id}?${query}`).expect(200)).body as {
      app: Record<string, unknown>;
      signing: Record<string, unknown>;
    };
  const diff = async (id: string, against: string): Promise<Record<string, unknown>> =>
    (await ann.get(`/builds/${id}/diff?${query}&against=${against}`).expect(200)).body as Record<string, unknown>;

  it('are those of the artifact, and null in lists', async () => {
    const { id, app: uploaded } = (await uploads({ info: CAMERA })) as BuildJson & { app: unknown };
    const build = await get(ann, id);
    expect(build.app).toEqual(uploaded);
    expect(build.app).toMatchObject({
      permissions: ['NSCameraUsageDescription'],
      usage_descriptions: [{ key: 'NSCameraUsageDescription', text: 'Scans codes.' }],
    });
    expect(build.signing['entitlements']).toContainEqual({ key: 'aps-environment', values: ['production'] });
    expect(build.signing['devices']).toEqual(['00008101-000000000000001E', '0'.repeat(40)]);
    const { items } = (await ann.get(`/builds?${query}`).expect(200)).body as { items: (typeof build)[] };
    expect(items[0]).toMatchObject({
      app: { permissions: null, usage_descriptions: null },
      signing: { entitlements: null, devices: null, device_count: 2 },
    });
  });

  // red when: the role of the caller is not checked
  it('have the devices only for callers with MANAGE_TESTERS', async () => {
    const uploader = app.ci(await ann.createsToken(project, 'UPLOAD_BUILD'));
    const build = (await uploader.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' })) as BuildJson & {
      signing: unknown;
    };
    expect(build.signing).toMatchObject({ devices: null, device_count: 2 });
    expect((await get(uploader as never, build.id)).signing).toMatchObject({ devices: null });
    const manager = app.ci(await ann.createsToken(project, 'MANAGE_TESTERS'));
    expect((await get(manager as never, build.id)).signing['devices']).toHaveLength(2);
  });

  it('are null for builds of earlier releases, also in a comparison', async () => {
    const [old, build] = [await uploads({}), await uploads({ info: CAMERA })];
    await app.sql('DELETE FROM build_detail WHERE build_id = $1', [old.id]);
    expect(await get(ann, old.id)).toMatchObject({
      app: { permissions: null, usage_descriptions: null },
      signing: { entitlements: null, devices: null },
    });
    expect(await diff(build.id, old.id)).toMatchObject({ permissions: null, entitlements: null, version: null });
  });

  describe('compared', () => {
    // red when: from and to are exchanged
    it('show each field that differs', async () => {
      const before = await uploads({
        info: { ...CAMERA, CFBundleShortVersionString: '1.0', MinimumOSVersion: '15.0' },
      });
      const after = await uploads({
        info: { ...LOCATION, CFBundleShortVersionString: '1.1', CFBundleVersion: '43', MinimumOSVersion: '16.0' },
        distribution: 'development',
      });
      expect(await diff(after.id, before.id)).toEqual({
        build_id: after.id,
        against: before.id,
        platform: null,
        name: null,
        bundle_id: null,
        version: { from: '1.0', to: '1.1' },
        build_number: { from: '42', to: '43' },
        size_bytes: { from: before.size_bytes, to: after.size_bytes },
        min_os_version: { from: '15.0', to: '16.0' },
        min_sdk: null,
        target_sdk: null,
        signing_kind: { from: 'adhoc', to: 'development' },
        profile_name: { from: 'Demo adhoc', to: 'Demo development' },
        team_id: null,
        certificate_sha256: null,
        commits: null,
        permissions: { added: ['NSLocationWhenInUseUsageDescription'], removed: ['NSCameraUsageDescription'] },
        entitlements: { added: ['get-task-allow'], removed: ['get-task-allow'] },
        warnings: expect.anything(),
        abis: null,
        features: null,
        url_schemes: null,
        frameworks: null,
        contents: expect.objectContaining({ further_files: 0 }),
      });
    });

    it('show the certificate, API levels and permissions of Android packages', async () => {
      const upload = (options: Parameters<typeof apk>[0]) =>
        ann.uploads(project, { bytes: apk(options), fileName: 'demo.apk' });
      const before = await upload({ subject: { CN: 'Old' }, minSdk: 24 });
      const after = await upload({ subject: { CN: 'New' }, minSdk: 26, permissions: ['android.permission.CAMERA'] });
      expect(await diff(after.id, before.id)).toMatchObject({
        min_sdk: { from: 24, to: 26 },
        certificate_sha256: { from: expect.any(String), to: expect.any(String) },
        permissions: { added: ['android.permission.CAMERA'], removed: [] },
        warnings: { added: expect.arrayContaining([expect.objectContaining({ code: 'certificate_changed' })]) },
      });
    });

    // red when: a fact is read from another element or key, or unknown ones count as empty
    it('show features, schemes of addresses and frameworks', async () => {
      const uploadsApk = (options: AndroidOptions): Promise<BuildJson> =>
        ann.uploads(project, { bytes: apk(options), fileName: 'demo.apk' });
      const features = ['android.hardware.camera', 'android.hardware.nfc'];
      const android = await uploadsApk({ features, urlSchemes: ['demo', 'https'] });
      const other = await uploadsApk({ features: features.slice(0, 1), urlSchemes: ['demo', 'other'] });
      expect(await diff(other.id, android.id)).toMatchObject({
        features: { added: [], removed: ['android.hardware.nfc'] },
        url_schemes: { added: ['other'], removed: ['https'] },
        frameworks: null,
      });
      const info = {
        UIRequiredDeviceCapabilities: ['arm64', 'nfc'],
        CFBundleURLTypes: [{ CFBundleURLSchemes: ['demo'] }, { CFBundleURLSchemes: ['x-demo', 'demo'] }],
      };
      const files = ['Alpha.framework/Alpha', 'Alpha.framework/Info.plist', 'libswift.dylib', 'Beta.framework/Beta'];
      const ios = await uploads({
        info,
        files: files.map((name) => ({ name: `Payload/Demo.app/Frameworks/${name}`, data: 'x' })),
      });
      const plain = await uploads({ info: { UIRequiredDeviceCapabilities: { arm64: true } } });
      expect(await diff(ios.id, plain.id)).toMatchObject({
        features: { added: ['nfc'], removed: [] },
        url_schemes: { added: ['demo', 'x-demo'], removed: [] },
        frameworks: { added: ['Alpha', 'Beta', 'libswift'], removed: [] },
      });
      await app.sql(`UPDATE build_detail SET details = details - 'capabilities' WHERE build_id = $1`, [plain.id]);
      expect(await diff(ios.id, plain.id)).toMatchObject({ features: null, url_schemes: null, frameworks: null });
    });

    it('are the same as themselves', async () => {
      const { id } = await uploads({});
      const { build_id: _, against: __, ...fields } = await diff(id, id);
      expect(new Set(Object.values(fields))).toEqual(new Set([null]));
    });

    it('must both be builds of the project', async () => {
      const { id } = await uploads({});
      const other = await ann.uploads(await ann.createsProject({ id: project.organizationId }), {
        bytes: ipa(),
        fileName: 'Demo.ipa',
      });
      await ann.get(`/builds/${id}/diff?${query}&against=${other.id}`).expect(404);
      await ann.get(`/builds/${id}/diff?${query}&against=${randomUUID()}`).expect(404);
      await ann.get(`/builds/${other.id}/diff?${query}&against=${id}`).expect(404);
      await ann.get(`/builds/${id}/diff?${query}`).expect(400);
    });
  });

  describe('of packages, compared,', () => {
    const uploadsApk = (options: AndroidOptions): Promise<BuildJson> =>
      ann.uploads(project, { bytes: apk(options), fileName: 'Demo.apk' });
    const asset = (name: string, bytes: number) => ({ name, data: Buffer.alloc(bytes, 'x'), method: 0 });

    // red when: contents are not recorded, or compared by name only
    it('list the files that grew, and the new native ABIs', async () => {
      const before = await uploadsApk({ files: [asset('assets/old.bin', 100), asset('assets/map.bin', 1000)] });
      const after = await uploadsApk({
        abis: ['arm64-v8a'],
        files: [asset('assets/map.bin', 3500), asset('assets/new.bin', 200)],
      });
      const comparison = (await ann.get(`/builds/${after.id}/compare?${query}&with=${before.id}`).expect(200))
        .body as Record<string, unknown>;
      expect(comparison).toEqual(await diff(after.id, before.id));
      expect(comparison).toMatchObject({
        abis: { added: ['arm64-v8a'], removed: [] },
        contents: {
          kinds: [
            { kind: 'native', from: null, to: expect.any(Number) as number },
            { kind: 'assets', from: 1100, to: 3700 },
          ],
          files: [
            { path: 'assets/map.bin', from: 1000, to: 3500 },
            { path: 'assets/new.bin', from: null, to: 200 },
            { path: 'assets/old.bin', from: 100, to: null },
            { path: 'lib/arm64-v8a/libdemo.so', from: null, to: expect.any(Number) as number },
          ],
          further_files: 0,
        },
      });
    });

    it('show that a signature is broken, as the build does', async () => {
      const signed = await uploadsApk({});
      const bytes = Buffer.from(apk());
      const attribute = bytes.readUInt32LE(bytes.length - 6) + 38;
      bytes[attribute] = (bytes[attribute] ?? 0) ^ 1;
      const broken = await ann.uploads(project, { bytes, fileName: 'Demo.apk' });
      expect((await get(ann, signed.id)).signing).toMatchObject({
        verified: true,
        verified_schemes: ['v2'],
        problem: null,
      });
      expect(await get(ann, broken.id)).toMatchObject({
        installable: false,
        signing: { verified: false, verified_schemes: [], problem: { scheme: 'v2', code: 'content_changed' } },
      });
      const { warnings } = await diff(broken.id, signed.id);
      expect(warnings).toMatchObject({ added: [{ code: 'signature_broken' }] });
    });
  });
});
