import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { addAbortSignal, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/ids';
import { type BlobStore, type ByteRange } from '#infra/blob/blob-store';
import { checkPartUploads, UnsupportedPartUploads } from '#infra/blob/check-part-uploads';
import { StoreError, type StoreErrorKind } from '#infra/blob/store-errors';
import { openStore } from '#infra/blob/store-factory';
import { boundedRead } from '#infra/blob/streams/bounded-read';
import { SystemClock } from '#infra/clock/system-clock';
import { AllowedHosts } from '#infra/network/allowed-hosts';
import { OutgoingAgents } from '#infra/network/outgoing-agents';
import { plainRequest } from '#infra/network/plain-request';
import { describeStore, endpointOf, type StoreSettings } from '../../accounts/storage-account';
import { Finding, NOT_FOUND } from './advice';
import { Checklist } from './checklist';
import { type CheckName, type Diagnosis } from './diagnosis';

/** Stricter than stores, which reject signatures when the clocks differ by more than 15 minutes. */
const MAX_SKEW_MS = 5 * 60_000;
const PROBE_BYTES = 4096;

/** The checks that the first signed request decides, in this order. */
const FIRST_REQUEST = ['authenticate', 'container', 'list'] as const;

/**
 * Checks that a customer's store supports every operation that this service needs: within nine seconds, and twenty more for an upload in
 * parts. Writes blobs below `checks/` and deletes them.
 */
@Injectable()
export class StoreDiagnosisService {
  /** The real time, because signatures contain it. */
  private readonly clock = new SystemClock();

  constructor(private readonly allowed: AllowedHosts) {}

  async run(settings: StoreSettings): Promise<Diagnosis> {
    const list = new Checklist();
    const agents = new OutgoingAgents({ allowed: this.allowed });
    try {
      if (await this.checkConnection(list, new URL(endpointOf(settings)), agents)) {
        const opened = await list.attempt(() => openStore(describeStore(settings), agents));
        if (opened.failure) list.record('authenticate', opened);
        else if (await checkAccess(list, opened.value)) await checkBlobs(list, opened.value, agents);
      }
      return list.close();
    } finally {
      agents.close();
    }
  }

  /** @returns whether all checks passed. */
  private async checkConnection(list: Checklist, endpoint: URL, agents: OutgoingAgents): Promise<boolean> {
    const host = endpoint.hostname.replace(/^\[(.*)\]$/, '$1');
    const found = await list.check('resolve', () => this.addressesOf(host));
    if (found.failure) return false;
    const allowed = await list.check('public_address', () => this.requireAllowed(endpoint, host, found.value));
    if (allowed.failure) return false;
    const response = await list.check('reach', () => plainRequest(agents, 'HEAD', endpoint.href, list.signal));
    if (response.failure) return false;
    const { failure } = await list.check('clock_skew', () => this.compareClocks(response.value.dateMs));
    return failure === null;
  }

  /** Fails alike for a name that does not exist and a name that resolves to an internal address. */
  private async addressesOf(host: string): Promise<readonly string[]> {
    const found = await lookup(host, { all: true });
    const addresses = found.map(({ address }) => address);
    if (isIP(host) === 0 && !this.isAllowed(host, addresses, true)) throw new Finding('unresolved', NOT_FOUND);
    return addresses;
  }

  private requireAllowed({ protocol }: URL, host: string, addresses: readonly string[]): void {
    if (!this.isAllowed(host, addresses, true))
      throw new Finding('not_public', 'The address of the endpoint is not public. Use a public address.');
    if (!this.isAllowed(host, addresses, protocol === 'https:'))
      throw new Finding('not_https', 'The endpoint does not use https. Use an https URL.');
  }

  private isAllowed(host: string, addresses: readonly string[], secure: boolean): boolean {
    return addresses.every((address) => this.allowed.allows({ host, address, secure }));
  }

  private compareClocks(dateMs: number | null): void {
    const skewMs = dateMs === null ? 0 : Math.abs(dateMs - this.clock.now().getTime());
    if (skewMs <= MAX_SKEW_MS) return;
    const minutes = Math.round(skewMs / 60_000);
    throw new Finding(
      'clock',
      `The clocks of the store and of this service differ by ${minutes} minutes. Correct the clock of the store.`,
    );
  }
}

/**
 * Checks with one listing that the credentials are valid, the container exists, and listing is permitted.
 * @returns whether the remaining checks are possible.
 */
async function checkAccess(list: Checklist, store: BlobStore): Promise<boolean> {
  const listing = await list.attempt(async () => {
    for await (const _blob of store.list('checks/')) break;
  });
  const failed = checkFailedBy(listing.failure);
  if (failed === 'clock_skew') list.record('clock_skew', listing);
  else {
    for (const name of FIRST_REQUEST) {
      list.record(name, name === failed ? listing : { ...listing, failure: null });
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

/** Credentials that do not permit listing may permit all other operations. */
const isForbidden = (failure: StoreError | Finding | null): boolean =>
  failure instanceof StoreError && failure.kind === 'permission';

/** Writes, reads and deletes a blob. */
async function checkBlobs(list: Checklist, store: BlobStore, agents: OutgoingAgents): Promise<void> {
  const key = `checks/${newId()}`;
  const bytes = randomBytes(PROBE_BYTES);
  const writing = store.write(key, Readable.from([bytes]));
  const written = await list.check('write', () => writing);
  if (!written.failure) {
    const read = async (expected: Buffer, range?: ByteRange): Promise<void> => {
      const found = boundedRead(await store.read(key, range), expected.length);
      requireEqual(await buffer(addAbortSignal(list.signal, found)), expected);
    };
    await list.check('read_back', () => read(bytes));
    await list.check('range_read', () => read(bytes.subarray(100, 1100), { start: 100, end: 1099 }));
    await list.check('signed_url', () => checkSignedUrl(list, store, agents, { key, bytes }));
    list.extend();
    await list.check('upload_in_parts', () => checkUploadInParts(store, list.signal));
    const deleted = await list.check('delete', async () => {
      await store.delete(key);
      if (await store.head(key))
        throw new Finding('not_deleted', 'A deleted object still exists. Turn off object lock and retention.');
    });
    if (!deleted.failure) return;
  }
  // The write or the deletion may have failed after the blob was stored.
  void writing.then(() => store.delete(key)).catch(() => undefined);
}

async function checkUploadInParts(store: BlobStore, signal: AbortSignal): Promise<void> {
  try {
    await checkPartUploads(store, `checks/${newId()}`, { signal });
  } catch (error) {
    throw error instanceof UnsupportedPartUploads ? new Finding('no_uploads_in_parts', error.message) : error;
  }
}

async function checkSignedUrl(
  list: Checklist,
  store: BlobStore,
  agents: OutgoingAgents,
  { key, bytes }: { readonly key: string; readonly bytes: Buffer },
): Promise<void> {
  const options = { expiresInSeconds: 60, fileName: 'check.bin', mediaType: 'application/octet-stream' };
  const url = await store.signedUrl?.(key, options);
  if (url === undefined)
    throw new Finding('no_signed_urls', 'This store cannot create signed URLs. Use a store that can.');
  const { status, body } = await plainRequest(agents, 'GET', url, list.signal);
  if (status !== 200) {
    throw new Finding(
      'signed_url_rejected',
      `The store rejected a signed URL (status ${status}). Permit reading by signed URLs.`,
    );
  }
  requireEqual(body, bytes);
}

function requireEqual(read: Buffer, written: Buffer): void {
  if (read.equals(written)) return;
  throw new Finding(
    'changed_bytes',
    'The store returned other bytes than were written. Check for a proxy or gateway that changes objects.',
  );
}
