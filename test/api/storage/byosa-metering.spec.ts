import { randomBytes } from 'node:crypto';
import { BuildRelocationService } from '#modules/builds';
import { ByosaService, HOSTED } from '#modules/storage';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { newBucket, ON_THIS_MACHINE, putByosa, s3Settings } from '../../support/actors/byosa';
import { ResumableClient } from '../../support/actors/resumable-client';
import { TestApp } from '../../support/app/test-app';
import { faultsOf } from '../../support/checks/billing-consistency';

const FILE = { bytes: randomBytes(2_000_000), fileName: 'Own.dmg' };
const MAC = { platform: 'macos', version: '1.0' };

interface Usage {
  readonly storage_mb_months: number;
  readonly upload_mb: number;
  readonly download_mb: number;
}

/** What an organization stores in its own account costs the service nothing. */
describe('the meters of an organization with its own storage', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let own: BuildJson;

  beforeAll(async () => {
    app = await TestApp.start({ environment: ON_THIS_MACHINE });
    ann = await app.developer();
  });
  beforeEach(async () => {
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization);
    await putByosa(ann, organization, { s3: s3Settings(await newBucket(app)) }).expect(200);
    await flip('byosa');
    own = await ann.uploads(project, FILE, MAC);
  });
  afterEach(async () => expect(await faultsOf(app)).toEqual([]));
  afterAll(() => app.stop());

  const flip = (to: 'byosa' | 'hosted'): Promise<string> =>
    app.nest.get(ByosaService, { strict: false }).flip(app.systemContext, project.organizationId, to);
  const usage = async (): Promise<Usage> =>
    (await ann.get(`/organizations/${project.organizationId}/usage`).expect(200)).body as Usage;
  const spent = async (): Promise<number> =>
    ((await ann.get(`/organizations/${project.organizationId}/billing`).expect(200)).body as Record<string, number>)[
      'spent_micro_usd'
    ]!;
  const mint = (build: BuildJson) => ann.post(`/builds/${build.id}/download-url?${scope(project)}`);
  const downloads = async (build: BuildJson): Promise<void> => {
    const { url } = (await mint(build).expect(200)).body as { url: string };
    expect((await fetch(app.url + new URL(url).pathname)).status).toBe(200);
  };
  /** The builds with an open interval of the storage meter. */
  const meteredBuilds = async (): Promise<unknown[]> =>
    (
      await app.sql(`SELECT build_id FROM storage_interval WHERE organization_id = $1 AND ended_at IS NULL`, [
        project.organizationId,
      ])
    ).map(({ build_id: id }) => id);

  // red when: the flip opens the intervals of all builds, or a reservation is metered for an artifact in the customer’s store
  it('do not count artifacts in its own account after a flip back, and count those in the hosted store', async () => {
    await flip('hosted');
    expect(await meteredBuilds()).toEqual([]);
    await downloads(own);
    expect(await usage()).toMatchObject({ storage_mb_months: 0, upload_mb: 0, download_mb: 0 });
    expect(await spent()).toBe(0);

    const hosted = await ann.uploads(project, FILE, MAC);
    await downloads(hosted);
    await downloads(own);
    expect(await usage()).toMatchObject({ upload_mb: 2, download_mb: 2 });
    expect(await spent()).toBe(2 * 20 + 2 * 120);
    expect(await meteredBuilds()).toEqual([hosted.id]);
  });

  // red when: an artifact in the organization's own account reserves credit
  it('admit downloads from its own account when the spend cap is reached', async () => {
    await flip('hosted');
    await ann.patch(`/organizations/${project.organizationId}/billing`, { spend_cap_micro_usd: 0 }).expect(200);
    await downloads(own);
    await ann.upload(project, FILE, MAC).expect(402);
  });

  it('count an upload by the account that it was started in', async () => {
    const client = await ResumableClient.start(ann, project, FILE, MAC);
    await flip('hosted');
    await client.sendAll();
    const build = await client.completes();
    expect(await meteredBuilds()).not.toContain(build.id);
    expect(await usage()).toMatchObject({ upload_mb: 0 });
  });

  // red when: a relocation leaves the storage meter as it was
  it('start to count an artifact when it is moved to the hosted store, and end when it is moved back', async () => {
    await flip('hosted');
    const relocate = (to: string) =>
      app.nest
        .get(BuildRelocationService, { strict: false })
        .moveAll(app.systemContext, project.organizationId, to, () => undefined);
    expect(await relocate(HOSTED)).toMatchObject({ moved: 1, failed: [] });
    expect(await meteredBuilds()).toEqual([own.id]);
    await downloads(own);
    expect(await usage()).toMatchObject({ download_mb: 2 });
    const account = await flip('byosa');
    expect(await meteredBuilds()).toEqual([]);
    expect(await relocate(account)).toMatchObject({ moved: 1, failed: [] });
    await flip('hosted');
    expect(await meteredBuilds()).toEqual([]);
  });

  // red when: an attachment in the own account is metered, or a relocation moves only artifacts or leaves the meter as it was
  it('treat attachments like artifacts, also when they are moved', async () => {
    const zip = { bytes: Buffer.concat([Buffer.from('PK'), randomBytes(1_999_998)]), fileName: 'Own.zip' };
    const attachment = await ann.attaches(project, own, zip, { kind: 'update' });
    const content = async (): Promise<Buffer> => {
      const path = `/builds/${own.id}/attachments/${attachment.id}/download?${scope(project)}`;
      const { headers } = await ann.get(path).redirects(0).expect(302);
      const response = await fetch(app.url + new URL(headers['location']!).pathname);
      return Buffer.from(await response.arrayBuffer());
    };
    expect(await meteredBuilds()).toEqual([]);
    expect((await content()).equals(zip.bytes)).toBe(true);
    expect(await usage()).toMatchObject({ upload_mb: 0, download_mb: 0 });
    const relocation = app.nest.get(BuildRelocationService, { strict: false });
    const relocate = (to: string) => relocation.moveAll(app.systemContext, project.organizationId, to, () => undefined);
    await flip('hosted');
    expect(await relocation.countElsewhere(app.systemContext, project.organizationId, HOSTED)).toMatchObject({
      builds: 2,
    });
    expect(await relocate(HOSTED)).toMatchObject({ moved: 2, failed: [], left: { builds: 0 } });
    expect((await meteredBuilds()).sort()).toEqual([own.id, attachment.id].sort());
    expect((await content()).equals(zip.bytes)).toBe(true);
    expect(await usage()).toMatchObject({ download_mb: 2 });
    const account = await flip('byosa');
    expect(await relocate(account)).toMatchObject({ moved: 2, failed: [] });
    expect(await meteredBuilds()).toEqual([]);
    expect((await content()).equals(zip.bytes)).toBe(true);
  });
});
