import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { Logger } from '#infra/logging/logger';
import { clientNetwork, customerNetwork } from '#infra/network/client-network';
import { RateLimiter } from '#infra/rate-limit/rate-limiter';
import { BuildInstallationsService } from '#modules/builds';
import { ReleasesService } from '#modules/releases';
import { MAX_INT, type OpenedBuild, type OpenedKey, releaseNumberOf } from '../current/current-build';

/** The report of an App Center SDK that an update was installed. */
interface InstallationReport {
  readonly installId: string;
  /** The `id` of the release that the SDK downloaded. */
  readonly releaseNumber: number;
}

const MAX_ID_LENGTH = 128;

/** Null when the query is not a report. */
export function installationReport(query: {
  readonly install_id?: unknown;
  readonly downloaded_release_id?: unknown;
}): InstallationReport | null {
  const { install_id: installId, downloaded_release_id: sent } = query;
  if (typeof installId !== 'string' || installId === '' || installId.length > MAX_ID_LENGTH) return null;
  const releaseNumber = typeof sent === 'string' && /^\d{1,10}$/.test(sent) ? Number(sent) : 0;
  return releaseNumber > 0 && releaseNumber <= MAX_INT ? { installId, releaseNumber } : null;
}

const DIGEST_BYTES = 16;

/**
 * The maximum number of installations of a build that are counted for one client network and day. One network alone does not reach the
 * maximum of a build before its reports expire, so that invented ids do not displace those of others.
 */
const MAX_PER_NETWORK_AND_DAY = 500;
const DAY_SECONDS = 86_400;

/**
 * Counts the installations that reported to run a build. An app chooses its id, and a key is public: the counts are claims, sufficient to
 * see whether testers run the builds that they downloaded.
 */
@Injectable()
export class InstallationsService {
  constructor(
    private readonly builds: BuildInstallationsService,
    private readonly releases: ReleasesService,
    private readonly digests: KeyedDigest,
    private readonly limiter: RateLimiter,
    private readonly logger: Logger,
  ) {}

  /** Identifies an installation among those with a key, so that its id is not stored. Installations with other keys cannot be related. */
  digestOf(key: string, installId: string): Buffer {
    return this.digests.of(`build_installation|${key}`, installId).subarray(0, DIGEST_BYTES);
  }

  /**
   * Counts the installation that opened a key.
   * @param number the build that it reports. Absent: the current one.
   */
  async count(ctx: RequestContext, opened: OpenedBuild, digest: Buffer, number?: number): Promise<void> {
    const isCurrent = number === undefined || number === releaseNumberOf(opened);
    if (isCurrent && opened.isCounted) return;
    try {
      const buildId = isCurrent ? opened.build.id : await this.findBuildId(ctx, opened, number);
      if (buildId === null || !(await this.isAdmitted(ctx, buildId))) return;
      await this.builds.add(ctx, scopeOf(opened), buildId, digest);
    } catch (error) {
      // A failure is only logged: checks work while the database rejects writes.
      this.logger.warn({ err: error }, 'An installation was not counted');
    }
  }

  /**
   * The build that a key returned with this number (`releaseNumberOf`): for a channel the number of the release, for a project the second
   * of the upload. Null when there is none.
   */
  private findBuildId(ctx: RequestContext, key: OpenedKey, number: number): Promise<string | null> {
    const { channelId, platform } = key;
    return channelId === null
      ? this.builds.findUploadedIn(ctx, key, platform, number)
      : this.releases.findBuildId(ctx, channelId, platform, number);
  }

  private isAdmitted({ sourceIp }: RequestContext, buildId: string): Promise<boolean> {
    const network = customerNetwork(sourceIp) ?? clientNetwork(sourceIp);
    const key = `installations|${buildId}|${network}`;
    return this.limiter.admits({ key, limit: MAX_PER_NETWORK_AND_DAY, windowSeconds: DAY_SECONDS });
  }
}
