import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { HttpConfig } from '#infra/config/config';
import { Sealer } from '#infra/crypto/sealer';
import { type SendBlobOptions } from '#infra/http/response/blob-response';
import { OrganizationsService } from '#modules/organizations';
import { HOSTED, StorageService } from '#modules/storage';
import { Archive, type ArchivedFile } from '../archive';
import { ExportedRows } from '../exported-rows';
import { type Subject } from '../subjects.service';
import { archiveKeyOf, type DataExport, type ExportedSoFar, type ExportProgress } from './data-export';
import { DataExportParts } from './data-export-parts';
import { DataExportsRepository } from './data-exports.repository';

const CONTEXT = 'data-export';
const FORM = /^[A-Za-z0-9_-]{43,200}$/;

/**
 * Links to archives. The ticket in a link is the sealed (encrypted and authenticated) id of the export, and the entire credential. Tickets
 * are not stored. A ticket opens nothing once the row of the export is deleted.
 */
@Injectable()
export class DataExportLinks {
  constructor(
    private readonly sealer: Sealer,
    private readonly config: HttpConfig,
  ) {}

  urlOf(id: string): string {
    const ticket = this.sealer.seal(Buffer.from(id), CONTEXT).toString('base64url');
    return `${this.config.baseUrl}/api/v1/exports/${ticket}`;
  }

  /** The id of the export; null when the ticket is invalid. */
  open(ticket: string): string | null {
    if (!FORM.test(ticket)) return null;
    const sealed = Buffer.from(ticket, 'base64url');
    // The last character of base64 may have unused bits: without this check, several tickets would open the same export.
    if (sealed.toString('base64url') !== ticket) return null;
    try {
      const id = this.sealer.open(sealed, CONTEXT).toString();
      return isUuid(id) ? id : null;
    } catch {
      return null;
    }
  }
}

/** Larger exports are made by the operator, who needs no archive in the store. */
const MAX_ARCHIVE_BYTES = 1_000_000_000;
/** Parts are compressed less than the archive. More than this cannot become an archive within the limit. */
export const MAX_BYTES_OF_PARTS = 2 * MAX_ARCHIVE_BYTES;

/** The archives of requested exports, in the hosted store, which all processes share. */
@Injectable()
export class DataExportArchives {
  constructor(
    private readonly repository: DataExportsRepository,
    private readonly parts: DataExportParts,
    private readonly exported: ExportedRows,
    private readonly storage: StorageService,
    private readonly organizations: OrganizationsService,
    private readonly links: DataExportLinks,
  ) {}

  /**
   * Makes the archive of the parts. Replaces the one of an earlier attempt.
   * @throws ArchiveTooLargeError
   */
  async write(
    ctx: RequestContext,
    subject: Subject,
    { id, progress }: { readonly id: string; readonly progress: ExportProgress },
    signal: AbortSignal,
  ): Promise<{ readonly sizeBytes: number; readonly sha256: Buffer }> {
    if (progress.bytes > MAX_BYTES_OF_PARTS) throw new ArchiveTooLargeError();
    const store = await this.storage.storeOf(ctx, HOSTED);
    const key = archiveKeyOf(id);
    await store.delete(key);
    const hash = createHash('sha256');
    const target = new PassThrough();
    let bytes = 0;
    const onChunk = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > MAX_ARCHIVE_BYTES) throw new ArchiveTooLargeError();
      hash.update(chunk);
    };
    const [written, filled] = await Promise.allSettled([
      store.write(key, target, { onChunk, signal }),
      this.fill(ctx, subject, progress, target).catch((error: unknown) => {
        // Ends the write of an archive that would be incomplete.
        target.destroy(error as Error);
        throw error;
      }),
    ]);
    // The error of the store, if there is one, is the reason why the archive ended.
    if (written.status === 'rejected') throw written.reason as Error;
    if (filled.status === 'rejected') throw filled.reason as Error;
    return { sizeBytes: written.value.sizeBytes, sha256: hash.digest() };
  }

  private async fill(
    ctx: RequestContext,
    subject: Subject,
    progress: ExportProgress,
    target: PassThrough,
  ): Promise<void> {
    const archive = new Archive(new Date(progress.since), target);
    const files: ArchivedFile[] = [];
    for (const file of this.exported.filesOf(subject)) {
      const read = progress.files[file.name] as ExportedSoFar;
      await archive.add(`${file.name}.json`, Readable.from(this.parts.textOf(ctx, read), { objectMode: false }));
      files.push({ ...file, rows: read.rows });
    }
    await archive.end(subject, files);
  }

  /**
   * Opens the archive of a link.
   * @throws AppError not_found when the link is invalid or has expired, or when the developer may no longer export the subject.
   */
  async open(ctx: RequestContext, ticket: string): Promise<SendBlobOptions> {
    const id = this.links.open(ticket);
    const found = id && (await this.repository.find(ctx, id));
    if (!found || !found.archive || !(await this.mayStillExport(ctx, found))) throw unusableLink();
    const { subject, archive, createdAt } = found;
    const store = await this.storage.storeOf(ctx, HOSTED);
    const fileName = `agate-${subject.kind}-${createdAt.toISOString().slice(0, 10)}.zip`;
    return {
      store,
      key: archiveKeyOf(found.id),
      ...archive,
      fileName,
      mediaType: 'application/zip',
      delivery: 'stream',
    };
  }

  private async mayStillExport(ctx: RequestContext, { subject, requestedBy }: DataExport): Promise<boolean> {
    // The deletion of an account deletes the rows of its exports.
    if (subject.kind === 'developer') return true;
    const roles = await this.organizations.findRoles(ctx, subject.id, requestedBy);
    return roles?.includes('ADMIN') ?? false;
  }
}

export class ArchiveTooLargeError extends Error {}

const unusableLink = (): AppError =>
  new AppError('not_found', { message: 'This link is invalid or has expired. Request a new export.' });
