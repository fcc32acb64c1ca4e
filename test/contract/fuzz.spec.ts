import { randomInt } from 'node:crypto';
import { ApiFuzzer, type FuzzCredential, type FuzzWorld } from '../fuzz/api-fuzzer';
import { Random } from '../fuzz/random';
import { Developer, scope } from '../support/actors';
import { apk, ipa } from '../support/artifacts/valid-artifacts';
import { Conformance } from '../support/conformance';
import { TestApp } from '../support/test-app';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 30);
const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
const RENEW_MS = 8 * 60_000;

/** A developer whose session, whatever the fuzzer does to it, is there again for the next request. */
function always(name: string, developer: Developer): FuzzCredential {
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

async function worldOf(app: TestApp): Promise<FuzzWorld> {
  const [ann, eve] = [await app.developer(), await app.developer()];
  const project = await ann.createsProject(await ann.createsOrganization());
  const foreign = await eve.createsProject(await eve.createsOrganization());
  const token = await ann.createsToken(project, 'MANAGE_RELEASES');
  const pat = await ann.post(`/pats?organization_id=${project.organizationId}`, {
    name: 'fuzz',
    scopes: ['organization:read', 'projects:read', 'builds:read', 'builds:upload', 'builds:download', 'builds:write'],
  });
  const build = await ann.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' });
  const tester = await ann.post(`/testers?${scope(project)}`, { email: 'tess@example.com' }).expect(201);
  const { id: testerId } = tester.body as { id: string };
  await ann.post(`/testers/${testerId}/invite?${scope(project)}`).expect(204);
  const testerLink = await app.mailbox.link('tess@example.com');
  const announced = { file_name: 'Demo.ipa', size_bytes: 20_000_000 };
  const upload = await ann.post(`/builds/uploads?${scope(project)}`, announced).expect(201);
  const { id: uploadId } = upload.body as { id: string };
  const parts = await ann.post(`/builds/uploads/${uploadId}/part-urls?${scope(project)}`, { part_numbers: [1] });
  const partUrl = (parts.body as { urls: { url: string }[] }).urls[0]!.url;
  const { body: download } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
  const [, , ticket, fileName] = new URL((download as { url: string }).url).pathname.split('/');
  return {
    url: app.url,
    conformance: new Conformance(app.nest),
    credentials: [
      fixed('nobody', null),
      fixed('garbage', 'Bearer x.y.z'),
      fixed('a mistyped token', `Bearer ag_prj_${'0'.repeat(49)}`),
      always('the owner', ann),
      always('the owner', ann),
      always('a stranger', eve),
      fixed('a project token', `Bearer ${token}`),
      fixed('a PAT', `Bearer ${(pat.body as { token: string }).token}`),
    ],
    known: {
      organization_id: [project.organizationId, project.organizationId, foreign.organizationId],
      project_id: [project.id, project.id, foreign.id],
      build_id: [build.id],
      developer_id: [ann.id, eve.id],
      tester_id: [testerId],
      invite_token: [new URL(build.install_url), testerLink].map(({ pathname }) => pathname.split('/').at(-1)!),
      package_file: ['package.ipa', 'package.apk'],
      upload_id: [uploadId],
      ticket: [ticket!, partUrl.slice(partUrl.lastIndexOf('/') + 1)],
      file_name: [fileName!],
      email: [eve.email],
    },
    artifacts: [
      { fileName: 'Demo.ipa', bytes: ipa() },
      { fileName: 'Demo.apk', bytes: apk() },
      { fileName: 'Demo.dmg', bytes: Buffer.from('anything at all') },
      { fileName: '../../x\u202e.ipa', bytes: ipa().subarray(0, 300) },
      { fileName: 'empty.exe', bytes: Buffer.alloc(0) },
    ],
  };
}

describe('whatever is sent (reliability K1, K2)', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { TRIAL_CREDIT_MICRO_USD: '5000000' } });
  });
  afterAll(() => app.stop());

  // red when: ErrorFilter stops mapping what the body parser throws, or a field loses its check for U+0000.
  it(
    `${RUNS} requests for every operation: no 5xx, every answer documented (FUZZ_SEED=${SEED})`,
    async () => {
      const report = await new ApiFuzzer(await worldOf(app), new Random(SEED)).run(RUNS);
      await app.anonymous.get('/api/v1/live').expect(200);
      if (process.env['FUZZ_RUNS'])
        process.stdout.write(`${JSON.stringify([...report.statuses])} ${report.requests}\n`);
      expect(report.findings.join('\n')).toBe('');
      expect(report.requests).toBeGreaterThan(RUNS * 40);
    },
    Math.max(240_000, RUNS * 20_000),
  );
});
