import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Developer, type ProjectRef, scope } from '../support/actors/actors';
import { startReachableApp } from '../support/app/reachable-app';
import { type TestApp } from '../support/app/test-app';
import { apkOf } from '../support/artifacts/app-artifacts';
import { AgateCli, buildCommandLine, BUNDLE } from '../support/cli/agate-cli';

const STAND_IN = path.join(__dirname, 'fastlane-stand-in.rb');

interface LaneResult {
  readonly result: unknown;
  readonly lane_context: Readonly<Record<string, unknown>>;
  readonly messages: readonly (readonly [string, string])[];
  readonly error: string | null;
}

describe('The fastlane plugin', () => {
  let app: TestApp;
  let lane: AgateCli;
  let ann: Developer;
  let project: ProjectRef;
  let token: string;
  let apk: string;

  beforeAll(async () => {
    await buildCommandLine();
    app = await startReachableApp({ commandLine: path.dirname(BUNDLE) });
    ann = await app.developer();
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    token = await ann.createsToken(project, 'MANAGE_RELEASES');
    for (const name of ['Beta', 'QA']) await ann.createsChannel(project, name);
    lane = await AgateCli.create({ AGATE_URL: app.url, AGATE_TOKEN: token, AGATE_CLI: BUNDLE });
    apk = lane.write(
      'rocket.apk',
      apkOf({ name: 'Rocket', bundleId: 'com.example.rocket', version: '1.0', buildNumber: 41 }),
    );
  });
  afterAll(async () => {
    lane?.remove();
    await app?.stop();
  });

  async function runs(
    action: string,
    params: object = {},
    { environment = {}, context = {} }: { environment?: Record<string, string>; context?: object } = {},
  ): Promise<LaneResult> {
    const request = JSON.stringify({ action, params, lane_context: context });
    const { code, stderr, json } = await lane.spawns('ruby', ['-w', STAND_IN, request], { environment }).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return json<LaneResult>();
  }

  it('returns the initial build number when there is no build', async () => {
    expect(await runs('agate_latest_build_number', { initial_build_number: 7 })).toMatchObject({
      result: 7,
      error: null,
    });
  });

  it('uploads the file that gradle built, and promotes the build', async () => {
    const notes = '- one\nEOF `x` "y"';
    const { result, lane_context, messages, error } = await runs(
      'agate_upload',
      { channel: ['Beta', 'QA'], notes, branch: 'feat/login', fail_on_warning: false },
      { context: { GRADLE_APK_OUTPUT_PATH: apk } },
    );
    expect(error).toBeNull();
    expect(result).toMatchObject({ version: '1.0', build_number: '41', notes, source: { branch: 'feat/login' } });
    const build = result as { id: string; install_url: string; releases: object[] };
    expect(build.releases).toHaveLength(2);
    expect(lane_context).toMatchObject({ AGATE_BUILD: { id: build.id }, AGATE_INSTALL_URL: build.install_url });
    expect(messages.at(-1)).toEqual(['success', `Uploaded rocket.apk: ${build.install_url}`]);
    expect(JSON.stringify(messages)).not.toContain(token);
  });

  it('prefers the file of the lane over the file of the variable', async () => {
    const { error } = await runs('agate_upload', { file: apk }, { environment: { AGATE_FILE: '/none.apk' } });
    expect(error).toBeNull();
  });

  it('finds the newest build number', async () => {
    const { result, lane_context } = await runs('agate_latest_build_number', { platform: 'android' });
    expect([result, lane_context['AGATE_LATEST_BUILD_NUMBER']]).toEqual([41, 41]);
  });

  it('promotes the build of the lane', async () => {
    const { body } = await ann.get(`/builds/latest?${scope(project)}`).expect(200);
    const context = { AGATE_BUILD: { id: (body as { id: string }).id } };
    expect(await runs('agate_promote', { channel: ['QA'], notes: 'Once more' }, { context })).toMatchObject({
      error: null,
    });
    expect((await runs('agate_promote', {}, { context })).error).toContain('Set channel');
  });

  it('fails the lane when the upload is rejected', async () => {
    const text = lane.write('text.apk', 'not a build');
    const { error, lane_context } = await runs('agate_upload', { file: text });
    expect(error).toMatch(/\w/);
    expect(lane_context).toEqual({});
  });

  it('continues after a rejected upload when the lane allows it', async () => {
    const text = lane.write('text.apk', 'not a build');
    const { result, error, messages } = await runs('agate_upload', { file: text, fail_on_error: false });
    expect([result, error]).toEqual([null, null]);
    expect(messages.at(-1)?.[0]).toBe('error');
  });

  it.each([
    ['without a build', 'agate_upload', {}, {}, 'There is no build. Set file'],
    ['with an unknown option', 'agate_upload', { chanel: 'Beta' }, {}, "Could not find option 'chanel'"],
    ['with a wrong token', 'agate_latest_build_number', { token: 'ag_prj_wrong' }, {}, ''],
    ['over plain http', 'agate_latest_build_number', { url: 'http://agate.example.com' }, {}, 'Use https'],
    ['without a command line', 'agate_latest_build_number', {}, { AGATE_CLI: '/none/agate' }, 'Correct AGATE_CLI'],
  ])('fails the lane %s', async (_case, action, params, environment, message) => {
    const { error } = await runs(action, params, { environment });
    expect(error).not.toBeNull();
    expect(error).toContain(message);
  });

  it("uses the command line in the PATH, otherwise npx with the service's command line", async () => {
    const bin = path.join(lane.folder, 'bin');
    mkdirSync(bin, { recursive: true });
    const answer = `#!/bin/sh\necho "{\\"build_number\\": \\"$#\\", \\"arguments\\": \\"$*\\"}"\n`;
    writeFileSync(path.join(bin, 'npx'), answer, { mode: 0o755 });
    const environment = { AGATE_CLI: '', PATH: `${bin}:/usr/bin:/bin` };
    const npx = await runs('agate_latest_build_number', {}, { environment });
    expect(npx).toMatchObject({ result: 4, error: null });
    writeFileSync(path.join(bin, 'agate'), answer, { mode: 0o755 });
    expect(await runs('agate_latest_build_number', {}, { environment })).toMatchObject({ result: 2, error: null });
  });
});
