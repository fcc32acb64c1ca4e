import { type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type ProjectScope } from '#kernel/context/scope';
import { StorageService } from '#modules/storage';
import { type PartUploads, type UploadPart } from '#infra/blob/blob-store';
import { PartUrlTokens } from './part-url-tokens';
import {
  cleanupOf,
  isOpen,
  type OpenUpload,
  partsOf,
  type PartUrl,
  type ResumableUpload,
  type UploadProgress,
} from './resumable-upload';
import { ResumableUploadsRepository } from './resumable-uploads.repository';
import { UploadsService } from '../uploads/uploads.service';

/** As long as the room for an upload is held without use, so that a part that may be sent has its room. */
const URL_SECONDS = 30 * 60;

/** A part that is about to be sent to this service. */
export interface IncomingPart {
  readonly part: UploadPart;
  readonly write: (body: Readable) => Promise<void>;
}

/** The parts of resumable uploads: where they are sent, and which have arrived. */
@Injectable()
export class UploadPartsService {
  constructor(
    private readonly repository: ResumableUploadsRepository,
    private readonly uploads: UploadsService,
    private readonly storage: StorageService,
    private readonly tickets: PartUrlTokens,
  ) {}

  /** Asks the store: it alone knows what has arrived there. */
  async progressOf(ctx: RequestContext, upload: ResumableUpload): Promise<UploadProgress> {
    const arrived = await this.arrivedOf(ctx, upload);
    const has = ({ partNumber, sizeBytes }: UploadPart): boolean => arrived.get(partNumber) === sizeBytes;
    return { ...upload, parts: partsOf(upload).map((part) => ({ ...part, arrived: has(part) })) };
  }

  /**
   * Tells the store, once, that parts are to come: before any address is made, and in no transaction.
   * @throws AppError not_found for an upload that has ended, in a build or without.
   */
  async begin(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    const { storeUploadId, pending } = await this.find(ctx, scope, id);
    if (storeUploadId !== null) return;
    const { parts } = await this.storage.storeOf(ctx, pending.blob.account);
    const begun = await parts.begin(pending.blob.key);
    const noted = await this.repository.noteStoreUploadId(ctx, id, begun);
    if (noted !== begun) await parts.abort(pending.blob.key, begun);
  }

  /** Addresses that take the parts. Billing-gated: room that was returned while nothing was sent is reserved again. */
  async urls(ctx: RequestContext, scope: ProjectScope, id: string, numbers: readonly number[]): Promise<PartUrl[]> {
    const upload = await this.find(ctx, scope, id);
    const all = partsOf(upload);
    const wanted = numbers.map((number) => all[number - 1] ?? noSuchPart(all.length));
    await this.uploads.hold(ctx, cleanupOf(upload), upload.sizeBytes);
    const expiresAt = new Date(ctx.clock.now().getTime() + URL_SECONDS * 1000);
    const { parts } = await this.storage.storeOf(ctx, upload.pending.blob.account);
    return Promise.all(
      wanted.map(async (part) => ({ ...part, url: await this.urlOf(parts, upload, part, expiresAt), expiresAt })),
    );
  }

  /** @throws AppError not_found for a ticket that is no good (any more). */
  async open(ctx: RequestContext, ticket: string): Promise<IncomingPart> {
    const leave = this.tickets.open(ticket, ctx.clock);
    const upload = leave && (await this.repository.find(ctx, leave, leave.id));
    const part = upload && partsOf(upload)[leave.partNumber - 1];
    if (!part || !isOpen(upload) || upload.storeUploadId === null) throw endedTicket();
    const { id, storeUploadId, pending } = upload;
    await this.uploads.keep(ctx, id);
    const { parts } = await this.storage.storeOf(ctx, pending.blob.account);
    const write = async (body: Readable): Promise<void> => {
      await parts.writePart(pending.blob.key, storeUploadId, part, body);
    };
    return { part, write };
  }

  /** The parts that are there, by number, with their sizes. */
  private async arrivedOf(ctx: RequestContext, upload: ResumableUpload): Promise<ReadonlyMap<number, number>> {
    const { pending, storeUploadId, sizeBytes } = upload;
    const all = bySize(partsOf(upload));
    if (!pending) return all;
    if (storeUploadId === null) return new Map();
    const store = await this.storage.storeOf(ctx, pending.blob.account);
    const arrived = bySize(await store.parts.listParts(pending.blob.key, storeUploadId));
    if (arrived.size === all.size) return arrived;
    // Whoever completes it, or died completing it, has made the blob before its parts go: it is asked for after them.
    const whole = await store.head(pending.blob.key);
    return whole?.sizeBytes === sizeBytes ? all : arrived;
  }

  private async urlOf(parts: PartUploads, upload: OpenUpload, part: UploadPart, expiresAt: Date): Promise<string> {
    const { pending, storeUploadId, organizationId, projectId, id } = upload;
    if (parts.signedPartUrl && storeUploadId !== null) {
      return parts.signedPartUrl(pending.blob.key, storeUploadId, part, URL_SECONDS);
    }
    return this.tickets.urlOf({ organizationId, projectId, id, partNumber: part.partNumber, expiresAt });
  }

  private async find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<OpenUpload> {
    const upload = await this.repository.find(ctx, scope, id);
    if (!upload || !isOpen(upload)) throw AppError.notFound('upload');
    return upload;
  }
}

const bySize = (parts: readonly UploadPart[]): ReadonlyMap<number, number> =>
  new Map(parts.map(({ partNumber, sizeBytes }) => [partNumber, sizeBytes]));

function noSuchPart(count: number): never {
  throw AppError.validation([{ field: 'part_numbers', messages: [`must be from 1 to ${count}`] }]);
}

const endedTicket = (): AppError =>
  new AppError('not_found', { message: 'This address of a part has run out or never was. Ask for a new one.' });
