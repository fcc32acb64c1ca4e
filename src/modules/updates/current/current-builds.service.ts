import { Injectable } from '@nestjs/common';
import { digestOf, isWellFormedToken } from '#kernel/access/token-format';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Logger } from '#infra/logging/logger';
import { UpdateKeysRepository } from '../keys/update-keys.repository';
import { type CurrentBuild, type OpenedBuild, type OpenedKey } from './current-build';
import { CurrentBuilds, type OpenedKeyRow } from './current-builds';

/** The last use of a key is exact to a day, so that checks do not write. */
const USE_PRECISION_MS = 24 * 3_600_000;

/** Finds the build that an update key opens now. */
@Injectable()
export class CurrentBuildsService {
  constructor(
    private readonly currentBuilds: CurrentBuilds,
    private readonly keys: UpdateKeysRepository,
    private readonly logger: Logger,
  ) {}

  /**
   * @param installation the digest of the installation that checks, if it sent its id.
   * @throws AppError not_found for an unknown, rotated, revoked or malformed key.
   */
  async open(ctx: RequestContext, token: string, installation?: Buffer): Promise<OpenedKey> {
    const row = isWellFormedToken(token, 'ag_upd_')
      ? await this.currentBuilds.find(ctx, digestOf(token), installation)
      : null;
    if (!row)
      throw new AppError('not_found', { message: 'This update key does not work. Create or look up a valid one.' });
    await this.recordUse(ctx, row);
    const { id, organizationId, projectId, channelId, platform, minSupported, isCounted } = row;
    const key = { id, token, organizationId, projectId, channelId, platform, minSupported };
    return { ...key, isCounted, build: this.buildOf(row) };
  }

  /** Like `open`. @throws AppError not_found also while the key opens no build. */
  async require(ctx: RequestContext, token: string, installation?: Buffer): Promise<OpenedBuild> {
    const opened = await this.open(ctx, token, installation);
    const { build } = opened;
    if (!build) throw new AppError('not_found', { message: 'There is no build for this update key yet.' });
    return { ...opened, build };
  }

  private buildOf(row: OpenedKeyRow): CurrentBuild | null {
    const {
      buildId,
      version,
      buildNumber,
      notes,
      sha256,
      sha512,
      fileName,
      artifact,
      mandatory,
      sequence,
      since,
      updateSignature,
    } = row;
    if (buildId === null) return null;
    return {
      id: buildId,
      version,
      buildNumber,
      sizeBytes: Number(row.sizeBytes),
      sha256,
      sha512: sha512?.toString('base64') ?? null,
      fileName,
      artifact,
      notes,
      mandatory,
      sequence,
      since,
      updateSignature,
    };
  }

  /** A failure is only logged: checks work while the database rejects writes. */
  private async recordUse(ctx: RequestContext, { id, lastUsedAt }: OpenedKeyRow): Promise<void> {
    const before = new Date(ctx.clock.now().getTime() - USE_PRECISION_MS);
    if (lastUsedAt !== null && lastUsedAt > before) return;
    try {
      await this.keys.recordUse(ctx, id, before);
    } catch (error) {
      this.logger.warn({ err: error }, 'The last use of an update key was not recorded');
    }
  }
}
