import { createHash, randomBytes } from 'node:crypto';
import { type Bearer, type ProjectRef, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { type CloudPlace, onAzure } from '../../support/servers/stores/cloud-places';

jest.setTimeout(120_000);

const BYTES = randomBytes(100_000);

/** Front Door passes the path and the query to the store. Here the store itself has another host name. */
describe('downloads through Azure Front Door', () => {
  let place: CloudPlace;
  let app: TestApp;
  let ci: Bearer;
  let project: ProjectRef;
  let host: string;
  beforeAll(async () => {
    place = await onAzure();
    host = place.proxy.url.replace('127.0.0.1', 'localhost');
    app = await TestApp.start({
      environment: {
        ...place.environment,
        DOWNLOAD_CDN: 'frontdoor',
        DOWNLOAD_CDN_URL: host,
        DOWNLOAD_CDN_SECONDS: '86400',
      },
    });
    const ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
    ci = app.ci(await ann.createsToken(project, 'MANAGE_PROJECT'));
  });
  afterAll(async () => {
    await app.stop();
    await place.proxy.stop();
  });

  // red when: the signature covers the host, or each redirect has another address
  it('have one address for all tickets of a period, which the store accepts with the headers of a download', async () => {
    const build = await ci.uploads(
      project,
      { bytes: BYTES, fileName: 'Dëmo.dmg' },
      { platform: 'macos', version: '1' },
    );
    const addresses = [];
    for (let n = 0; n < 2; n++) {
      const { body } = await ci.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
      const ticket = app.url + new URL((body as { url: string }).url).pathname;
      addresses.push((await fetch(ticket, { redirect: 'manual' })).headers.get('location') ?? '');
    }
    const [address = ''] = addresses;
    expect(addresses).toEqual([address, address]);
    expect(new URL(address).origin).toBe(host);
    const response = await fetch(address);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([response.status, createHash('sha256').update(bytes).digest('hex')]).toEqual([200, build.sha256]);
    expect(response.headers.get('content-type')).toBe('application/x-apple-diskimage');
    expect(response.headers.get('content-disposition')).toContain('attachment');
    expect(response.headers.get('cache-control')).toBe('public, max-age=86400, immutable');
    expect((await fetch(address.replace(/sig=.{5}/, 'sig=AAAAA'))).status).toBe(403);
    expect(await app.sql(`SELECT FROM ledger_entry WHERE kind = 'usage_download'`)).toHaveLength(2);
  });
});
