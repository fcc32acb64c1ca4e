import { readFileSync } from 'node:fs';
import {
  type BuildJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../support/actors/actors';
import { startReachableApp } from '../../support/app/reachable-app';
import { type TestApp } from '../../support/app/test-app';
import { apkOf, ipaOf } from '../../support/artifacts/app-artifacts';
import { type AgateCli } from '../../support/cli/agate-cli';
import { cliWithToken } from '../../support/cli/cli-with-token';
import { until } from '../../support/until';

const FACTS = { name: 'Rocket', bundleId: 'com.example.rocket' };
const apk = (buildNumber: number): Buffer => apkOf({ ...FACTS, version: '1.0', buildNumber });

interface ReleaseListJson {
  readonly items: readonly { readonly build: { readonly sha256: string }; readonly notes: string | null }[];
}

describe('The command line', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  const clis: AgateCli[] = [];

  beforeAll(async () => {
    app = await startReachableApp();
    ann = await app.developer();
    organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
  });
  afterAll(async () => {
    for (const cli of clis) cli.remove();
    await app?.stop();
  });

  async function desk(): Promise<{ cli: AgateCli; project: ProjectRef }> {
    const project = await ann.createsProject(organization);
    const cli = await cliWithToken(app, await ann.createsToken(project, 'MANAGE_PROJECT'));
    clis.push(cli);
    return { cli, project };
  }

  const builds = async (project: ProjectRef): Promise<BuildJson[]> => {
    const { body } = await ann.get(`/builds?${scope(project)}&limit=1000`).expect(200);
    return (body as { items: BuildJson[] }).items.toReversed();
  };
  const releases = async (project: ProjectRef, channel: string): Promise<[string, string | null][]> => {
    const channels = (await ann.get(`/channels?${scope(project)}`).expect(200)).body as {
      items: { id: string; name: string }[];
    };
    const { id } = channels.items.find(({ name }) => name === channel)!;
    const { body } = await ann.get(`/releases?${scope(project)}&channel_id=${id}`).expect(200);
    return (body as ReleaseListJson).items.toReversed().map(({ build, notes }) => [build.sha256, notes]);
  };

  describe('imports a folder', () => {
    it('in the order of import.csv, with channels and testers, without mails, and only once', async () => {
      const { cli, project } = await desk();
      cli.write('old/b.apk', apk(2));
      cli.write('old/a.apk', apk(1));
      cli.write('old/tool.dmg', 'disk image');
      cli.write(
        'old/import.csv',
        `file,version,platform,notes,channel,uploaded_at,testers\nb.apk,,,"Second, ""better""",Beta|QA,2025-02-01,tess@example.com\na.apk,,,First,Beta,2025-01-01,\ntool.dmg,3.0,macos,,,2025-03-01,\n`,
      );
      const dry = await cli.run(['import', 'folder', 'old', '--dry-run']);
      expect(dry.stdout.split('\n')[0]).toMatch(/^2025-01-01 {2}a\.apk/);
      expect(await builds(project)).toEqual([]);

      const { code, json, stderr } = await cli.run(['import', 'folder', 'old', '--json']);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(json()).toEqual({ uploaded: 3, present: 0, failed: [], promoted: 3, testers: 1, remarks: [] });
      const made = await builds(project);
      const factsOf = (build: BuildJson): unknown[] => [
        build.file_name,
        build.notes,
        build.version,
        build.original_uploaded_at,
      ];
      expect(made.map(factsOf)).toEqual([
        ['a.apk', 'First', '1.0', '2025-01-01T00:00:00.000Z'],
        ['b.apk', 'Second, "better"', '1.0', '2025-02-01T00:00:00.000Z'],
        ['tool.dmg', null, '3.0', '2025-03-01T00:00:00.000Z'],
      ]);
      expect((await releases(project, 'Beta')).map(([sha256]) => sha256)).toEqual([made[0]!.sha256, made[1]!.sha256]);
      const again = await cli.run(['import', 'folder', 'old', '--json']);
      expect(again.json()).toEqual({ uploaded: 0, present: 3, failed: [], promoted: 0, testers: 0, remarks: [] });
      expect(await builds(project)).toHaveLength(3);
      expect(await app.mailbox.all('tess@example.com')).toEqual([]);
    });

    it('with damaged files, which it names at the end, and imports the others', async () => {
      const { cli, project } = await desk();
      for (let number = 1; number <= 6; number += 1) cli.write(`old/${number}.apk`, apk(number));
      for (const wrong of ['2.apk', '4.ipa']) cli.write(`old/${wrong}`, 'not a ZIP file');
      cli.write('old/5.apk', '');
      const { code, json } = await cli.run(['import', 'folder', 'old', '--json']);
      expect(code).toBe(3);
      const { error, details } = json<{ error: string; details: { uploaded: number; failed: { file: string }[] } }>();
      expect([error, details.uploaded]).toEqual(['import_incomplete', 4]);
      expect(details.failed.map(({ file }) => file).toSorted()).toEqual(['2.apk', '4.ipa', '5.apk']);
      expect(await builds(project)).toHaveLength(4);
    });

    it('that continues after it was killed, with the same result', async () => {
      const { cli, project } = await desk();
      const lines = Array.from({ length: 8 }, (_, index) => `${index}.apk,Beta`);
      lines.forEach((_line, index) => cli.write(`old/${index}.apk`, apk(index + 1)));
      cli.write('old/import.csv', `file,channel\n${lines.join('\n')}\n`);
      const run = cli.start(['import', 'folder', 'old']);
      await until(async () => (await builds(project)).length >= 3);
      run.child.kill('SIGKILL');
      await run.ended;
      const { code, json } = await cli.run(['import', 'folder', 'old', '--json']);
      expect(code).toBe(0);
      const { uploaded, present } = json<{ uploaded: number; present: number }>();
      expect([uploaded + present, present >= 3]).toEqual([8, true]);
      const made = await builds(project);
      expect(made.map(({ file_name }) => file_name)).toEqual(lines.map((line) => line.split(',')[0]));
      expect((await releases(project, 'Beta')).map(([sha256]) => sha256)).toEqual(made.map(({ sha256 }) => sha256));
    });
  });

  it('exports a project that another project imports with the same builds, notes, channels and testers', async () => {
    const { cli, project } = await desk();
    const beta = await ann.createsChannel(project, 'Beta');
    const first = await ann.uploads(
      project,
      { bytes: apk(1), fileName: 'app.apk' },
      { notes: 'One\ntwo, "three"', branch: 'main' },
    );
    const second = await ann.uploads(project, { bytes: apk(2), fileName: 'app.apk' }, { commit: 'abcdef0' });
    const ipa = ipaOf({ ...FACTS, version: '1.0', buildNumber: 3 });
    await ann.uploads(project, { bytes: ipa, fileName: '../evil/.app.ipa' });
    // The same file twice makes two builds.
    await ann.uploads(project, { bytes: apk(2), fileName: 'again.apk' }, { notes: 'Again' });
    for (const [build, notes] of [
      [first, 'Go'],
      [second, undefined],
      [first, 'Back'],
    ] as const) {
      await ann.promotes(project, beta, build, notes);
    }
    await cli.run(['testers', 'add', 'tess@example.com', '--name', 'Tess', '--channel', 'Beta']);

    const exported = await cli.run(['export', 'builds', 'saved', '--json']);
    expect(exported.json()).toMatchObject({ builds: 4, present: 0, testers: 1 });
    expect((await cli.run(['export', 'builds', 'saved', '--json'])).json()).toMatchObject({ builds: 4, present: 4 });
    const described = JSON.parse(cli.read('saved/import.json')) as { builds: { file: string; sha256: string }[] };
    for (const { file } of described.builds)
      expect(readFileSync(`${cli.work}/saved/${file}`).length).toBeGreaterThan(0);

    const other = await desk();
    const imported = await other.cli.run(['import', 'folder', `${cli.work}/saved`, '--json']);
    expect(imported.json()).toEqual({ uploaded: 4, present: 0, failed: [], promoted: 3, testers: 1, remarks: [] });
    const factsOf = (build: BuildJson): unknown[] => [
      build.sha256,
      build.notes,
      build.version,
      build.build_number,
      build.source,
    ];
    const copies = await builds(other.project);
    const originals = await builds(project);
    expect(copies.map(factsOf)).toEqual(originals.map(factsOf));
    expect(copies.map((build) => build.original_uploaded_at)).toEqual(originals.map((build) => build.uploaded_at));
    expect(await releases(other.project, 'Beta')).toEqual(await releases(project, 'Beta'));
    const { stdout } = await other.cli.run(['testers', 'list', '--channel', 'Beta']);
    expect(stdout).toBe('tess@example.com  Tess  added\n');
    const again = await other.cli.run(['import', 'folder', `${cli.work}/saved`, '--json']);
    expect(again.json()).toMatchObject({ uploaded: 0, present: 4, promoted: 0, testers: 0 });
  });
});
