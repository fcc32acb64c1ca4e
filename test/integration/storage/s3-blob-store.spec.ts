import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { S3BlobStore } from '#infra/blob/s3/s3-blob-store';
import { type S3Description } from '#infra/blob/store-description';
import { type StoreErrorKind } from '#infra/blob/store-errors';
import { StoreFactory } from '#infra/blob/store-factory';
import { AllowedHosts } from '#infra/network/allowed-hosts';
import { OutgoingAgents } from '#infra/network/outgoing-agents';
import { describeBlobStore, inChunks, thatStalls } from '../../suites/blob-store.suite';
import { describePartUploads } from '../../suites/part-uploads.suite';
import { describeStoreFaults } from '../../suites/store-faults.suite';
import { S3Server } from '../../support/servers/s3-server';

const MIB = 1024 * 1024;

let server: S3Server;
beforeAll(async () => {
  server = await S3Server.start();
});
afterAll(() => server.stop());

const open = (description: S3Description): S3BlobStore => new S3BlobStore(description, new OutgoingAgents());
const newStore = () => Promise.resolve(open(server.bucket()));

describeBlobStore('S3BlobStore', newStore);
describePartUploads('S3BlobStore', newStore);
describeStoreFaults('S3BlobStore', (agents) =>
  Promise.resolve({
    store: new S3BlobStore(server.bucket(), agents),
    proxy: server,
    writesPart: ({ url }) => url.searchParams.has('partNumber'),
    finishes: ({ method, url }) => method === 'POST' && url.searchParams.has('uploadId'),
  }),
);

describe('S3BlobStore', () => {
  afterEach(() => {
    server.skewMs = 0;
    server.knowsOnlyNew = true;
    server.fault = () => undefined;
  });
  const fails = (kind: StoreErrorKind) => ({ errorCase: 'storage_backend_unavailable', cause: { kind } });

  // red when: the server verifies nothing; when a code is mapped otherwise
  it.each<[string, Partial<S3Description>, StoreErrorKind]>([
    ['a wrong secret', { secretAccessKey: 'another secret' }, 'credentials'],
    ['an unknown key', { accessKeyId: 'NOBODYSKEY' }, 'credentials'],
    ['a missing bucket', { bucket: 'no-such-bucket' }, 'container'],
  ])('tells %s', async (_, wrong, kind) => {
    const store = open({ ...server.bucket(), ...wrong });
    await expect(store.check()).rejects.toMatchObject(fails(kind));
  });

  it('tells a clock that is wrong, and what it may not do', async () => {
    const store = open(server.bucket());
    server.skewMs = 20 * 60_000;
    await expect(store.check()).rejects.toMatchObject(fails('clock'));
    server.skewMs = 0;
    server.fault = ({ method }) =>
      method === 'DELETE' ? { kind: 'error', status: 403, code: 'AccessDenied' } : undefined;
    await expect(store.check()).rejects.toMatchObject(fails('permission'));
  });

  it('leaves no parts of writes that failed', async () => {
    const bucket = server.bucket();
    const abort = new AbortController();
    const writing = open(bucket).write('a', thatStalls(randomBytes(30 * MIB)), { signal: abort.signal });
    writing.catch(() => undefined);
    while (server.openUploads(bucket).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    abort.abort(new Error('enough'));
    await expect(writing).rejects.toThrow('enough');
    // red when: undo does not abort the upload
    expect(server.openUploads(bucket)).toEqual([]);
  });

  it('writes once where the store knows no conditional writes', async () => {
    server.knowsOnlyNew = false;
    const store = open(server.bucket());
    await store.write('short', Readable.from([Buffer.from('first')]));
    await store.write('long', inChunks(randomBytes(9 * MIB)));
    for (const key of ['short', 'long']) {
      await expect(store.write(key, Readable.from([Buffer.from('again')]))).rejects.toMatchObject({
        errorCase: 'already_exists',
      });
    }
  });

  it("keeps what the SDK's own client reads, byte for byte", async () => {
    const bucket = server.bucket();
    const { endpoint, region, accessKeyId, secretAccessKey } = bucket;
    const client = new S3Client({
      endpoint,
      region,
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
    for (const size of [0, 1, 8 * MIB, 21 * MIB + 3]) {
      const bytes = randomBytes(size);
      await open(bucket).write(`b-${size}`, inChunks(bytes));
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket.bucket, Key: `b-${size}` }));
      expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true);
    }
    client.destroy();
  });

  describe('of a customer', () => {
    const environment = { ...process.env };
    afterEach(() => (process.env = { ...environment }));

    it('is asked with its own credentials only, whatever the environment says', async () => {
      Object.assign(process.env, {
        AWS_ACCESS_KEY_ID: 'OURSOURSOURS',
        AWS_SECRET_ACCESS_KEY: 'ours',
        AWS_SESSION_TOKEN: 'ours',
        AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
        AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9',
        AWS_REGION: 'ours-1',
      });
      const before = server.seen.length;
      const factory = new StoreFactory(new AllowedHosts(['127.0.0.1']));
      await factory.open(server.bucket()).check();
      const seen = server.seen.slice(before);
      expect(seen.length).toBeGreaterThan(0);
      // red when: the client has no credentials of its own
      for (const { headers } of seen) {
        expect(headers.authorization).toMatch(/Credential=AGATETESTKEY\/\d+\/eu-test-1\//);
        expect(headers['x-amz-security-token']).toBeUndefined();
      }
    });

    it('is never at a private address', async () => {
      const before = server.seen.length;
      const store = new StoreFactory(new AllowedHosts([])).open(server.bucket());
      const refused = fails('address');
      await expect(store.check()).rejects.toMatchObject(refused);
      await expect(store.read('a')).rejects.toMatchObject(refused);
      await expect(store.delete('a')).rejects.toMatchObject(refused);
      await expect(store.write('a', Readable.from([Buffer.from('x')]))).rejects.toMatchObject(refused);
      // red when: the agents have no rule
      expect(server.seen.length).toBe(before);
    });

    it('is opened once for one description, and forgotten when many others were used since', () => {
      const factory = new StoreFactory(new AllowedHosts([]), 2);
      const [one, two, three] = [server.bucket(), server.bucket(), server.bucket()] as const;
      const first = factory.open(one);
      expect(factory.open({ ...one })).toBe(first);
      expect(factory.open({ ...one, secretAccessKey: 'new' })).not.toBe(first);
      factory.open(two);
      factory.open(three);
      expect(factory.open(one)).not.toBe(first);
    });
  });
});
