import { createHash, randomBytes } from 'node:crypto';
import { TemplateSigner } from '#infra/blob/cdn/template-signer';
import { downloadHeaders } from '#infra/blob/download-headers';
import { type Bearer, type BuildJson, type Developer, type ProjectRef, scope } from '../support/actors/actors';
import { TestApp } from '../support/app/test-app';
import { S3Server } from '../support/servers/stores/s3-server';
import { NginxEdge } from './nginx-edge';

jest.setTimeout(180_000);

const MIB = 1024 * 1024;
const MAC = { platform: 'macos', version: '1.0' };
/** Three pieces of the edge. */
const BYTES = randomBytes(17 * MIB + 5);
const SECRET = randomBytes(32).toString('hex');
const TEMPLATE = '{key}/{content_type}/{file_name}?expires={expires}&md5={md5}';
const SIGNED_TEXT = '{expires}{path} {secret}';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The edge verifies the signatures by itself, and the service charges as without one. */
describe('downloads through an edge of nginx', () => {
  let store: S3Server;
  let edge: NginxEdge;
  let app: TestApp;
  let ann: Developer;
  let ci: Bearer;
  let project: ProjectRef;
  let build: BuildJson;
  beforeAll(async () => {
    store = await S3Server.start();
    const { region, bucket, accessKeyId, secretAccessKey } = store.bucket();
    edge = await NginxEdge.start({ bucket: `${store.url}/${bucket}`, secret: SECRET });
    // The policy of the bucket lets the edge read.
    store.allowsAnonymousReads = true;
    app = await TestApp.start({
      environment: {
        STORAGE_PROVIDER: 's3',
        S3_ENDPOINT: store.url,
        S3_REGION: region,
        S3_BUCKET: bucket,
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
        DOWNLOAD_CDN: 'template',
        DOWNLOAD_CDN_URL: edge.url,
        DOWNLOAD_CDN_KEY: SECRET,
        DOWNLOAD_CDN_TEMPLATE: TEMPLATE,
        DOWNLOAD_CDN_SIGNED_TEXT: SIGNED_TEXT,
      },
    });
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
    ci = app.ci(await ann.createsToken(project, 'MANAGE_PROJECT'));
    build = await ci.uploads(project, { bytes: BYTES, fileName: 'Dëmo (1).dmg' }, MAC);
  });
  afterAll(async () => {
    await app?.stop();
    await edge?.stop();
    await store?.stop();
  });

  const mint = async ({ id } = build): Promise<string> => {
    const { body } = await ci.post(`/builds/${id}/download-url?${scope(project)}`).expect(200);
    return app.url + new URL((body as { url: string }).url).pathname;
  };
  const redirectOf = async (ticket: string, headers: Record<string, string> = {}): Promise<string> => {
    const { status, headers: found } = await fetch(ticket, { headers, redirect: 'manual' });
    expect(status).toBe(302);
    return found.get('location') ?? '';
  };
  const bodyOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
  const readsOfStore = (): number =>
    store.seen.filter(({ method, headers }) => method === 'GET' && headers.authorization === undefined).length;
  const charges = async (): Promise<number> =>
    (await app.sql(`SELECT FROM ledger_entry WHERE kind = 'usage_download'`)).length;
  const served = async (): Promise<number> => {
    const [row] = await app.sql<{ n: string }>(
      'SELECT served_bytes AS n FROM download_ticket ORDER BY id DESC LIMIT 1',
    );
    return Number(row?.n);
  };

  // red when: the signature is part of the key of the cache, or the store's headers tell it to keep nothing
  it('are read from the store once, with the headers of a download, and charged each', async () => {
    const before = await charges();
    const first = await fetch(await redirectOf(await mint()));
    expect([first.status, sha256(await bodyOf(first))]).toEqual([200, build.sha256]);
    expect(first.headers.get('content-type')).toBe('application/x-apple-diskimage');
    expect(first.headers.get('content-disposition')).toBe('attachment');
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(first.headers.get('x-cache')).toBe('MISS');
    const reads = readsOfStore();
    expect(reads).toBe(3);

    const address = await redirectOf(await mint());
    expect(decodeURIComponent(new URL(address).pathname)).toMatch(/\/Dëmo \(1\)\.dmg$/);
    const second = await fetch(address);
    expect([second.headers.get('x-cache'), sha256(await bodyOf(second))]).toEqual(['HIT', build.sha256]);
    expect(readsOfStore()).toBe(reads);
    expect(await charges()).toBe(before + 2);
    expect(await served()).toBe(BYTES.length);
  });

  it('continue from the cache in ranges, and count as resumptions', async () => {
    const ticket = await mint();
    expect(sha256(await bodyOf(await fetch(await redirectOf(ticket))))).toBe(build.sha256);
    const [before, reads] = [await charges(), readsOfStore()];
    let got = BYTES.subarray(0, 1000);
    for (let n = 0; n < 6; n++) {
      const range = { Range: `bytes=${got.length}-${got.length + 3 * MIB - 1}` };
      const part = await fetch(await redirectOf(ticket, range), { headers: range });
      expect(part.status).toBe(206);
      got = Buffer.concat([got, await bodyOf(part)]);
    }
    expect(sha256(got)).toBe(build.sha256);
    expect([await charges(), readsOfStore()]).toEqual([before, reads]);
    expect(await served()).toBe(BYTES.length + 6 * Math.ceil(BYTES.length / 50));
  });

  // red when: the edge serves what it has without a check, or the signature leaves out the file, its type, its name or the time
  it('are refused by the edge with a wrong, missing or expired signature', async () => {
    const address = await redirectOf(await mint());
    const [, expires = ''] = /expires=(\d+)/.exec(address) ?? [];
    const forged = [
      address.replace(/md5=.{5}/, 'md5=AAAAA'),
      address.split('?', 1)[0]!,
      address.replace(`expires=${expires}`, `expires=${Number(expires) + 1}`),
      address.replace('x-apple-diskimage', 'xhtml%2Bxml'),
      address.replace('.dmg', '.html'),
      address.replace(/builds\/./, 'builds/z'),
    ];
    for (const url of forged) expect(url).not.toBe(address);
    const statuses = await Promise.all(forged.map(async (url) => (await fetch(url)).status));
    expect(statuses).toEqual([403, 403, 403, 403, 403, 403]);

    const options = { url: edge.url, seconds: 900, secret: SECRET, template: TEMPLATE, signedText: SIGNED_TEXT };
    const [row] = await app.sql<{ key: string }>('SELECT blob_key AS key FROM build WHERE id = $1', [build.id]);
    const headers = downloadHeaders({ fileName: 'a.dmg', mediaType: 'application/x-apple-diskimage' });
    const at = (ms: number): string =>
      new TemplateSigner(options).urlOf({ key: row!.key, fileName: 'a.dmg', headers, now: new Date(Date.now() + ms) });
    expect((await fetch(at(-901_000))).status).toBe(410);
    const valid = await fetch(at(0));
    expect([valid.status, sha256(await bodyOf(valid))]).toEqual([200, build.sha256]);
  });

  // red when: the ticket is used before the store is asked, because the CDN could have the artifact
  it('are 503 and cost nothing while the store is unavailable', async () => {
    const other = await ci.uploads(project, { bytes: BYTES.subarray(0, 1000), fileName: 'Unavailable.dmg' }, MAC);
    const [ticket, before] = [await mint(other), await charges()];
    store.fault = () => ({ kind: 'error', status: 503, code: 'ServerBusy' });
    expect((await fetch(ticket, { redirect: 'manual' })).status).toBe(503);
    store.fault = () => undefined;
    expect([await served(), await charges()]).toEqual([0, before]);
  });
});
