import { type BuildJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { startReachableApp } from '../../support/app/reachable-app';
import { type TestApp } from '../../support/app/test-app';
import { apkOf, ipaOf } from '../../support/artifacts/app-artifacts';
import { type AgateCli } from '../../support/cli/agate-cli';
import { cliWithToken } from '../../support/cli/cli-with-token';
import { ZealotDouble } from '../../support/servers/zealot-double';

const FACTS = { name: 'Rocket', bundleId: 'com.example.rocket', version: '1.4.0' };

/** A release as Zealot 6 describes it. */
const release = (id: number, day: number, more: object = {}): object => ({
  id,
  version: id,
  app_name: 'Rocket Beta iOS',
  bundle_id: FACTS.bundleId,
  release_version: '1.4.0',
  build_version: String(id),
  source: 'API',
  branch: 'develop',
  git_commit: 'bc58e308dd1caf2226a402291839afbbdabcabf0',
  ci_url: 'https://ci.example.com/runs/9211335126',
  size: 392_173,
  text_changelog: `- bump ${id}\n- fixes bugs`,
  created_at: `2024-03-0${day} 12:00:00 +0800`,
  ...more,
});

describe('agate import zealot', () => {
  let app: TestApp;
  let zealot: ZealotDouble;
  let cli: AgateCli;
  let ann: Developer;
  let project: ProjectRef;

  beforeAll(async () => {
    zealot = await ZealotDouble.start();
    app = await startReachableApp();
    ann = await app.developer();
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    cli = await cliWithToken(app, await ann.createsToken(project, 'MANAGE_PROJECT'));
    zealot.apps = [
      {
        id: 1,
        name: 'Rocket',
        archived: false,
        schemes: [
          {
            id: 1,
            name: 'Beta',
            channels: [
              { id: 4, slug: 'Sk3y', name: 'iOS', device_type: 'iOS', has_password: false, key: 'beta-ios' },
              { id: 5, slug: 'x8bY', name: 'Android', device_type: 'Android', has_password: true, key: 'beta-android' },
              { id: 6, slug: 'h4rm', name: 'Harmony', device_type: 'HarmonyOS', has_password: false, key: 'harmony' },
            ],
          },
          {
            id: 2,
            name: 'Nightly',
            channels: [
              { id: 7, slug: 'n1', name: 'Free', device_type: 'Android', has_password: false, key: 'free' },
              { id: 8, slug: 'n2', name: 'Paid', device_type: 'Android', has_password: false, key: 'paid' },
            ],
          },
        ],
      },
      { id: 2, name: 'Other', archived: false, schemes: [] },
    ];
    zealot.releases.set('beta-ios', [release(12, 5), release(11, 2)]);
    // Older versions give no id, and changelogs may be empty.
    const address = 'https://zealot.example.com/download/releases/20';
    zealot.releases.set('free', [
      release(20, 3, { id: undefined, install_url: address, text_changelog: '', branch: null }),
    ]);
    zealot.releases.set('paid', [release(21, 4)]);
    for (const id of [11, 12]) {
      zealot.files.set(id, { fileName: `Rocket ${id}.ipa`, bytes: ipaOf({ ...FACTS, buildNumber: id }) });
    }
    zealot.files.set(20, { fileName: 'rocket.apk', bytes: apkOf({ ...FACTS, buildNumber: 20 }) });
  });
  afterAll(async () => {
    cli?.remove();
    await app?.stop();
    await zealot?.stop();
  });

  const imports = (args: readonly string[], token = ZealotDouble.TOKEN) =>
    cli.run(['import', 'zealot', '--from', `${zealot.url}/`, ...args], { environment: { AGATE_ZEALOT_TOKEN: token } });

  it('needs the name of the app when there are several, and a valid token', async () => {
    expect(await imports([])).toMatchObject({ code: 2, stderr: expect.stringContaining('may see "Rocket", "Other"') });
    expect(await imports(['--app', 'Moon'])).toMatchObject({ code: 5 });
    expect(await imports(['--app', 'Rocket'], 'wrong')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Unauthorized token'),
    });
    expect(await cli.run(['import', 'zealot', '--from', zealot.url])).toMatchObject({ code: 2 });
  });

  it('imports the releases of all channels, oldest first, and says what cannot be imported', async () => {
    const dry = await imports(['--app', 'rocket', '--dry-run', '--json']);
    expect(dry.json<{ builds: object[] }>().builds).toHaveLength(4);
    const { code, json, stdout, stderr } = await imports(['--app', 'rocket', '--json']);
    expect(code).toBe(3);
    expect(stdout + stderr).not.toContain(ZealotDouble.TOKEN);
    expect(json()).toMatchObject({
      error: 'import_incomplete',
      details: {
        uploaded: 3,
        promoted: 3,
        failed: [{ file: 'download/releases/21', message: expect.stringContaining('Remove the password') }],
        remarks: [
          'Beta › Android has a password. Channels of Agate have none.',
          'Beta › Harmony was left out: HarmonyOS is not a platform of Agate.',
        ],
      },
    });
    const { body } = await ann.get(`/builds?${scope(project)}`).expect(200);
    const builds = (body as { items: BuildJson[] }).items.toReversed();
    expect(builds).toMatchObject([
      {
        file_name: 'Rocket 11.ipa',
        platform: 'ios',
        build_number: '11',
        notes: '- bump 11\n- fixes bugs',
        source: { branch: 'develop', commit: 'bc58e308dd1caf2226a402291839afbbdabcabf0' },
        channels: [{ name: 'Beta', current: false }],
      },
      { file_name: 'rocket.apk', notes: null, source: { branch: null }, channels: [{ name: 'Nightly Free' }] },
      { file_name: 'Rocket 12.ipa', channels: [{ name: 'Beta', current: true }] },
    ]);
  });

  it('continues with what is missing', async () => {
    zealot.files.set(21, { fileName: 'rocket.apk', bytes: apkOf({ ...FACTS, buildNumber: 21 }) });
    const { code, json } = await imports(['--app', 'Rocket', '--json']);
    expect(code).toBe(0);
    expect(json()).toMatchObject({ uploaded: 1, present: 3, promoted: 1, failed: [] });
  });
});
