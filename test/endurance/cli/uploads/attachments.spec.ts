import { gzipSync } from 'node:zlib';
import { type AttachmentJson, type BuildJson, scope } from '../../../support/actors/actors';
import { type CliProject, startCliProject } from '../../../support/cli/cli-project';

interface UploadJson extends BuildJson {
  readonly releases: { channel: string }[];
  readonly attachments: AttachmentJson[];
}

const MAC = ['--platform', 'macos', '--version', '1.4.0'];

describe('agate upload of a build with other files', () => {
  let stage: CliProject;
  let { ann, project, beta, cli } = {} as CliProject;
  beforeAll(async () => {
    stage = await startCliProject();
    ({ ann, project, beta, cli } = stage);
    cli.write('Demo.dmg', Buffer.from('the disk image'));
    cli.write('Demo-mac.zip', Buffer.from('PKthe app'));
    cli.write('Demo-mac.zip.blockmap', gzipSync('{}'));
    cli.write('Broken.zip', Buffer.from('no zip'));
    cli.write('App.dSYM.zip', Buffer.from('PKsymbols'));
  });
  afterAll(() => stage.stop());

  const builds = async (more = ''): Promise<BuildJson[]> =>
    ((await ann.get(`/builds?${scope(project)}${more}`).expect(200)).body as { items: BuildJson[] }).items;

  // red when: the build is promoted before its files are there, or files get the wrong kind
  it('adds the files and then promotes the build', async () => {
    const { code, stderr, json } = await cli.run([
      'upload',
      'Demo.dmg',
      ...MAC,
      '--with',
      'Demo-mac.zip',
      '--with',
      'Demo-mac.zip.blockmap',
      '--channel',
      beta.name,
      '--json',
    ]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const build = json<UploadJson>();
    expect(build.attachments.map(({ file_name, kind }) => [file_name, kind])).toEqual([
      ['Demo-mac.zip', 'update'],
      ['Demo-mac.zip.blockmap', 'blockmap'],
    ]);
    expect(build.releases).toMatchObject([{ channel: beta.name }]);
  });

  // red when: a build without all of its files stays, or is moved to the trash
  it('leaves no build when the service rejects one of the files', async () => {
    const all = async (): Promise<string[]> =>
      [...(await builds()), ...(await builds('&deleted=true'))].map(({ id }) => id);
    const before = await all();
    cli.write('Other.dmg', Buffer.from('another image'));
    const { code } = await cli.run(['upload', 'Other.dmg', ...MAC, '--with', 'Broken.zip', '--channel', beta.name]);
    expect(code).not.toBe(0);
    expect(await all()).toEqual(before);
  });

  it('adds files to a build that exists, and continues when it is repeated', async () => {
    for (let n = 0; n < 2; n += 1) {
      const { code, stderr, json } = await cli.run(['upload', 'App.dSYM.zip', '--attach', 'latest:macos', '--json']);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(json<AttachmentJson[]>()).toMatchObject([{ file_name: 'App.dSYM.zip', kind: 'dsym' }]);
    }
  });

  it('rejects --with for several builds', async () => {
    const several = ['upload', 'Demo.dmg', 'Demo-mac.zip', ...MAC, '--with', 'App.dSYM.zip'];
    expect(await cli.run(several)).toMatchObject({ code: 2 });
  });
});
