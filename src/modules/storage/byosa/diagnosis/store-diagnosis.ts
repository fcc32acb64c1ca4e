import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { addAbortSignal, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/ids';
import { type BlobStore, type ByteRange } from '#infra/blob/blob-store';
import { boundedRead } from '#infra/blob/streams/bounded-read';
import { StoreError, type StoreErrorKind } from '#infra/blob/store-errors';
import { openStore } from '#infra/blob/store-factory';
import { SystemClock } from '#infra/clock/system-clock';
import { AllowedHosts } from '#infra/network/allowed-hosts';
import { OutgoingAgents } from '#infra/network/outgoing-agents';
import { plainRequest } from '#infra/network/plain-request';
import { describeStore, endpointOf, type StoreSettings } from '../../accounts/storage-account';
import { Finding, NOT_FOUND } from './advice';
import { type CheckName, type Diagnosis } from './check';
import { Checklist } from './checklist';

/** Signatures bear times that stores accept when they are a quarter of an hour off, at most. */
const MAX_SKEW_MS = 5 * 60_000;
const PROBE_BYTES = 4096;

/** What the first signed request shows, in this order. */
const FIRST_REQUEST = ['authenticate', 'container', 'list'] as const;

/**
 * Tries everything that Agate will ask of a customer's store, within nine seconds, and leaves nothing there. The blobs that it
 * writes are under `checks/`.
 */
@Injectable()
export class StoreDiagnosis {
  /** Signatures bear the real time. */
  private readonly clock = new SystemClock();

  constructor(private readonly allowed: AllowedHosts) {}

  async run(settings: StoreSettings): Promise<Diagnosis> {
    const list = new Checklist();
    const agents = new OutgoingAgents({ allowed: this.allowed });
    try {
      if (await this.isReached(list, new URL(endpointOf(settings)), agents)) {
        const opened = await list.attempt(() => openStore(describeStore(settings), agents));
        if (opened.failure) list.note('authenticate', opened);
        else if (await isLetIn(list, opened.value)) await tryBlobs(list, opened.value, agents);
      }
      return list.close();
    } finally {
      agents.close();
    }
  }

  private async isReached(list: Checklist, endpoint: URL, agents: OutgoingAgents): Promise<boolean> {
    const host = endpoint.hostname.replace(/^\[(.*)\]$/, '$1');
    const found = await list.check('resolve', () => this.addressesOf(host));
    if (found.failure) return false;
    const allowed = await list.check('public_address', () => this.requireAllowed(endpoint, host, found.value));
    if (allowed.failure) return false;
    const answer = await list.check('reach', () => plainRequest(agents, 'HEAD', endpoint.href, list.signal));
    if (answer.failure) return false;
    const { failure } = await list.check('clock_skew', () => this.compareClocks(answer.value.dateMs));
    return failure === null;
  }

  /** A name that leads inside counts as one that is not there; of an address everybody knows where it leads. */
  private async addressesOf(host: string): Promise<readonly string[]> {
    const found = await lookup(host, { all: true });
    const addresses = found.map(({ address }) => address);
    if (isIP(host) === 0 && !this.isAllowed(host, addresses, true)) throw new Finding(NOT_FOUND);
    return addresses;
  }

  private requireAllowed({ protocol }: URL, host: string, addresses: readonly string[]): void {
    if (!this.isAllowed(host, addresses, true))
      throw new Finding('The endpoint leads to an address that is not public. Use one of the internet.');
    if (!this.isAllowed(host, addresses, protocol === 'https:'))
      throw new Finding('The endpoint is not https. Use an https address.');
  }

  private isAllowed(host: string, addresses: readonly string[], secure: boolean): boolean {
    return addresses.every((address) => this.allowed.allows({ host, address, secure }));
  }

  private compareClocks(dateMs: number | null): void {
    const skewMs = dateMs === null ? 0 : Math.abs(dateMs - this.clock.now().getTime());
    if (skewMs <= MAX_SKEW_MS) return;
    const minutes = Math.round(skewMs / 60_000);
    throw new Finding(
      `The clocks of the store and of this service differ by ${minutes} minutes. Set the clock of the store.`,
    );
  }
}

/** One listing shows whether we are known, the container is there, and may be listed. */
async function isLetIn(list: Checklist, store: BlobStore): Promise<boolean> {
  const listing = await list.attempt(async () => {
    for await (const _blob of store.list('checks/')) break;
  });
  const failed = checkFailedBy(listing.failure);
  if (failed === 'clock_skew') list.note('clock_skew', listing);
  else {
    for (const name of FIRST_REQUEST) {
      list.note(name, name === failed ? listing : { ...listing, failure: null });
      if (name === failed) break;
    }
  }
  return failed === null || (failed === 'list' && isForbidden(listing.failure));
}

function checkFailedBy(failure: StoreError | Finding | null): CheckName | null {
  if (!failure) return null;
  const kind = failure instanceof StoreError ? failure.kind : 'failing';
  const byKind: Partial<Record<StoreErrorKind, CheckName>> = {
    clock: 'clock_skew',
    credentials: 'authenticate',
    container: 'container',
  };
  return byKind[kind] ?? 'list';
}

/** Who may not list may be allowed to do all else. */
const isForbidden = (failure: StoreError | Finding | null): boolean =>
  failure instanceof StoreError && failure.kind === 'permission';

/** What is done to blobs. */
async function tryBlobs(list: Checklist, store: BlobStore, agents: OutgoingAgents): Promise<void> {
  const key = `checks/${newId()}`;
  const bytes = randomBytes(PROBE_BYTES);
  const writing = store.write(key, Readable.from([bytes]));
  const written = await list.check('write', () => writing);
  if (!written.failure) {
    const read = async (expected: Buffer, range?: ByteRange): Promise<void> => {
      const found = boundedRead(await store.read(key, range), expected.length);
      same(await buffer(addAbortSignal(list.signal, found)), expected);
    };
    await list.check('read_back', () => read(bytes));
    await list.check('range_read', () => read(bytes.subarray(100, 1100), { start: 100, end: 1099 }));
    await list.check('signed_url', () => trySignedUrl(list, store, agents, { key, bytes }));
    const deleted = await list.check('delete', async () => {
      await store.delete(key);
      if (await store.head(key))
        throw new Finding('A deleted object is still there. Turn object lock or retention off.');
    });
    if (!deleted.failure) return;
  }
  // Whatever may have arrived after all.
  void writing.then(() => store.delete(key)).catch(() => undefined);
}

async function trySignedUrl(
  list: Checklist,
  store: BlobStore,
  agents: OutgoingAgents,
  { key, bytes }: { readonly key: string; readonly bytes: Buffer },
): Promise<void> {
  const options = { expiresInSeconds: 60, fileName: 'check.bin', mediaType: 'application/octet-stream' };
  const url = await store.signedUrl?.(key, options);
  if (url === undefined) throw new Finding('This store cannot sign addresses.');
  const { status, body } = await plainRequest(agents, 'GET', url, list.signal);
  if (status !== 200) {
    throw new Finding(
      `The store refused an address that was signed with these credentials (${status}). Allow reading by signed URLs.`,
    );
  }
  same(body, bytes);
}

function same(read: Buffer, written: Buffer): void {
  if (read.equals(written)) return;
  throw new Finding('What was read is not what was written: something between changes (tampers with) the objects.');
}
