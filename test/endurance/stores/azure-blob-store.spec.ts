import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { BlobServiceClient } from '@azure/storage-blob';
import { AzureBlobStore } from '#infra/blob/azure/azure-blob-store';
import { type AzureDescription } from '#infra/blob/store-description';
import { type StoreErrorKind } from '#infra/blob/store-errors';
import { StoreFactory } from '#infra/blob/store-factory';
import { PartBuffers } from '#infra/blob/streams/write-in-parts';
import { AllowedHosts } from '#infra/network/allowed-hosts';
import { OutgoingAgents } from '#infra/network/outgoing-agents';
import { describeBlobStore, inChunks } from '../../suites/blob-store.suite';
import { describePartUploads } from '../../suites/part-uploads.suite';
import { describeStoreFaults } from '../../suites/store-faults.suite';
import { AzureServer } from '../../support/servers/stores/azure-server';

const MIB = 1024 * 1024;
/** All stores share it, because memory that was used is collected for each supply, which takes long in a process with many modules. */
const BLOCKS = new PartBuffers().supply(true);

let server: AzureServer;
beforeAll(async () => {
  server = await AzureServer.start();
});
afterAll(() => server.stop());

const open = (description: AzureDescription): AzureBlobStore =>
  new AzureBlobStore(description, new OutgoingAgents(), BLOCKS);
const newStore = async () => open(await server.container());

describeBlobStore('AzureBlobStore', newStore);
describePartUploads('AzureBlobStore', newStore);
describeStoreFaults('AzureBlobStore', async (agents) => ({
  store: new AzureBlobStore(await server.container(), agents, BLOCKS),
  proxy: server,
  writesPart: ({ url }) => url.searchParams.get('comp') === 'block',
  finishes: ({ url, body }) => url.searchParams.get('comp') === 'blocklist' && body.includes('<Latest>'),
}));

describe('AzureBlobStore', () => {
  const fails = (kind: StoreErrorKind) => ({ errorCase: 'storage_backend_unavailable', cause: { kind } });
  const withEndpoint = (connectionString: string, endpoint: string): string =>
    connectionString.replace(/BlobEndpoint=[^;]+/, `BlobEndpoint=${endpoint}/agatetest`);

  it.each<[string, (right: AzureDescription) => Partial<AzureDescription>, StoreErrorKind]>([
    [
      'the account key is wrong',
      () => ({ connectionString: server.connectionString(randomBytes(64).toString('base64')) }),
      'permission',
    ],
    ['the container does not exist', () => ({ container: 'no-such-container' }), 'container'],
    [
      'no server listens at the address',
      ({ connectionString }) => ({ connectionString: withEndpoint(connectionString, 'http://127.0.0.1:9') }),
      'connect',
    ],
    [
      'the host name does not resolve',
      ({ connectionString }) => ({ connectionString: withEndpoint(connectionString, 'http://store.invalid') }),
      'resolve',
    ],
  ])('reports when %s', async (_, wrong, kind) => {
    const right = await server.container();
    await expect(open({ ...right, ...wrong(right) }).check()).rejects.toMatchObject(fails(kind));
  });

  it.each(['nonsense', '', 'BlobEndpoint=https://a.blob.core.windows.net;SharedAccessSignature=sv=2024-01-01&sig=x'])(
    'rejects the connection string %j when it is opened',
    async (connectionString) => {
      const opening = Promise.resolve().then(() => open({ provider: 'azure', container: 'a', connectionString }));
      await expect(opening).rejects.toMatchObject(fails('credentials'));
    },
  );

  it('stores blobs that another client reads byte for byte', async () => {
    const description = await server.container();
    const client = BlobServiceClient.fromConnectionString(description.connectionString);
    const container = client.getContainerClient(description.container);
    for (const size of [0, 1, 8 * MIB, 21 * MIB + 3]) {
      const bytes = randomBytes(size);
      await open(description).write(`b-${size}`, inChunks(bytes));
      const read = size === 0 ? Buffer.alloc(0) : await container.getBlobClient(`b-${size}`).downloadToBuffer();
      expect(read.equals(bytes)).toBe(true);
    }
  });

  it('never connects to a private address when StoreFactory opens it', async () => {
    const description = await server.container();
    const before = server.seen.length;
    const store = new StoreFactory(new AllowedHosts([])).open(description);
    const rejected = fails('address');
    await expect(store.check()).rejects.toMatchObject(rejected);
    await expect(store.read('a')).rejects.toMatchObject(rejected);
    await expect(store.delete('a')).rejects.toMatchObject(rejected);
    await expect(store.write('a', Readable.from([Buffer.from('x')]))).rejects.toMatchObject(rejected);
    // red when: the SDK does not use the agent
    expect(server.seen.length).toBe(before);
    await new StoreFactory(new AllowedHosts(['127.0.0.0/8'])).open(description).check();
  });

  // red when: the SDK's proxy policy replaces the agent: the proxy, not the agent, would then choose the address
  it('ignores the proxy variables of the environment', async () => {
    const description = await server.container();
    const proxied: string[] = [];
    const proxy = createServer((request, response) => (proxied.push(request.url ?? ''), response.writeHead(502).end()));
    proxy.on('connect', (request, socket) => (proxied.push(request.url ?? ''), socket.destroy()));
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
    for (const name of names) process.env[name] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    try {
      await new StoreFactory(new AllowedHosts(['127.0.0.0/8'])).open(description).check();
      const { connectionString } = description;
      const secure = withEndpoint(connectionString, 'https://127.0.0.1:9');
      const store = new StoreFactory(new AllowedHosts([])).open({ ...description, connectionString: secure });
      await expect(store.check()).rejects.toMatchObject(fails('address'));
      expect(proxied).toEqual([]);
    } finally {
      for (const name of names) Reflect.deleteProperty(process.env, name);
      proxy.close();
    }
  });

  // red when: the size of the blob is taken from the listed parts
  it('rejects complete when a part was replaced by a longer one after the parts were listed', async () => {
    const store = await newStore();
    const { parts } = store;
    const [short, long] = [randomBytes(1000), randomBytes(1_000_000)];
    const only = { partNumber: 1, sizeBytes: short.length, offset: 0 };
    await parts.writePart('late', 'azure', only, Readable.from([short]));
    const url = await parts.signedPartUrl!('late', 'azure', only, 60);
    const original = parts.listParts.bind(parts);
    jest.spyOn(parts, 'listParts').mockImplementationOnce(async (...upload) => {
      const listed = await original(...upload);
      expect((await fetch(url, { method: 'PUT', body: new Uint8Array(long) })).status).toBe(201);
      return listed;
    });
    const mismatch = { errorCase: 'invalid_input', details: { reason: 'parts_mismatch' } };
    await expect(parts.complete('late', 'azure', [only])).rejects.toMatchObject(mismatch);
    expect(await store.head('late')).toBeNull();
    // The upload stays open.
    await parts.writePart('late', 'azure', only, Readable.from([short]));
    await parts.complete('late', 'azure', [only]);
    expect(await store.head('late')).toEqual({ sizeBytes: short.length });
  });
});
