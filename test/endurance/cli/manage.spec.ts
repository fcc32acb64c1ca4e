import { type BuildJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { apkOf } from '../../support/artifacts/app-artifacts';
import { apk } from '../../support/artifacts/valid-artifacts';
import { AgateCli } from '../../support/cli/agate-cli';

const FACTS = { name: 'Rocket', bundleId: 'com.example.rocket' };

describe('The command line', () => {
  let app: TestApp;
  let cli: AgateCli;
  let ann: Developer;
  let project: ProjectRef;

  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    cli = await AgateCli.create({ AGATE_URL: app.url, AGATE_TOKEN: await ann.createsToken(project, 'MANAGE_PROJECT') });
  });
  afterAll(async () => {
    cli?.remove();
    await app?.stop();
  });

  const testers = async (): Promise<string[]> => {
    const { body } = await ann.get(`/testers?${scope(project)}&limit=1000`).expect(200);
    return (body as { items: { email: string }[] }).items.map(({ email }) => email);
  };

  describe('for channels', () => {
    it('creates one, lists it and rotates its link', async () => {
      const created = await cli.run(['channels', 'create', 'Beta']);
      expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http:\S+\/install\/\S+\n$/) });
      expect((await cli.run(['channels', 'list', '--json'])).json()).toMatchObject([{ name: 'Beta', subscribers: 0 }]);
      expect((await cli.run(['channels', 'list'])).stdout).toContain(`Beta`);
      const rotated = await cli.run(['channels', 'rotate-link', 'beta', '--yes']);
      expect(rotated).toMatchObject({ code: 0, stdout: expect.stringContaining('/install/') });
      expect(rotated.stdout).not.toBe(created.stdout);
    });

    it('closes the channel of a branch, and succeeds when there is none', async () => {
      expect(await cli.run(['channels', 'close-branch', '--', '--feature/$(x)'])).toMatchObject({
        code: 0,
        stdout: '"--feature/$(x)" has no channel.\n',
      });
      const { json } = await cli.run(['channels', 'close-branch', 'feature/x', '--json']);
      expect(json()).toEqual({ closed: false, channel_id: null });
    });

    it('changes nothing without permission when there is no terminal', async () => {
      const { code, stderr } = await cli.run(['channels', 'rotate-link', 'Beta']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Repeat the command with --yes.')]);
    });

    it('names the channels of the project when there is none with a name', async () => {
      const { code, json } = await cli.run(['channels', 'rotate-link', 'Gamma', '--yes', '--json']);
      expect(code).toBe(5);
      expect(json()).toMatchObject({
        error: 'not_found',
        message: 'There is no channel "Gamma". The project has "Beta".',
      });
    });
  });

  describe('for testers', () => {
    it('adds, lists, unsubscribes and removes them', async () => {
      const added = await cli.run(['testers', 'add', 'tess@example.com', 'bo@example.com', '--channel', 'Beta']);
      expect(added).toMatchObject({ code: 0, stdout: '2 added, 0 existed, 0 unsubscribed before.\n' });
      const listed = await cli.run(['testers', 'list', '--channel', 'Beta', '--json']);
      expect(listed.json<{ email: string }[]>().map(({ email }) => email)).toEqual(
        expect.arrayContaining(['tess@example.com', 'bo@example.com']),
      );
      expect((await cli.run(['testers', 'remove', 'bo@example.com', '--channel', 'Beta'])).stdout).toBe(
        '1 unsubscribed.\n',
      );
      expect((await cli.run(['testers', 'list', '--channel', 'Beta'])).stdout).toBe('tess@example.com    added\n');
      await cli.run(['testers', 'remove', 'bo@example.com', '--dry-run']);
      expect(await testers()).toHaveLength(2);
      await cli.run(['testers', 'remove', 'bo@example.com', '--yes']);
      expect(await testers()).toEqual(['tess@example.com']);
    });

    it('removes none when one is not known', async () => {
      const { code, stderr } = await cli.run(['testers', 'remove', 'tess@example.com', 'x@example.com', '--yes']);
      expect([code, stderr]).toEqual([5, expect.stringContaining('The project has no tester x@example.com.')]);
      expect(await testers()).toEqual(['tess@example.com']);
    });

    it('invites one to a channel', async () => {
      const { code, stderr } = await cli.run(['testers', 'invite', 'tess@example.com', '--channel', 'Beta']);
      expect([code, stderr]).toEqual([0, '']);
      expect((await app.mailbox.link('tess@example.com')).pathname).toContain('/install/');
    });

    it('exports them to a file that it can import', async () => {
      const { code } = await cli.run(['testers', 'export', 'testers.csv']);
      expect(code).toBe(0);
      expect(cli.read('testers.csv')).toContain('tess@example.com');
      expect((await cli.run(['testers', 'export', '--json'])).json()).toMatchObject([{ email: 'tess@example.com' }]);
      const imported = await cli.run(['testers', 'import', 'testers.csv', '--json']);
      expect(imported.json()).toMatchObject({ created: 0, existing: 1, dry_run: false });
    });

    describe('in a file of 5,000', () => {
      const lines = Array.from({ length: 5_000 }, (_, index) => `t${index}@example.com,Tester ${index}`);

      it('names the one wrong line and adds none', async () => {
        const wrong = lines.with(4_321, 'not an address,Tester');
        cli.write('wrong.csv', `email,name\n${wrong.join('\n')}\n`);
        for (const more of [[], ['--dry-run']]) {
          const { code, stderr } = await cli.run(['testers', 'import', 'wrong.csv', '--channel', 'Beta', ...more]);
          expect([code, stderr]).toEqual([3, expect.stringContaining('line 4323: email must be an e-mail address')]);
        }
        expect(await testers()).toEqual(['tess@example.com']);
      });

      it('counts them in a dry run, and adds none', async () => {
        const csv = `email,name\n${lines.join('\n')}\ntess@example.com,Tess\n`;
        const { stdout } = await cli.run(['testers', 'import', '-', '--dry-run'], { stdin: csv });
        expect(stdout).toBe('5000 would be added, 1 existed, 0 unsubscribed before.\n');
        expect(await testers()).toEqual(['tess@example.com']);
      });
    });
  });

  describe('for releases', () => {
    let builds: BuildJson[];
    beforeAll(async () => {
      const { body } = await ann.get(`/channels?${scope(project)}`).expect(200);
      const [beta] = (body as { items: { id: string }[] }).items;
      builds = [];
      for (const buildNumber of [1, 2]) {
        const bytes = apkOf({ ...FACTS, version: '1.0', buildNumber });
        builds.push(await ann.uploads(project, { bytes, fileName: 'rocket.apk' }));
        await ann.promotes(project, beta!, builds.at(-1)!);
      }
    });

    it('lists those of the only channel, newest first', async () => {
      const { json } = await cli.run(['releases', 'list', '--json']);
      expect(json<{ sequence: number }[]>().map(({ sequence }) => sequence)).toEqual([2, 1]);
      const { stdout } = await cli.run(['releases', 'list', '--limit', '1']);
      expect(stdout).toMatch(/^#2 {2}current {2}android {2}1\.0 \(2\) /);
    });

    // red when: a filter of the list is not sent, or the release of the channel is not found
    it('shows who has the current one, lists who has it not, and reminds them', async () => {
      await app.sql(`UPDATE release SET notify = false`);
      const shown = await cli.run(['adoption']);
      expect(shown.stdout).toBe('Beta  android  1.0 (2)  0 of 1 have it  1 not mailed\n');
      expect((await cli.run(['adoption', '--platform', 'ios', '--json'])).json()).toEqual([]);
      for (const filter of [
        ['--has-not', 'current'],
        ['--channel', 'Beta', '--adoption', 'has_not'],
        ['--build', builds[1]!.id, '--adoption', 'not_mailed'],
      ])
        expect((await cli.run(['testers', 'list', ...filter])).stdout).toMatch(/^tess@example\.com /);
      expect((await cli.run(['testers', 'list', '--channel', 'Beta', '--adoption', 'has_it'])).stdout.trim()).toBe('');
      expect((await cli.run(['testers', 'list', '--adoption', 'has_it'])).code).toBe(2);
      const csv = (await cli.run(['testers', 'export', '--channel', 'Beta', '--adoption', 'has_not'])).stdout;
      expect(csv).toMatch(/has_current,adoption,mailed_at\r\ntess@.*,false,not_mailed,\r\n$/);
      const reminded = await cli.run(['testers', 'remind', '--channel', 'Beta', '--platform', 'android']);
      expect(reminded).toMatchObject({ code: 0, stdout: '1 reminded of 1.0 (2) for android.\n' });
      expect((await cli.run(['testers', 'remind', '--json'])).json()).toMatchObject([
        { platform: 'android', queued: 0, skipped: [{ reason: 'reminded_recently' }] },
      ]);
      expect((await cli.run(['testers', 'remind', '--platform', 'ios'])).code).toBe(5);
    });

    it('withdraws one by its number, and the current one', async () => {
      expect((await cli.run(['releases', 'withdraw', '3', '--yes'])).code).toBe(5);
      expect((await cli.run(['releases', 'withdraw', 'newest', '--yes'])).code).toBe(2);
      expect(await cli.run(['releases', 'withdraw', '2', '--yes'])).toMatchObject({
        code: 0,
        stdout: '#2 was withdrawn.\n',
      });
      const { json } = await cli.run(['releases', 'withdraw', 'current', '--yes', '--json']);
      expect(json()).toMatchObject({ sequence: 1, build_id: builds[0]!.id });
      expect((await cli.run(['releases', 'withdraw', 'current', '--yes'])).code).toBe(5);
    });
  });

  describe('for update keys', () => {
    const NEVER_USED = expect.stringMatching(
      /^android {2}the project {2}never used {2}\S+ {2}http\S+\nios {6}Beta /,
    ) as string;

    it('creates one of a channel and one of the project, and lists them', async () => {
      const ofChannel = await cli.run(['update-keys', 'create', 'ios', '--channel', 'Beta']);
      expect(ofChannel).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http:\S+\/updates\/ag_upd_\w+\n$/) });
      const ofProject = await cli.run(['update-keys', 'create', 'android', '--json']);
      expect(ofProject.json()).toMatchObject({ platform: 'android', channel_id: null, last_used_at: null });
      expect((await cli.run(['update-keys', 'list'])).stdout).toEqual(NEVER_USED);
      const { json } = await cli.run(['update-keys', 'list', '--channel', 'beta', '--json']);
      expect(json<{ url: string }[]>().map(({ url }) => `${url}\n`)).toEqual([ofChannel.stdout]);
      expect((await cli.run(['update-keys', 'create', 'android'])).code).toBe(3);
      expect((await cli.run(['update-keys', 'create', 'amiga'])).code).toBe(2);
    });

    it('rotates and revokes one by its platform or id, with permission', async () => {
      const listed = (await cli.run(['update-keys', 'list', '--channel', 'Beta', '--json'])).json<{ url: string }[]>();
      const { code, stderr } = await cli.run(['update-keys', 'rotate', 'ios', '--channel', 'Beta']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Repeat the command with --yes.')]);
      const rotated = await cli.run(['update-keys', 'rotate', 'ios', '--channel', 'Beta', '--yes']);
      expect(rotated).toMatchObject({ code: 0, stdout: expect.stringContaining('/updates/ag_upd_') });
      expect(rotated.stdout).not.toBe(`${listed[0]!.url}\n`);
      const missing = await cli.run(['update-keys', 'revoke', 'ios', '--yes']);
      expect([missing.code, missing.stderr]).toEqual([
        5,
        expect.stringContaining('There is no update key "ios" of the project.'),
      ]);
      const revoked = await cli.run(['update-keys', 'revoke', 'android', '--yes']);
      expect(revoked.stdout).toBe('The update key for android was revoked.\n');
      const [{ id }] = (await cli.run(['update-keys', 'list', '--json'])).json<[{ id: string }]>();
      expect((await cli.run(['update-keys', 'revoke', id, '--yes'])).code).toBe(0);
      expect((await cli.run(['update-keys', 'list', '--json'])).json()).toEqual([]);
    });
  });

  describe('for links', () => {
    it('creates one with rules, changes, rotates and deletes it', async () => {
      const name = ['--channel', 'Beta', '--name', 'ACME demo'];
      const rules = ['--password-stdin', '--expires', '14d', '--max', '50', '--json'];
      const created = await cli.run(['links', 'create', ...name, ...rules], { stdin: 'sunny harbour\n' });
      expect(created.json()).toMatchObject({ access: 'password', max_downloads: 50, is_default: false });
      const update = ['links', 'update', 'ACME demo', '--channel', 'Beta', '--max', 'none', '--json'];
      expect((await cli.run(update)).json()).toMatchObject({ access: 'password', max_downloads: null });
      const { stdout } = await cli.run(['links', 'list', '--channel', 'Beta']);
      expect(stdout).toMatch(/^ACME demo {2}password {2}until .*\ndefault {4}open /);
      expect((await cli.run(['links', 'rotate', 'ACME demo', '--channel', 'Beta'])).code).toBe(2);
      const rotated = await cli.run(['links', 'rotate', 'ACME demo', '--channel', 'Beta', '--yes']);
      expect(rotated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http\S+\/install\/\S+\n$/) });
      const deleted = await cli.run(['links', 'delete', 'ACME demo', '--channel', 'Beta', '--yes']);
      expect(deleted.stdout).toBe('The link was deleted.\n');
      expect((await cli.run(['links', 'delete', 'default', '--channel', 'Beta', '--yes'])).code).not.toBe(0);
      expect((await cli.run(['links', 'list'])).code).toBe(2);
    });
  });

  describe('for promotions', () => {
    it('makes one mandatory', async () => {
      const promoted = await cli.run(['promote', 'latest', '--channel', 'Beta', '--mandatory', '--silent']);
      expect(promoted.code).toBe(0);
      const { json } = await cli.run(['releases', 'list', '--limit', '1', '--json']);
      expect(json()).toMatchObject([{ mandatory: true, notify: false }]);
    });

    // red when: a promotion does not print its undo, or the printed command does not take it back
    it('prints the command that undoes one, which works for a minute', async () => {
      const bytes = apkOf({ ...FACTS, version: '1.1', buildNumber: 3 });
      await ann.uploads(project, { bytes, fileName: 'rocket.apk' });
      const { stderr } = await cli.run(['promote', 'latest', '--channel', 'Beta']);
      const command = /^Undo it within a minute: agate (.+)$/m.exec(stderr)?.[1]?.split(' ') ?? [];
      const undone = await cli.run(command);
      expect(undone).toMatchObject({
        code: 0,
        stdout: '1.1 (3) was taken back from "Beta": 1.0 (2) is current again. No mail about it is sent.\n',
      });
      await app.sql(`UPDATE release SET promoted_at = promoted_at - interval '1 minute' WHERE project_id = $1`, [
        project.id,
      ]);
      const late = await cli.run(['releases', 'undo']);
      expect(late.code).not.toBe(0);
      expect(late.stderr).toContain('can be undone for a minute');
    });

    // red when: the warnings of a build are not written, or a pipeline is asked
    it('warns about a build that no device installs, and promotes it without a terminal', async () => {
      const bytes = apk({ versionName: '1.2', versionCode: 4, packageName: FACTS.bundleId, testOnly: true });
      const build = await ann.uploads(project, { bytes, fileName: 'rocket.apk' });
      const { code, stderr, json } = await cli.run(['promote', build.id, '--channel', 'Beta', '--silent', '--json']);
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/\[test_only\][\s\S]*No device installs .* 1\.2 \(4\)/),
      ]);
      expect(json()).toMatchObject({ id: build.id, installable: false });
    });
  });
});
