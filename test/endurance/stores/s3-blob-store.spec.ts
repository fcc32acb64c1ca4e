import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { S3BlobStore } from '#infra/blob/s3/s3-blob-store';
import { type S3Description } from '#infra/blob/store-description';
import { type StoreErrorKind } from '#infra/blob/store-errors';
import { StoreFactory } from '#infra/blob/store-factory';
import { PartBuffers } from '#infra/blob/streams/write-in-parts';
import { AllowedHosts } from '#infra/network/allowed-hosts';
import { OutgoingAgents } from '#infra/network/outgoing-agents';
import { describeBlobStore, inChunks, stallingStream } from '../../suites/blob-store.suite';
import { describePartUploads } from '../../suites/part-uploads.suite';
import { describeStoreFaults } from '../../suites/store-faults.suite';
import { S3Server } from '../../support/servers/stores/s3-server';
import { until } from '../../support/until';

const MIB = 1024 * 1024;
/** All stores share it, because memory that was used is collected for each supply, which takes long in a process with many modules. */
const BLOCKS = new PartBuffers().supply(true);

let server: S3Server;
beforeAll(async () => {
  server = await S3Server.start();
});
afterAll(() => server.stop());

const open = (description: S3Description): S3BlobStore => new S3BlobStore(description, new OutgoingAgents(), BLOCKS);
const newStore = () => Promise.resolve(open(server.bucket()));

describeBlobStore('S3BlobStore', newStore);
describePartUploads('S3BlobStore', newStore);
describeStoreFaults('S3BlobStore', (agents) =>
  Promise.resolve({
    store: new S3BlobStore(server.bucket(), agents, BLOCKS),
    proxy: server,
    writesPart: ({ url }) => url.searchParams.has('partNumber'),
    finishes: ({ method, url }) => method === 'POST' && url.searchParams.has('uploadId'),
  }),
);

describe('S3BlobStore', () => {
  afterEach(() => {
    server.skewMs = 0;
    server.supportsConditions = true;
    server.fault = () => undefined;
  });
  const fails = (kind: StoreErrorKind) => ({ errorCase: 'storage_backend_unavailable', cause: { kind } });

  // red when: the server does not verify signatures, or a code is mapped to another kind
  it.each<[string, Partial<S3Description>, StoreErrorKind]>([
    ['the secret is wrong', { secretAccessKey: 'another secret' }, 'credentials'],
    ['the access key is unknown', { accessKeyId: 'NOBODYSKEY' }, 'credentials'],
    ['the bucket does not exist', { bucket: 'no-such-bucket' }, 'container'],
  ])('reports when %s', async (_, wrong, kind) => {
    const store = open({ ...server.bucket(), ...wrong });
    await expect(store.check()).rejects.toMatchObject(fails(kind));
  });

  it('reports a wrong clock and a missing permission', async () => {
    const store = open(server.bucket());
    server.skewMs = 20 * 60_000;
    await expect(store.check()).rejects.toMatchObject(fails('clock'));
    server.skewMs = 0;
    server.fault = ({ method }) =>
      method === 'DELETE' ? { kind: 'error', status: 403, code: 'AccessDenied' } : undefined;
    await expect(store.check()).rejects.toMatchObject(fails('permission'));
  });

  it('aborts the multipart upload of a failed write', async () => {
    const bucket = server.bucket();
    const abort = new AbortController();
    const writing = open(bucket).write('a', stallingStream(randomBytes(30 * MIB)), { signal: abort.signal });
    writing.catch(() => undefined);
    await until(() => server.openUploads(bucket).length !== 0);
    abort.abort(new Error('enough'));
    await expect(writing).rejects.toThrow('enough');
    // red when: rollBack does not abort the upload
    expect(server.openUploads(bucket)).toEqual([]);
  });

  it('rejects a second write when the store does not support conditional writes', async () => {
    server.supportsConditions = false;
    const store = open(server.bucket());
    await store.write('short', Readable.from([Buffer.from('first')]));
    await store.write('long', inChunks(randomBytes(9 * MIB)));
    for (const key of ['short', 'long']) {
      await expect(store.write(key, Readable.from([Buffer.from('again')]))).rejects.toMatchObject({
        errorCase: 'already_exists',
      });
    }
  });

  it('stores objects that another client reads byte for byte', async () => {
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

  describe('opened by StoreFactory', () => {
    const environment = { ...process.env };
    afterEach(() => (process.env = { ...environment }));

    it('uses only the credentials of its description when the environment has others', async () => {
      Object.assign(process.env, {
        AWS_ACCESS_KEY_ID: 'ENVIRONMENTKEY',
        AWS_SECRET_ACCESS_KEY: 'environment',
        AWS_SESSION_TOKEN: 'environment',
        AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
        AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9',
        AWS_REGION: 'environment-1',
      });
      const before = server.seen.length;
      const factory = new StoreFactory(new AllowedHosts(['127.0.0.1']));
      await factory.open(server.bucket()).check();
      const seen = server.seen.slice(before);
      expect(seen.length).toBeGreaterThan(0);
      // red when: the client takes credentials from the environment
      for (const { headers } of seen) {
        expect(headers.authorization).toMatch(/Credential=AGATETESTKEY\/\d+\/eu-test-1\//);
        expect(headers['x-amz-security-token']).toBeUndefined();
      }
    });

    it('never connects to a private address', async () => {
      const before = server.seen.length;
      const store = new StoreFactory(new AllowedHosts([])).open(server.bucket());
      const rejected = fails('address');
      await expect(store.check()).rejects.toMatchObject(rejected);
      await expect(store.read('a')).rejects.toMatchObject(rejected);
      await expect(store.delete('a')).rejects.toMatchObject(rejected);
      await expect(store.write('a', Readable.from([Buffer.from('x')]))).rejects.toMatchObject(rejected);
      // red when: the agents do not check addresses
      expect(server.seen.length).toBe(before);
    });

    it('is cached by its description, and evicted when more recent stores exceed the limit', () => {
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
