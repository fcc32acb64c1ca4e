import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BYTES_PER_MB, priceOf } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { Sealer, SealError } from '#infra/crypto/sealer';
import { TariffService } from '#modules/billing';
import { DeletableBuilds, type DeletionSums, digestOfIds, type Selection } from './deletable-builds';

/** The time for which a preview can be acted on. */
const VALID_MS = 3_600_000;

/** The builds that would be deleted, and the proof that the caller has seen them. */
export interface DeletionPreview extends Omit<DeletionSums, 'hostedBytes' | 'digest'> {
  readonly savesMicroUsdPerMonth: bigint;
  readonly fingerprint: string;
  /** When the fingerprint expires. */
  readonly expiresAt: Date;
}

/** The content of a fingerprint: what was previewed, and what it selected. */
export interface Previewed {
  /** The digest of the text that describes what was previewed: rules are longer than a fingerprint may be. */
  readonly subject: string;
  /** When it was previewed, in milliseconds. */
  readonly time: number;
  /** The newest build of that time. */
  readonly newestId: string | null;
  /** Recognizes the builds that were previewed, without those that were deleted since. */
  readonly digest: bigint;
}

/** Previews deletions of several builds. A fingerprint is sealed, so no row is stored for a preview. */
@Injectable()
export class DeletionPreviews {
  constructor(
    private readonly builds: DeletableBuilds,
    private readonly tariff: TariffService,
    private readonly sealer: Sealer,
  ) {}

  /** @param text describes what is previewed. Equal texts mean equal selections. */
  async of(
    ctx: RequestContext,
    scope: ProjectScope,
    text: string,
    selectionAt: (newestId: string | null) => Selection,
  ): Promise<DeletionPreview> {
    const newestId = await this.builds.newestId(ctx, scope);
    const { hostedBytes, digest, ...sums } = await this.builds.sum(ctx, scope, selectionAt(newestId));
    const time = ctx.clock.now().getTime();
    return {
      ...sums,
      savesMicroUsdPerMonth: priceOf(BigInt(hostedBytes), BYTES_PER_MB, this.tariff.current.prices.storage),
      fingerprint: this.seal(scope, { subject: subjectOf(text), time, newestId, digest }),
      expiresAt: new Date(time + VALID_MS),
    };
  }

  /**
   * @returns what was previewed.
   * @throws AppError operation_not_allowed when the fingerprint is not of a preview of `text` within the last hour.
   */
  require(ctx: RequestContext, scope: ProjectScope, text: string, fingerprint: string): Previewed {
    const previewed = this.open(scope, fingerprint);
    if (previewed?.subject !== subjectOf(text)) throw isRequired();
    if (ctx.clock.now().getTime() - previewed.time >= VALID_MS) throw isExpired();
    return previewed;
  }

  /** The fingerprint of the builds of a preview that are left when some of them are deleted. It expires with the preview. */
  without(scope: ProjectScope, previewed: Previewed, ids: readonly string[]): string {
    return this.seal(scope, { ...previewed, digest: previewed.digest - digestOfIds(ids) });
  }

  private seal(scope: ProjectScope, { digest, ...previewed }: Previewed): string {
    const content = JSON.stringify({ ...previewed, digest: String(digest) });
    return this.sealer.seal(Buffer.from(content), contextOf(scope)).toString('base64url');
  }

  private open(scope: ProjectScope, fingerprint: string): Previewed | null {
    try {
      const opened = this.sealer.open(Buffer.from(fingerprint, 'base64url'), contextOf(scope));
      const { digest, ...previewed } = JSON.parse(opened.toString()) as Omit<Previewed, 'digest'> & { digest: string };
      return { ...previewed, digest: BigInt(digest) };
    } catch (error) {
      if (error instanceof SealError) return null;
      throw error;
    }
  }
}

const contextOf = ({ organizationId, projectId }: ProjectScope): string =>
  `deletion-preview|${organizationId}|${projectId}`;

const subjectOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const isRequired = (): AppError =>
  new AppError('operation_not_allowed', {
    message: 'Preview it first, and send its fingerprint.',
    details: { reason: 'preview_required' },
  });

const isExpired = (): AppError =>
  new AppError('operation_not_allowed', {
    message: 'The preview is more than an hour old. Preview it again.',
    details: { reason: 'preview_expired' },
  });
