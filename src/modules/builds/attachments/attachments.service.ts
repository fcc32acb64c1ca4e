import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { ownerOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { requireRoom } from '#kernel/quota';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { BillingService } from '#modules/billing';
import { HOSTED, StorageService } from '#modules/storage';
import { requireAnnouncedHash } from '../catalogue/build-draft';
import {
  architectureOf,
  type Attachment,
  type AttachmentDraft,
  MAX_ATTACHMENTS,
  type NewAttachment,
  requireContent,
} from './attachment';
import { AttachmentsRepository, type RemovedAttachment } from './attachments.repository';

/** The files beside the artifact of a build (docs/decisions/0076-attachments.md). */
@Injectable()
export class AttachmentsService {
  constructor(
    private readonly repository: AttachmentsRepository,
    private readonly billing: BillingService,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Checks that a build can have another attachment. Also called before the bytes are received, so that a client does not send a file in
   * vain. In a transaction, no other one adds files to the build or deletes it until the transaction ends.
   * @returns the names of its files.
   * @throws AppError not_found; quota_exceeded when the build has as many attachments as it can have.
   */
  async requireRoom(tx: RequestContext, scope: ProjectScope, buildId: string): Promise<readonly string[]> {
    const artifact = await this.repository.lockBuild(tx, scope, buildId);
    if (artifact === null) throw AppError.notFound('build');
    const attachments = await this.repository.list(tx, scope, buildId);
    const quota = { name: 'attachments_per_build', limit: MAX_ATTACHMENTS };
    requireRoom(quota, attachments.length, `This build has ${MAX_ATTACHMENTS} attachments. Delete one of them first.`);
    return [artifact, ...attachments.map(({ fileName }) => fileName)];
  }

  /**
   * Adds a stored file to a build. Locks the build. The caller ends the upload and calls `startStorage` in the same transaction, after this.
   * @throws AppError those of `requireRoom`; already_exists when the build has a file of this name; invalid_input when the file is not what
   * the draft says.
   */
  async create(
    tx: RequestContext,
    scope: ProjectScope,
    buildId: string,
    file: NewAttachment,
    draft: AttachmentDraft,
  ): Promise<Attachment> {
    requireAnnouncedHash(file.sha256, draft);
    requireContent(file, draft);
    const { fileName, sizeBytes, sha512, blob } = file;
    const names = await this.requireRoom(tx, scope, buildId);
    if (names.includes(fileName)) {
      throw new AppError('already_exists', {
        message: `This build has a file ${fileName}. Delete that attachment first, or rename the file.`,
      });
    }
    const uploader = ownerOf(tx.identity);
    const attachment = await this.repository.insert(tx, {
      ...scopeOf(scope),
      id: newId(),
      buildId,
      kind: draft.kind,
      arch: architectureOf(file, draft),
      fileName,
      sizeBytes: String(sizeBytes),
      sha256: Buffer.from(file.sha256, 'hex'),
      sha512,
      signature: draft.signature ?? null,
      storageAccount: blob.account,
      blobKey: blob.key,
      uploadedByKind: uploader.kind,
      uploadedById: uploader.id,
      createdAt: tx.clock.now(),
    });
    await this.record(tx, 'attachment.created', attachment);
    return attachment;
  }

  /**
   * Starts metering the storage of an attachment in the hosted store. Locks the billing account, which must be locked last.
   * @param uploadId the upload that made it.
   */
  async startStorage(
    tx: RequestContext,
    { id, organizationId, sizeBytes, blob }: Attachment,
    uploadId: string,
  ): Promise<void> {
    if (blob.account !== HOSTED) return;
    await this.billing.startStorage(tx, { organizationId, buildId: id, sizeBytes, isHosted: true }, uploadId);
  }

  /** The attachments of a build, the oldest first. The caller knows that the project has the build. */
  listOf(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<Attachment[]> {
    return this.repository.list(ctx, scope, buildId);
  }

  /** @throws AppError not_found when the build has no such attachment. */
  async get(ctx: RequestContext, scope: ProjectScope, buildId: string, id: string): Promise<Attachment> {
    const attachment = (await this.repository.list(ctx, scope, buildId)).find((each) => each.id === id);
    if (!attachment) throw missing();
    return attachment;
  }

  /** The newest block map of this name of the builds of a version and platform. Null when there is none. */
  findBlockmap(
    ctx: RequestContext,
    scope: ProjectScope,
    build: { readonly platform: Platform; readonly version: string; readonly fileName: string },
  ): Promise<Attachment | null> {
    return this.repository.findBlockmap(ctx, scope, build);
  }

  /** Deletes an attachment with its tickets, and stops its storage meter. A job deletes the bytes after the commit. @throws AppError not_found */
  async delete(ctx: RequestContext, scope: ProjectScope, buildId: string, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      if ((await this.repository.lockBuild(tx, scope, buildId)) === null) throw AppError.notFound('build');
      const attachment = await this.get(tx, scope, buildId, id);
      const removed = await this.repository.delete(tx, buildId, id);
      if (!removed) throw missing();
      await this.record(tx, 'attachment.deleted', attachment);
      await this.clear(tx, [removed]);
    });
  }

  /** Deletes the rows of the attachments of locked builds. The caller calls `clear` once it may lock the billing account. */
  deleteOfBuilds(tx: RequestContext, buildIds: readonly string[]): Promise<RemovedAttachment[]> {
    return this.repository.deleteOfBuilds(tx, buildIds);
  }

  /** Stops the storage meters of deleted attachments of one organization. A job deletes the bytes after the commit. */
  async clear(tx: RequestContext, removed: readonly RemovedAttachment[]): Promise<void> {
    const [first] = removed;
    if (!first) return;
    await this.storage.deleteAllLater(
      tx,
      removed.map(({ blob }) => blob),
    );
    await this.billing.endStorage(
      tx,
      first.organizationId,
      removed.map(({ id }) => id),
    );
  }

  /** Deletes the attachments of an organization whose build no longer exists. */
  async deleteUnattached(tx: RequestContext, organizationId: string): Promise<void> {
    await this.clear(tx, await this.repository.deleteUnattached(tx, organizationId));
  }

  /** Deletes the attachments whose build was deleted without them, by a process of an earlier release. */
  async sweep(ctx: RequestContext): Promise<void> {
    await forEachCollectingErrors(await this.repository.findOrganizationsWithUnattached(ctx), (organizationId) =>
      this.transactions.run(ctx, (tx) => this.deleteUnattached(tx, organizationId)),
    );
  }

  private record(
    tx: RequestContext,
    type: 'attachment.created' | 'attachment.deleted',
    { id, buildId, kind, fileName, sizeBytes, ...scope }: Attachment,
  ): Promise<void> {
    const payload = { attachment_id: id, build_id: buildId, kind, file_name: fileName, size_bytes: sizeBytes };
    return this.audit.record(tx, { type, ...scopeOf(scope), payload });
  }
}

const missing = (): AppError => AppError.notFound('attachment');
