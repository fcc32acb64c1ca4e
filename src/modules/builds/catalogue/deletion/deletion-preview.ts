import { Injectable } from '@nestjs/common';
import { BYTES_PER_MB, priceOf } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { Sealer, SealError } from '#infra/crypto/sealer';
import { TariffService } from '#modules/billing';
import { DeletableBuilds, type DeletionSums, type Selection } from './deletable-builds';

/** The time for which a preview can be acted on. */
const VALID_MS = 3_600_000;

/** The builds that would be deleted, and the proof that the caller has seen them. */
export interface DeletionPreview extends Omit<DeletionSums, 'hostedBytes'> {
  readonly savesMicroUsdPerMonth: bigint;
  readonly fingerprint: string;
  /** When the fingerprint expires. */
  readonly expiresAt: Date;
}

/** What a fingerprint proves: at `time`, what was described by `text` was previewed, of the builds up to `newestId`. */
interface Previewed {
  readonly text: string;
  readonly time: number;
  readonly newestId: string | null;
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
    const { hostedBytes, ...sums } = await this.builds.sum(ctx, scope, selectionAt(newestId));
    const time = ctx.clock.now().getTime();
    const previewed: Previewed = { text, time, newestId };
    return {
      ...sums,
      savesMicroUsdPerMonth: priceOf(BigInt(hostedBytes), BYTES_PER_MB, this.tariff.current.prices.storage),
      fingerprint: this.sealer.seal(Buffer.from(JSON.stringify(previewed)), contextOf(scope)).toString('base64url'),
      expiresAt: new Date(time + VALID_MS),
    };
  }

  /**
   * @returns the newest build that existed at the preview.
   * @throws AppError operation_not_allowed when the fingerprint is not of a preview of `text` within the last hour.
   */
  require(ctx: RequestContext, scope: ProjectScope, text: string, fingerprint: string): string | null {
    const previewed = this.open(scope, fingerprint);
    if (previewed?.text !== text) throw isRequired();
    if (ctx.clock.now().getTime() - previewed.time >= VALID_MS) throw isExpired();
    return previewed.newestId;
  }

  private open(scope: ProjectScope, fingerprint: string): Previewed | null {
    try {
      const opened = this.sealer.open(Buffer.from(fingerprint, 'base64url'), contextOf(scope));
      return JSON.parse(opened.toString()) as Previewed;
    } catch (error) {
      if (error instanceof SealError) return null;
      throw error;
    }
  }
}

const contextOf = ({ organizationId, projectId }: ProjectScope): string =>
  `deletion-preview|${organizationId}|${projectId}`;

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
