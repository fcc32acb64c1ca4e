import { chmodSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type BuildJson, scope } from '../../../support/actors/actors';
import { aab, apk } from '../../../support/artifacts/valid-artifacts';
import { type CliProject, startCliProject } from '../../../support/cli/cli-project';
import { until } from '../../../support/until';

describe('agate upload', () => {
  let stage: CliProject;
  let { cli } = {} as CliProject;
  beforeAll(async () => {
    stage = await startCliProject();
    ({ cli } = stage);
    [1, 2, 3].forEach((versionCode) => cli.write(`${versionCode}.apk`, apk({ versionCode })));
    cli.write('app.aab', aab());
  });
  afterAll(() => stage.stop());

  it('mails testers about the release, unless there is --silent', async () => {
    const { ann, project, beta } = stage;
    const upload = ['upload', '--channel', 'Beta'];
    expect(await cli.run([...upload, '--silent', '1.apk'])).toMatchObject({ code: 0 });
    const { code, stderr } = await cli.run([...upload, '2.apk']);
    expect(code).toBe(0);
    const { body } = await ann.get(`/releases?${scope(project)}&channel_id=${beta.id}`).expect(200);
    const { items } = body as { items: { id: string }[] };
    expect(items).toMatchObject([{ notify: true }, { notify: false }]);
    // red when: only agate promote prints the command that undoes a promotion
    expect(stderr).toContain(`Undo it within a minute: agate releases undo ${items[0]!.id} --channel Beta`);
  });

  it('with --expect-installable fails when devices cannot install the build, which stays', async () => {
    const { code, json, stderr } = await cli.run(['upload', 'app.aab', '--expect-installable', '--json']);
    expect({ code, stderr }).toMatchObject({ code: 3 });
    const { error, message, details } = json<{ error: string; message: string; details: { builds: BuildJson[] } }>();
    expect([error, message]).toEqual(['not_installable', expect.stringMatching(/app\.aab was uploaded, but/)]);
    expect(await cli.run(['builds', 'show', details.builds[0]!.id])).toMatchObject({ code: 0 });
    expect(await cli.run(['upload', '3.apk', '--expect-installable'])).toMatchObject({ code: 0 });
  });

  it('with --fail-on-warning fails on any warning, also when its variable is true', async () => {
    const upload = ['upload', 'app.aab'];
    expect(await cli.run([...upload, '--fail-on-warning'])).toMatchObject({ code: 3 });
    for (const value of ['true', '1', 'YES', 'on']) {
      expect(await cli.run(upload, { environment: { AGATE_FAIL_ON_WARNING: value } })).toMatchObject({ code: 3 });
    }
    expect(await cli.run(upload, { environment: { AGATE_FAIL_ON_WARNING: 'false' } })).toMatchObject({ code: 0 });
    expect(await cli.run([...upload, '--fail-on-warning=debug_signed'])).toMatchObject({ code: 0 });
  });

  describe('with --open', () => {
    it('opens the install page in the browser of the machine', async () => {
      for (const opener of ['xdg-open', 'open']) {
        chmodSync(
          cli.write(`bin/${opener}`, '#!/bin/sh\nprintf %s "$1" >opened.part && mv opened.part opened\n'),
          0o755,
        );
      }
      const PATH = [join(cli.work, 'bin'), process.env['PATH']].join(delimiter);
      const { code, stdout } = await cli.run(['upload', '3.apk', '--open'], { environment: { PATH } });
      expect(code).toBe(0);
      await until(() => cli.has('opened'));
      expect(`${cli.read('opened')}\n`).toBe(stdout);
    });

    it('succeeds without a browser', async () => {
      const run = await cli.run(['upload', '3.apk', '--open'], { environment: { PATH: join(cli.work, 'nowhere') } });
      expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('No browser could be opened.') as string });
    });
  });
});
