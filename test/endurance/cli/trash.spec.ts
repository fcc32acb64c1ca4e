import { randomBytes, randomUUID } from 'node:crypto';
import { PAT_SCOPES } from '#kernel/access/roles';
import { type BuildJson, type ProjectRef, scope } from '../../support/actors/actors';
import { AgateCli } from '../../support/cli/agate-cli';
import { type CliProject, startCliProject } from '../../support/cli/cli-project';
import { cliWithToken } from '../../support/cli/cli-with-token';

describe('The command line, for deleted builds', () => {
  let stage: CliProject;
  let project: ProjectRef;
  let cli: AgateCli;
  beforeAll(async () => (stage = await startCliProject()));
  beforeEach(async () => {
    project = await stage.ann.createsProject(stage.organization);
    cli = await cliWithToken(stage.app, await stage.ann.createsToken(project, 'MANAGE_RELEASES'));
  });
  afterEach(() => cli.remove());
  afterAll(() => stage.stop());

  const uploads = (branch: string): Promise<BuildJson> =>
    stage.ann.uploads(
      project,
      { bytes: randomBytes(1_000), fileName: 'App.dmg' },
      { platform: 'macos', version: randomUUID(), branch },
    );
  const prints = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await cli.run(args);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return stdout;
  };
  const listed = async (...args: string[]): Promise<string[]> =>
    (await cli.run(['builds', 'list', '--json', ...args])).json<BuildJson[]>().map(({ id }) => id);

  it('moves builds to the trash, lists them there, and restores them', async () => {
    const { id } = await uploads('main');
    const deleted = await cli.run(['builds', 'delete', id, '--yes']);
    expect(deleted).toMatchObject({
      code: 0,
      stdout: `${id}\n`,
      stderr: expect.stringContaining(`agate builds restore ${id}`),
    });
    expect([await listed(), await listed('--deleted')]).toEqual([[], [id]]);
    expect(await prints('builds', 'list', '--deleted')).toMatch(/ main .* until \d{4}-\S+Z {2}\S+\n$/);
    expect(await prints('builds', 'restore', id)).toBe(`${id}\n`);
    expect(await listed()).toEqual([id]);
    expect(await cli.run(['builds', 'restore', id])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `${id} is not in the trash.\n`,
    });
  });

  it('restores the builds that it finds, and exits with 5 when one is unknown', async () => {
    const { id } = await uploads('main');
    await prints('builds', 'delete', id, '--yes');
    const unknown = randomUUID();
    const { code, json } = await cli.run(['builds', 'restore', unknown, id, '--json']);
    expect(code).toBe(5);
    const outcomes = [
      { id: unknown, outcome: 'not_found' },
      { id, outcome: 'restored' },
    ];
    expect(json()).toMatchObject({ error: 'not_found', details: { builds: outcomes } });
    expect(await listed()).toEqual([id]);
    expect(await cli.run(['builds', 'restore', 'latest'])).toMatchObject({ code: 2 });
  });

  // red when: a build in the trash cannot be named, or --permanently is not sent
  it('deletes builds permanently, also from the trash', async () => {
    const [first, second] = [await uploads('main'), await uploads('main')];
    await prints('builds', 'delete', first.id, '--yes');
    expect(await cli.run(['builds', 'delete', first.id, '--yes'])).toMatchObject({ code: 5 });
    const both = ['builds', 'delete', first.id, second.id, '--permanently'];
    expect(await cli.run(both)).toMatchObject({ code: 2, stderr: expect.stringContaining(' permanently. Repeat') });
    expect((await prints(...both, '--yes')).split('\n').sort()).toEqual(['', first.id, second.id].sort());
    expect([await listed(), await listed('--deleted')]).toEqual([[], []]);
    expect(await cli.run([...both, '--yes'])).toMatchObject({ code: 5 });
  });

  it('deletes the builds that meet conditions, after a preview, and keeps protected ones', async () => {
    const [current, pull, other] = [await uploads('pr-1'), await uploads('pr-2'), await uploads('main')];
    await stage.ann.promotes(project, await stage.ann.createsChannel(project, 'Beta'), current);
    const select = ['builds', 'delete', '--branch', 'pr-*'];
    expect(await prints(...select, '--dry-run')).toMatch(
      new RegExp(`^1 build \\(1 kB.*\\) would be deleted\\. 1 build is protected and stays\\.\nmacos .* ${pull.id}\n$`),
    );
    expect(await cli.run(select)).toMatchObject({ code: 2, stderr: expect.stringContaining('with --yes.') });
    expect(await prints(...select, '--older', '1h', '--yes')).toBe('');
    expect(await listed()).toHaveLength(3);
    const { code, json, stderr } = await cli.run([...select, '--yes', '--json']);
    expect(code).toBe(0);
    expect(stderr).toContain(`: agate builds restore ${pull.id}\n`);
    expect(json()).toMatchObject({
      deleted: 1,
      frees_bytes_at: expect.any(String) as string,
      builds: [{ id: pull.id, outcome: 'deleted' }],
    });
    expect(await listed()).toEqual([other.id, current.id]);
  });

  // red when: the variable that names the branch of an upload selects the builds of that branch
  it('selects no builds by a variable alone', async () => {
    const { id } = await uploads('main');
    const environment = { AGATE_BRANCH: 'main', AGATE_PLATFORM: 'macos' };
    expect(await cli.run(['builds', 'delete', '--yes'], { environment })).toMatchObject({ code: 2 });
    expect(await listed()).toEqual([id]);
    expect(await cli.run(['builds', 'delete', id, '--yes'], { environment })).toMatchObject({ code: 0 });
  });

  describe('by rules', () => {
    let manager: AgateCli;
    beforeEach(async () => {
      const body = { name: randomUUID(), scopes: [...PAT_SCOPES] };
      const created = await stage.ann.post(`/pats?organization_id=${stage.organization.id}`, body).expect(201);
      const { token } = created.body as { token: string };
      manager = await AgateCli.create({ AGATE_URL: stage.app.url, AGATE_TOKEN: token, AGATE_PROJECT: project.id });
    });
    afterEach(() => manager.remove());

    const NO_RULES = 'The project has no rules. No build is deleted.\n';
    const RULE = ['--keep-last', '1', '--per', 'branch', '--branches', 'pr-*'];
    const SENTENCE = 'Of pr-*, keep the newest 1 of each branch.\n';

    it('shows them with the token of the project, which cannot change them', async () => {
      expect(await prints('retention', 'show')).toBe(NO_RULES);
      expect(await cli.run(['retention', 'set', ...RULE, '--yes'])).toMatchObject({ code: 4 });
    });

    it('previews a rule and sets it after a confirmation only', async () => {
      const builds = [await uploads('pr-1'), await uploads('pr-1'), await uploads('main')];
      await stage.app.sql(
        `UPDATE build SET uploaded_at = uploaded_at - interval '40 days' WHERE project_id = $1 AND branch = 'pr-1'`,
        [project.id],
      );
      const preview = await manager.run(['retention', 'preview', ...RULE]);
      expect(preview).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^1 build \(1 kB.*\) would be deleted\./),
      });
      expect(preview.stdout).toContain(builds[0]!.id);
      const asked = await manager.run(['retention', 'set', ...RULE]);
      expect([asked.code, asked.stderr]).toEqual([
        2,
        expect.stringMatching(/These rules delete 1 build \(.*\), seven days after .* Repeat the command with --yes\./),
      ]);
      expect((await manager.run(['retention', 'show'])).stdout).toBe(NO_RULES);
      const set = await manager.run(['retention', 'set', ...RULE, '--yes']);
      expect(set).toMatchObject({ code: 0, stdout: expect.stringMatching(/^On: /) });
      expect(set.stdout.endsWith(`\n${SENTENCE}`)).toBe(true);
      const { body } = await stage.ann
        .get(`/projects/${project.id}/retention?organization_id=${project.organizationId}`)
        .expect(200);
      expect(body).toMatchObject({ enabled: true, rules: [{ keep_last: 1, per: 'branch', branches: ['pr-*'] }] });
      await stage.ann.get(`/builds/${builds[0]!.id}?${scope(project)}`).expect(200);
    });

    it('switches them off and on, and replaces them', async () => {
      const succeeds = async (...args: string[]) => {
        const result = await manager.run(['retention', 'set', ...args]);
        expect(result).toMatchObject({ code: 0 });
        return result;
      };
      expect(await manager.run(['retention', 'set', '--yes'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('The project has no rules.'),
      });
      await succeeds(...RULE, '--yes');
      expect((await succeeds('--off')).stdout).toBe(`Off: no build is deleted.\n${SENTENCE}`);
      expect((await succeeds('--yes')).stdout).toMatch(/^On: /);
      const replaced = await succeeds('--keep-days', '30', '--yes', '--json');
      expect(replaced.stderr).toContain('They replace the rule of the project.');
      expect(replaced.json()).toMatchObject({ rules: [{ keep_last: null, keep_days: 30, branches: [] }] });
      for (const wrong of [
        ['--per', 'branch'],
        ['--off', ...RULE],
        ['--keep-last', '0'],
      ])
        expect(await manager.run(['retention', 'set', '--yes', ...wrong])).toMatchObject({ code: 2 });
    });
  });
});
