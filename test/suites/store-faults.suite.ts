import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { type BlobStore } from '#infra/blob/blob-store';
import { hashOf } from '#infra/blob/copy-blob';
import { type StoreErrorKind } from '#infra/blob/store-errors';
import { OutgoingAgents } from '#infra/network/outgoing-agents';
import { EndlessAnswer, UNDER_WAY_BYTES } from '../support/servers/endless-answer';
import { type Fault, type FaultyProxy, type SeenRequest } from '../support/servers/faulty-proxy';
import { inChunks } from './blob-store.suite';

const MIB = 1024 * 1024;

/** A store in the cloud, and what stands before it. */
export interface FaultyStore {
  readonly store: BlobStore;
  readonly proxy: FaultyProxy;
  /** Which requests write a part, and which make the blob of the parts. */
  readonly writesPart: (request: SeenRequest) => boolean;
  readonly finishes: (request: SeenRequest) => boolean;
}

const unavailable = (kind?: StoreErrorKind) => ({
  errorCase: 'storage_backend_unavailable',
  retryAfterSeconds: 5,
  ...(kind && { cause: { kind } }),
});

/** What drivers of stores in the cloud make of a store that is in trouble (reliability G4, M6). */
export function describeStoreFaults(name: string, open: (agents: OutgoingAgents) => Promise<FaultyStore>): void {
  describe(`${name} with a store in trouble`, () => {
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
    const breaks = (which: (request: SeenRequest) => boolean, fault: Fault, times = Infinity): void => {
      let left = times;
      faulty.proxy.fault = (request) => (which(request) && left-- > 0 ? fault : undefined);
    };
    const keepsNothing = async (): Promise<void> => {
      faulty.proxy.fault = () => undefined;
      expect(await faulty.store.head(at)).toBeNull();
      // The same key is good again.
      await write();
      expect((await buffer(await faulty.store.read(at))).equals(bytes)).toBe(true);
    };

    it.each<[string, Fault, StoreErrorKind | undefined]>([
      ['500', { kind: 'error', status: 500, code: 'InternalError' }, 'failing'],
      ['503', { kind: 'error', status: 503, code: 'ServerBusy' }, 'failing'],
      ['507', { kind: 'error', status: 507, code: 'NoSpace' }, 'full'],
      // Jest's realm hides the system's errors from the S3 SDK: s3-failures.spec.ts has their names.
      ['nothing, and resets,', { kind: 'reset' }, undefined],
    ])('that says %s to parts, fails the write and keeps nothing', async (_, fault, kind) => {
      breaks(faulty.writesPart, fault);
      await expect(write()).rejects.toMatchObject(unavailable(kind));
      await keepsNothing();
    });

    // red when: the blob of a write that failed is not taken back
    it('that makes the blob but cannot say so, ends with the blob whole or gone', async () => {
      breaks(faulty.finishes, { kind: 'lost' });
      const outcome = await write().then(
        () => 'whole' as const,
        () => 'gone' as const,
      );
      faulty.proxy.fault = () => undefined;
      expect(await faulty.store.head(at)).toEqual(outcome === 'whole' ? { sizeBytes: bytes.length } : null);
    });

    // red when: a 412 for our own blob counts as another's
    it('whose answer is lost once, is asked again and knows its own blob', async () => {
      breaks(faulty.finishes, { kind: 'lost' }, 1);
      expect(await write()).toEqual({ sizeBytes: bytes.length });
      expect((await buffer(await faulty.store.read(at))).equals(bytes)).toBe(true);
    });

    it('that fails once, is asked again', async () => {
      breaks(faulty.writesPart, { kind: 'error', status: 503, code: 'ServerBusy' }, 1);
      expect(await write()).toEqual({ sizeBytes: bytes.length });
    });

    it('that refuses everything, is unavailable for everything', async () => {
      breaks(() => true, { kind: 'error', status: 500, code: 'InternalError' });
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

    it('that says nothing, is given up', async () => {
      breaks(() => true, { kind: 'silence' });
      await expect(faulty.store.head(at)).rejects.toMatchObject(unavailable('timeout'));
    });

    // red when: the agents' limits do not reach the SDK
    it('that falls silent in the middle of a write, is given up', async () => {
      faulty = await open(new OutgoingAgents({ idleMs: 1000 }));
      breaks(faulty.writesPart, { kind: 'silence' });
      await expect(write()).rejects.toMatchObject(unavailable('timeout'));
    });

    it('that breaks off an answer, fails the reader instead of giving it a part', async () => {
      await write();
      breaks(({ method }) => method === 'GET', { kind: 'cut', afterBytes: MIB });
      const stream = await faulty.store.read(at);
      await expect(buffer(stream)).rejects.toBeDefined();
    });

    // red when: a block is waited for as long as a byte of it comes now and then
    it('that answers byte by byte, is given up when the reader says so', async () => {
      await write();
      breaks(({ method }) => method === 'GET', { kind: 'drip' });
      const end = new AbortController();
      const reading = faulty.store.readBlock(at, 0, MIB, end.signal);
      const asked = faulty.proxy.seen.length;
      while (faulty.proxy.seen.length === asked) await setTimeout(5);
      end.abort();
      await expect(reading).rejects.toMatchObject(unavailable('timeout'));
    });

    describe('that answers without end', () => {
      let endless: EndlessAnswer;
      beforeEach(() => (endless = new EndlessAnswer()));
      /** All were cut off, and no more came than was under way by then. */
      const isCutOff = async (): Promise<void> => {
        while (endless.cut < endless.begun) await setTimeout(5);
        expect(endless.begun).toBeGreaterThan(0);
        expect(endless.sentBytes).toBeLessThan(endless.begun * UNDER_WAY_BYTES);
      };
      const isDownload = ({ method, url }: SeenRequest): boolean => method === 'GET' && url.pathname.endsWith(at);

      // red when: a block is read with `buffer` and without a bound
      it('to who wants a block, is cut off', async () => {
        await write();
        breaks(isDownload, endless.fault);
        await expect(faulty.store.readBlock(at, 100, 1000)).rejects.toMatchObject(unavailable('failing'));
        await isCutOff();
      });

      // red when: the hash is made of all that comes
      it('to who wants the hash, is cut off', async () => {
        await write();
        breaks(isDownload, endless.fault);
        await expect(hashOf({ store: faulty.store, key: at }, bytes.length)).rejects.toMatchObject(
          unavailable('failing'),
        );
        await isCutOff();
      });

      // red when: the SDK may read as much as it likes of what it holds in memory
      it('with a listing, is cut off', async () => {
        breaks(({ url }) => url.searchParams.has('list-type') || url.searchParams.has('comp'), endless.fault);
        const listing = faulty.store.list('suite/')[Symbol.asyncIterator]();
        await expect(listing.next()).rejects.toMatchObject(unavailable());
        await isCutOff();
      });

      // red when: the same, of errors; a deadline alone lets through what a line carries in four seconds
      it('with an error, is cut off', async () => {
        endless = new EndlessAnswer(500);
        breaks(({ method }) => method !== 'HEAD', endless.fault);
        await expect(faulty.store.read(at)).rejects.toMatchObject(unavailable());
        await expect(faulty.store.delete(at)).rejects.toMatchObject(unavailable());
        await expect(write()).rejects.toMatchObject(unavailable());
        await isCutOff();
      });
    });

    it('is not followed to another place', async () => {
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
