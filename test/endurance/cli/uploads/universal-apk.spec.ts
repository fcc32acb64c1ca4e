import { type Developer, type ProjectRef } from '../../../support/actors/actors';
import { startReachableApp } from '../../../support/app/reachable-app';
import { type TestApp } from '../../../support/app/test-app';
import { apkOf } from '../../../support/artifacts/app-artifacts';
import { type AgateCli } from '../../../support/cli/agate-cli';
import { cliWithToken } from '../../../support/cli/cli-with-token';

/** Stands in for bundletool, which the tests do not have: records its arguments and makes the file in the folder that they name. */
const BUNDLETOOL = `#!/bin/sh
printf '%s\\n' "$@" > arguments
echo 'INFO: The APKs will be signed.'
for argument; do case $argument in --output=*) output=\${argument#--output=} ;; esac; done
[ -e fails ] && { echo 'Error: wrong password' >&2; exit 1; }
mkdir -p "$output" && cp made.apk "$output/universal.apk"
`;

describe('agate upload --universal-apk', () => {
  let app: TestApp;
  let cli: AgateCli;
  let ann: Developer;
  let project: ProjectRef;

  beforeAll(async () => {
    app = await startReachableApp();
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
    cli = await cliWithToken(app, await ann.createsToken(project));
    cli.write('bundletool', BUNDLETOOL);
    await cli.spawns('chmod', ['+x', 'bundletool']).ended;
    cli.write('made.apk', apkOf({ name: 'Rocket', bundleId: 'com.example.rocket', version: '1.0', buildNumber: 7 }));
    cli.write('my app.aab', 'app bundle');
  });
  afterAll(async () => {
    cli?.remove();
    await app?.stop();
  });

  const uploads = (file: string, ...more: string[]) =>
    cli.run(['upload', file, '--universal-apk', '--json', ...more], {
      environment: { BUNDLETOOL: './bundletool', AGATE_KS_PASS: 'file:password.txt' },
    });

  it('uploads the APK that bundletool makes, signed with the key that the options name', async () => {
    const { code, json, stderr } = await uploads('my app.aab', '--ks', 'release.jks', '--ks-key-alias', 'upload');
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(json()).toMatchObject({
      file_name: 'my app.apk',
      platform: 'android',
      build_number: '7',
      installable: true,
    });
    expect(stderr).toContain('INFO: The APKs will be signed.');
    expect(cli.read('arguments').trim().split('\n')).toEqual([
      'build-apks',
      '--mode=universal',
      '--output-format=DIRECTORY',
      `--bundle=${cli.work}/my app.aab`,
      expect.stringMatching(/^--output=/),
      '--ks=release.jks',
      '--ks-pass=file:password.txt',
      '--ks-key-alias=upload',
    ]);
  });

  it('fails when there is no bundle, no bundletool, or when bundletool fails', async () => {
    expect(await uploads('made.apk')).toMatchObject({ code: 2, stderr: expect.stringContaining('ends with .aab') });
    const missing = await cli.run(['upload', 'my app.aab', '--universal-apk']);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('set BUNDLETOOL to its jar or command') });
    cli.write('fails', '');
    expect(await uploads('my app.aab')).toMatchObject({ code: 3, stderr: expect.stringContaining('wrong password') });
  });
});
