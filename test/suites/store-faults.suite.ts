import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type BlobStore } from '#infra/blob/blob-store';
import { hashOf } from '#infra/blob/copy-blob';
import { type StoreErrorKind } from '#infra/blob/store-errors';
import { OutgoingAgents } from '#infra/network/outgoing-agents';
import { EndlessResponse, MAX_BUFFERED_BYTES } from '../support/servers/endless-response';
import { type Fault, type FaultyProxy, type SeenRequest } from '../support/servers/proxies/faulty-proxy';
import { until } from '../support/until';
import { inChunks } from './blob-store.suite';

const MIB = 1024 * 1024;

/** A cloud store behind a proxy that can fail. */
export interface FaultyStore {
  readonly store: BlobStore;
  readonly proxy: FaultyProxy;
  /** Whether a request sends a part. */
  readonly writesPart: (request: SeenRequest) => boolean;
  /** Whether a request assembles the blob from the parts. */
  readonly finishes: (request: SeenRequest) => boolean;
}

const unavailable = (kind?: StoreErrorKind) => ({
  errorCase: 'storage_backend_unavailable',
  retryAfterSeconds: 5,
  ...(kind && { cause: { kind } }),
});

/** How a cloud driver handles a store that fails: every error is `storage_backend_unavailable`, and nothing partial remains. */
export function describeStoreFaults(name: string, open: (agents: OutgoingAgents) => Promise<FaultyStore>): void {
  describe(`${name} with a failing store`, () => {
    const bytes = randomBytes(20 * MIB + 5);
    let at: string;
    let faulty: FaultyStore;
    beforeEach(async () => {
      at = `suite/${randomUUID()}`;
      faulty = await open(new OutgoingAgents());
      faulty.proxy.fault = () => undefined;
    });
    afterEach(() => (faulty.proxy.fault = () => undefined));

    const write = (body = inChunks(bytes)) => faulty.store.write(at, body);
    const failOn = (which: (request: SeenRequest) => boolean, fault: Fault, times = Infinity): void => {
      let left = times;
      faulty.proxy.fault = (request) => (which(request) && left-- > 0 ? fault : undefined);
    };
    const expectNothingStored = async (): Promise<void> => {
      faulty.proxy.fault = () => undefined;
      expect(await faulty.store.head(at)).toBeNull();
      // The key can be written again.
      await write();
      expect((await buffer(await faulty.store.read(at))).equals(bytes)).toBe(true);
    };

    it.each<[string, Fault, StoreErrorKind | undefined]>([
      ['gets the status 500', { kind: 'error', status: 500, code: 'InternalError' }, 'failing'],
      ['gets the status 503', { kind: 'error', status: 503, code: 'ServerBusy' }, 'failing'],
      ['gets the status 507', { kind: 'error', status: 507, code: 'NoSpace' }, 'full'],
      // Jest hides errors of the operating system from the S3 SDK, so the kind differs; s3-errors.spec.ts covers it.
      ['has its connection reset', { kind: 'reset' }, undefined],
    ])('rejects the write and stores nothing when a part %s', async (_, fault, kind) => {
      failOn(faulty.writesPart, fault);
      await expect(write()).rejects.toMatchObject(unavailable(kind));
      await expectNothingStored();
    });

    // red when: a failed write does not delete its blob
    it('stores the complete blob or none when every response to the final request is lost', async () => {
      failOn(faulty.finishes, { kind: 'lost' });
      const outcome = await write().then(
        () => 'stored' as const,
        () => 'absent' as const,
      );
      faulty.proxy.fault = () => undefined;
      expect(await faulty.store.head(at)).toEqual(outcome === 'stored' ? { sizeBytes: bytes.length } : null);
    });

    // red when: a 412 for the write's own blob counts as `already_exists`
    it('retries and recognizes its own blob when one response to the final request is lost', async () => {
      failOn(faulty.finishes, { kind: 'lost' }, 1);
      expect(await write()).toEqual({ sizeBytes: bytes.length });
      expect((await buffer(await faulty.store.read(at))).equals(bytes)).toBe(true);
    });

    it('retries a request that fails once', async () => {
      failOn(faulty.writesPart, { kind: 'error', status: 503, code: 'ServerBusy' }, 1);
      expect(await write()).toEqual({ sizeBytes: bytes.length });
    });

    it('rejects every method with storage_backend_unavailable when every request fails', async () => {
      failOn(() => true, { kind: 'error', status: 500, code: 'InternalError' });
      const { store } = faulty;
      await expect(store.head(at)).rejects.toMatchObject(unavailable());
      await expect(store.read(at)).rejects.toMatchObject(unavailable());
      await expect(store.delete(at)).rejects.toMatchObject(unavailable());
      await expect(store.check()).rejects.toMatchObject(unavailable());
      await expect(store.list('')[Symbol.asyncIterator]().next()).rejects.toMatchObject(unavailable());
      const body = Readable.from([Buffer.from('x')]);
      await expect(store.write(at, body)).rejects.toMatchObject(unavailable());
      expect(body.destroyed).toBe(true);
    });

    it('times out when the store never responds', async () => {
      failOn(() => true, { kind: 'silence' });
      await expect(faulty.store.head(at)).rejects.toMatchObject(unavailable('timeout'));
    });

    // red when: the SDK does not use the agents' timeouts, or retries after them: each retry takes as long as the first attempt
    it('times out once when the store stops responding during a write', async () => {
      faulty = await open(new OutgoingAgents({ idleMs: 1000 }));
      const silent: string[] = [];
      faulty.proxy.fault = (request) => {
        if (!faulty.writesPart(request)) return undefined;
        silent.push(request.path);
        return { kind: 'silence' };
      };
      await expect(write()).rejects.toMatchObject(unavailable('timeout'));
      expect(silent.length).toBeGreaterThan(0);
      expect(new Set(silent).size).toBe(silent.length);
    });

    it('fails the reader when a response is truncated', async () => {
      await write();
      failOn(({ method }) => method === 'GET', { kind: 'cut', afterBytes: MIB });
      const stream = await faulty.store.read(at);
      await expect(buffer(stream)).rejects.toBeDefined();
    });

    // red when: readBlock ignores its signal while bytes still arrive
    it('cancels readBlock by its signal when the response arrives byte by byte', async () => {
      await write();
      failOn(({ method }) => method === 'GET', { kind: 'drip' });
      const end = new AbortController();
      const reading = faulty.store.readBlock(at, 0, MIB, end.signal);
      const before = faulty.proxy.seen.length;
      await until(() => faulty.proxy.seen.length !== before);
      end.abort();
      await expect(reading).rejects.toMatchObject(unavailable('timeout'));
    });

    describe('that sends endless responses', () => {
      let endless: EndlessResponse;
      beforeEach(() => (endless = new EndlessResponse()));
      /** Every response was aborted, and the driver read no more than the network buffers held by then. */
      const expectAborted = async (): Promise<void> => {
        await until(() => endless.aborted >= endless.started);
        expect(endless.started).toBeGreaterThan(0);
        expect(endless.sentBytes).toBeLessThan(endless.started * MAX_BUFFERED_BYTES);
      };
      const isDownload = ({ method, url }: SeenRequest): boolean => method === 'GET' && url.pathname.endsWith(at);

      // red when: a block is read without a limit
      it('aborts the response when it reads a block', async () => {
        await write();
        failOn(isDownload, endless.fault);
        await expect(faulty.store.readBlock(at, 100, 1000)).rejects.toMatchObject(unavailable('failing'));
        await expectAborted();
      });

      // red when: the hash is computed without a limit
      it('aborts the response when it computes a hash', async () => {
        await write();
        failOn(isDownload, endless.fault);
        await expect(hashOf({ store: faulty.store, key: at }, bytes.length)).rejects.toMatchObject(
          unavailable('failing'),
        );
        await expectAborted();
      });

      // red when: responses that the SDK reads into memory have no limit
      it('aborts the response when it lists blobs', async () => {
        failOn(({ url }) => url.searchParams.has('list-type') || url.searchParams.has('comp'), endless.fault);
        const listing = faulty.store.list('suite/')[Symbol.asyncIterator]();
        await expect(listing.next()).rejects.toMatchObject(unavailable());
        await expectAborted();
      });

      // red when: error responses have no size limit; the deadline alone would allow four seconds at full speed
      it('aborts the response when it is an error', async () => {
        endless = new EndlessResponse(500);
        failOn(({ method }) => method !== 'HEAD', endless.fault);
        await expect(faulty.store.read(at)).rejects.toMatchObject(unavailable());
        await expect(faulty.store.delete(at)).rejects.toMatchObject(unavailable());
        await expect(write()).rejects.toMatchObject(unavailable());
        await expectAborted();
      });
    });

    it('does not follow a redirect', async () => {
      const { proxy } = faulty;
      const before = proxy.seen.length;
      proxy.redirectsTo = `${proxy.url}/elsewhere`;
      try {
        await expect(faulty.store.read(at)).rejects.toMatchObject(unavailable());
      } finally {
        proxy.redirectsTo = undefined;
      }
      // red when: the SDK follows redirects
      expect(proxy.seen.slice(before).filter(({ path }) => path.startsWith('/elsewhere'))).toEqual([]);
    });
  });
}
