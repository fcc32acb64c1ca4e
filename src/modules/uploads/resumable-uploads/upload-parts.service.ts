import { type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { type PartUploads, type UploadPart } from '#infra/blob/blob-store';
import { UploadConfig } from '#infra/config/config';
import { StorageService } from '#modules/storage';
import { OwnerLabelsService } from '#modules/tokens';
import { UploadLifecycleService } from '../lifecycle/upload-lifecycle.service';
import { ConcurrentPartsService } from './concurrent-parts.service';
import { PartHashesService } from './part-hashes.service';
import { type PartUrlToken, PartUrlTokens } from './part-url-tokens';
import {
  cleanupOf,
  isOpen,
  type ListedUpload,
  type OpenUpload,
  type PartRoute,
  partsOf,
  type PartUrl,
  type ResumableUpload,
  type UploadProgress,
} from './resumable-upload';
import { ResumableUploadsRepository } from './resumable-uploads.repository';

/** Equals the lifetime of a reservation, so that credit is reserved for every part that a valid URL can receive. */
const URL_SECONDS = 30 * 60;
/** The number of listed uploads whose parts are requested from their stores at the same time. */
const LISTED_AT_ONCE = 8;

/** A part that a client is about to send to this service. */
export interface IncomingPart {
  readonly part: UploadPart;
  readonly minBytesPerSecond: number;
  readonly write: (body: Readable) => Promise<void>;
}

/** The parts of resumable uploads: their URLs, and which of them have arrived. */
@Injectable()
export class UploadPartsService {
  constructor(
    private readonly repository: ResumableUploadsRepository,
    private readonly lifecycle: UploadLifecycleService,
    private readonly storage: StorageService,
    private readonly tokens: PartUrlTokens,
    private readonly limits: UploadConfig,
    private readonly concurrent: ConcurrentPartsService,
    private readonly labels: OwnerLabelsService,
    private readonly hashes: PartHashesService,
  ) {}

  /** Requests the list of parts from the store: clients may send parts there directly. */
  async progressOf(ctx: RequestContext, upload: ResumableUpload): Promise<UploadProgress> {
    const arrived = await this.arrivedOf(ctx, upload);
    const has = ({ partNumber, sizeBytes }: UploadPart): boolean => arrived.get(partNumber) === sizeBytes;
    return { ...upload, parts: partsOf(upload).map((part) => ({ ...part, arrived: has(part) })) };
  }

  /**
   * Begins the upload at the store, once, before the first part URL. Calls the store, so it must run outside a transaction.
   * @throws AppError not_found when the upload has ended, with or without a build; also when the store no longer has it, which ends it.
   */
  async begin(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    const upload = await this.find(ctx, scope, id);
    const { storeUploadId, pending } = upload;
    if (storeUploadId !== null) {
      // A client that sends parts requests URLs all the time. The store is asked when it continues after a pause.
      if (pending.isRenewalDue) await this.requireAtStore(ctx, upload);
      return;
    }
    const { parts } = await this.storage.storeOf(ctx, pending.blob.account);
    const begun = await parts.begin(pending.blob.key);
    const saved = await this.repository.saveStoreUploadId(ctx, id, begun);
    if (saved !== begun) await parts.abort(pending.blob.key, begun);
  }

  /**
   * Ends an upload that the store no longer has: its parts were deleted, or were never in this store, so it can never be completed.
   * @throws AppError not_found when the upload has ended.
   */
  async requireAtStore(ctx: RequestContext, upload: OpenUpload): Promise<void> {
    const { storeUploadId, pending, sizeBytes } = upload;
    const store = await this.storage.storeOf(ctx, pending.blob.account);
    if (storeUploadId === null || !store.parts.isOpen) return;
    if (await store.parts.isOpen(pending.blob.key, storeUploadId)) return;
    // A completion makes the blob before it removes the upload from the store.
    if ((await store.head(pending.blob.key))?.sizeBytes === sizeBytes) return;
    await this.lifecycle.end(ctx, cleanupOf(upload), 'lost');
    throw lost();
  }

  /** One page of the open uploads of a project, newest first, each with the size of its parts that have arrived. */
  async list(ctx: RequestContext, scope: ProjectScope, request: PageRequest): Promise<Page<ListedUpload>> {
    const page = await this.repository.listOpen(ctx, scope, request);
    const owners = page.items.flatMap(({ createdBy }) => createdBy ?? []);
    const labelled = await this.labels.read(ctx, scope, owners);
    const items: ListedUpload[] = [];
    // An unavailable store delays one request, and not one for each upload.
    const unavailable = new Set<string>();
    for (let start = 0; start < page.items.length; start += LISTED_AT_ONCE) {
      const some = page.items.slice(start, start + LISTED_AT_ONCE);
      const arrived = await Promise.all(some.map((upload) => this.arrivedBytesOf(ctx, upload, unavailable)));
      items.push(
        ...some.map((upload, index) => ({
          ...upload,
          createdBy: upload.createdBy && labelled(upload.createdBy),
          arrivedBytes: arrived[index] ?? null,
        })),
      );
    }
    return { ...page, items };
  }

  /**
   * URLs that receive the parts. Makes a new reservation if the upload's has expired, so it may fail with `402`.
   * @param through `service`: the URLs are paths of this service, for every store. The service passes the parts on.
   */
  async urls(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    { numbers, through }: { readonly numbers: readonly number[]; readonly through: PartRoute },
  ): Promise<PartUrl[]> {
    const upload = await this.find(ctx, scope, id);
    const all = partsOf(upload);
    const requested = numbers.map((number) => all[number - 1] ?? noSuchPart(all.length));
    await this.lifecycle.ensureReservation(ctx, { ...upload, blob: upload.pending.blob }, upload.sizeBytes);
    const expiresAt = new Date(ctx.clock.now().getTime() + URL_SECONDS * 1000);
    if (through === 'service') {
      return requested.map((part) => ({
        ...part,
        url: this.tokens.pathOf(tokenOf(upload, part, expiresAt)),
        expiresAt,
      }));
    }
    const { parts } = await this.storage.storeOf(ctx, upload.pending.blob.account);
    return Promise.all(
      requested.map(async (part) => ({ ...part, url: await this.urlOf(parts, upload, part, expiresAt), expiresAt })),
    );
  }

  /** Opens a part URL of this service. @throws AppError not_found for an invalid or expired token. */
  async open(ctx: RequestContext, token: string): Promise<IncomingPart> {
    const content = this.tokens.open(token, ctx.clock);
    const upload = content && (await this.repository.find(ctx, content, content.id));
    const part = upload && partsOf(upload)[content.partNumber - 1];
    if (!part || !isOpen(upload) || upload.storeUploadId === null) throw invalidToken();
    const { id, storeUploadId, pending } = upload;
    if (pending.isRenewalDue) await this.lifecycle.renewLease(ctx, id);
    const { parts } = await this.storage.storeOf(ctx, pending.blob.account);
    const write = async (body: Readable): Promise<void> => {
      try {
        await parts.writePart(pending.blob.key, storeUploadId, part, body, { freesChunks: true });
        this.hashes.arrived(upload, part, parts);
      } catch (error) {
        if (error instanceof AppError && error.errorCase === 'not_found') await this.requireAtStore(ctx, upload);
        throw error;
      }
    };
    // Stores behind a network need a whole part in memory. They are the stores that sign part URLs.
    const isBuffered = parts.signedPartUrl !== undefined;
    return {
      part,
      minBytesPerSecond: this.limits.minBytesPerSecond,
      write: isBuffered ? (body) => this.writeLimited(upload, body, write) : write,
    };
  }

  private async writeLimited(
    upload: ResumableUpload,
    body: Readable,
    write: (body: Readable) => Promise<void>,
  ): Promise<void> {
    try {
      await this.concurrent.run(upload, () => write(body));
    } catch (error) {
      body.destroy();
      throw error;
    }
  }

  private async arrivedBytesOf(
    ctx: RequestContext,
    upload: OpenUpload,
    unavailable: Set<string>,
  ): Promise<number | null> {
    const { account } = upload.pending.blob;
    if (unavailable.has(account)) return null;
    try {
      return [...(await this.arrivedOf(ctx, upload)).values()].reduce((total, bytes) => total + bytes, 0);
    } catch (error) {
      if (!(error instanceof AppError) || error.errorCase !== 'storage_backend_unavailable') throw error;
      unavailable.add(account);
      return null;
    }
  }

  /** The sizes of the parts that the store has, by part number. */
  private async arrivedOf(ctx: RequestContext, upload: ResumableUpload): Promise<ReadonlyMap<number, number>> {
    const { pending, storeUploadId, sizeBytes } = upload;
    const all = bySize(partsOf(upload));
    if (!pending) return all;
    if (storeUploadId === null) return new Map();
    const store = await this.storage.storeOf(ctx, pending.blob.account);
    const arrived = bySize(await store.parts.listParts(pending.blob.key, storeUploadId));
    if (arrived.size === all.size) return arrived;
    // A completion makes the blob before it deletes the parts, so the blob is looked up after them.
    const blob = await store.head(pending.blob.key);
    return blob?.sizeBytes === sizeBytes ? all : arrived;
  }

  private async urlOf(parts: PartUploads, upload: OpenUpload, part: UploadPart, expiresAt: Date): Promise<string> {
    const { pending, storeUploadId } = upload;
    if (parts.signedPartUrl && storeUploadId !== null) {
      return parts.signedPartUrl(pending.blob.key, storeUploadId, part, URL_SECONDS);
    }
    return this.tokens.urlOf(tokenOf(upload, part, expiresAt));
  }

  private async find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<OpenUpload> {
    const upload = await this.repository.find(ctx, scope, id);
    if (!upload || !isOpen(upload)) throw AppError.notFound('upload');
    return upload;
  }
}

const tokenOf = (
  { organizationId, projectId, id }: OpenUpload,
  { partNumber }: UploadPart,
  expiresAt: Date,
): PartUrlToken => ({ organizationId, projectId, id, partNumber, expiresAt });

const bySize = (parts: readonly UploadPart[]): ReadonlyMap<number, number> =>
  new Map(parts.map(({ partNumber, sizeBytes }) => [partNumber, sizeBytes]));

function noSuchPart(count: number): never {
  throw AppError.validation([{ field: 'part_numbers', messages: [`must be from 1 to ${count}`] }]);
}

const lost = (): AppError =>
  new AppError('not_found', {
    message: 'The store no longer has the parts of this upload, so it has ended. Start a new upload.',
  });

const invalidToken = (): AppError =>
  new AppError('not_found', { message: 'This part URL is invalid or has expired. Request a new one.' });
