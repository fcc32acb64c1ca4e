import { randomInt } from 'node:crypto';
import { ApiFuzzer, type FuzzCredential, type FuzzReport, type FuzzTarget } from '../fuzz/api-fuzzer';
import { Random } from '../fuzz/random';
import { ValidRequests } from '../fuzz/valid-requests';
import { Developer, scope } from '../support/actors/actors';
import { ON_THIS_MACHINE } from '../support/actors/byosa';
import { createTenant } from '../support/actors/tenant';
import { TestApp } from '../support/app/test-app';
import { apk, ipa } from '../support/artifacts/valid-artifacts';
import { OpenApiConformance } from '../support/checks/routes/openapi-conformance';

const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
const RENEW_MS = 8 * 60_000;

/** A developer who logs in again when the fuzzer has ended the session. */
function renewing(name: string, developer: Developer): FuzzCredential {
  let token = developer.token;
  let since = Date.now();
  const authorization = async (): Promise<string> => {
    const { status } = await developer.get('/developers/me').set('Authorization', `Bearer ${token}`);
    if (status === 401 || Date.now() - since > RENEW_MS) {
      ({ token } = await Developer.logIn(developer.url, developer.email, developer.password));
      since = Date.now();
    }
    return `Bearer ${token}`;
  };
  return { name, authorization };
}

const fixed = (name: string, value: string | null): FuzzCredential => ({
  name,
  authorization: () => Promise.resolve(value),
});

async function targetOf(app: TestApp): Promise<FuzzTarget> {
  const [own, foreign] = [await createTenant(app), await createTenant(app)];
  const { admin, project, build, channel, testerId, uploadId } = own;
  const announced = { part_numbers: [1] };
  const parts = await admin.post(`/builds/uploads/${uploadId}/part-urls?${scope(project)}`, announced).expect(200);
  const partUrl = (parts.body as { urls: { url: string }[] }).urls[0]!.url;
  const { body: download } = await admin.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
  const [, , ticket, fileName] = new URL((download as { url: string }).url).pathname.split('/');
  const requests = new ValidRequests(app);
  return {
    url: app.url,
    conformance: new OpenApiConformance(app.nest),
    valid: (at, freshTenant) => requests.for(at, freshTenant),
    afterEach: () => jest.restoreAllMocks(),
    credentials: [
      fixed('no credential', null),
      fixed('garbage', 'Bearer x.y.z'),
      fixed('a mistyped token', `Bearer ag_prj_${'0'.repeat(49)}`),
      renewing('the owner', admin),
      renewing('the owner', admin),
      renewing('a member', own.member),
      renewing('a stranger', foreign.admin),
      fixed('a project token', `Bearer ${own.projectToken.token}`),
      fixed('a PAT', `Bearer ${own.pat.token}`),
    ],
    known: {
      organization_id: [own.organization.id, own.organization.id, foreign.organization.id],
      project_id: [project.id, project.id, foreign.project.id],
      build_id: [build.id, build.id, foreign.build.id],
      channel_id: [channel.id, channel.id, foreign.channel.id],
      release_id: [own.release.id, foreign.release.id],
      developer_id: [admin.id, own.member.id, foreign.admin.id],
      invitation_id: [own.invitationId],
      tester_id: [testerId, foreign.testerId],
      device_id: [own.deviceId, foreign.deviceId],
      webhook_id: [own.webhookId, foreign.webhookId],
      webhook_delivery_id: [own.webhookDeliveryId, foreign.webhookDeliveryId],
      token_id: [own.projectToken.id, own.pat.id],
      invite_token: [build.install_url, channel.install_url].map((url) => new URL(url).pathname.split('/').at(-1)!),
      update_key: [own.updateKey.key, foreign.updateKey.key],
      target: ['darwin', 'windows', 'linux'],
      package_file: ['package.ipa', 'package.apk'],
      platform: ['ios', 'android'],
      upload_id: [uploadId, foreign.uploadId],
      ticket: [ticket!, partUrl.slice(partUrl.lastIndexOf('/') + 1)],
      file_name: [fileName!],
      email: [foreign.admin.email],
    },
    artifacts: [
      { fileName: 'Demo.ipa', bytes: ipa() },
      { fileName: 'Demo.apk', bytes: apk() },
      { fileName: 'Demo.dmg', bytes: Buffer.from('anything at all') },
      { fileName: '../x\u202e.ipa', bytes: ipa().subarray(0, 300) },
      { fileName: 'empty.exe', bytes: Buffer.alloc(0) },
    ],
  };
}

/** Operations that need a captcha or Stripe, which are not configured here. Other tests cover them. */
const TESTED_ELSEWHERE = ['Captcha_open', 'TopUps_notify'];

/** The number of responses of each operation by status, as text. */
const summary = ({ requests, statuses, operations }: FuzzReport): string =>
  [
    `${requests} requests: ${table(statuses)}`,
    ...[...operations].map(([name, answered]) => `  ${name}: ${table(answered)}`),
  ].join('\n');

const table = (statuses: ReadonlyMap<number, number>): string =>
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, times]) => `${status} × ${times}`)
    .join(', ');

/**
 * From this number on, every operation must succeed at least once. After a valid request that was rejected, the next one is sent unchanged in
 * a fresh tenant, up to three times.
 */
const RUNS_THAT_REACH_ALL = 10;

/** Sends `FUZZ_RUNS` requests to every operation. @param defaultRuns the number when `FUZZ_RUNS` is not set. */
export function describeFuzz(defaultRuns: number): void {
  const runs = Number(process.env['FUZZ_RUNS'] ?? defaultRuns);

  describe('the API under random requests', () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await TestApp.start({
        environment: {
          TRIAL_CREDIT_MICRO_USD: '5000000',
          MAX_ORGANIZATIONS_PER_DEVELOPER: '10000',
          ...ON_THIS_MACHINE,
        },
      });
    });
    afterAll(() => app.stop());

    // red when: ErrorFilter does not map errors of the body parser, a field does not reject U+0000, or an operation never
    // succeeds (its valid request is wrong: see test/support/checks/routes/audited-routes.ts and test/fuzz/valid-requests.ts)
    it(
      `responds without 5xx and as documented, to ${runs} requests per operation (FUZZ_SEED=${SEED})`,
      async () => {
        const report = await new ApiFuzzer(await targetOf(app), new Random(SEED)).run(runs);
        await app.anonymous.get('/api/v1/live').expect(200);
        if (process.env['FUZZ_RUNS']) process.stdout.write(`${summary(report)}\n`);
        expect(report.findings.join('\n')).toBe('');
        // A value that only the database rejects is a 400, too, but shows a field without validation (`isBrokenRule`).
        expect(app.logLines.filter((line) => line.includes('rejected by a database constraint'))).toEqual([]);
        if (runs >= RUNS_THAT_REACH_ALL)
          expect(report.unreached.filter((operation) => !TESTED_ELSEWHERE.includes(operation))).toEqual([]);
        expect(report.requests).toBeGreaterThan(runs * 120);
      },
      Math.max(600_000, runs * 20_000),
    );
  });
}
