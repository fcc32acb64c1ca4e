import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ArtifactRecord } from '#modules/builds';
import { ONE_PLAN } from '#infra/database/pool/statement-names';
import { changed, one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** The row of a key. From `buildId` on, the columns are null together while the key opens nothing. */
export interface OpenedKeyRow {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly channelId: string | null;
  readonly platform: Platform;
  readonly lastUsedAt: Date | null;
  readonly minSupported: string | null;
  readonly mandatory: boolean;
  readonly sequence: number | null;
  readonly buildId: string | null;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly notes: string | null;
  readonly sizeBytes: string;
  readonly sha256: string;
  readonly sha512: Buffer | null;
  readonly fileName: string;
  readonly artifact: ArtifactRecord;
  readonly since: Date;
  readonly updateSignature: string | null;
  readonly isCounted: boolean;
}

/**
 * One statement, because every copy of every app sends it at every start. Each join finds at most one row by an index: the key by its
 * digest, the current release by channel and platform, without a channel the newest build by project and platform, the build, its
 * signature and the count of the installation by id.
 */
const OPEN = `
  SELECT k.id, k.organization_id AS "organizationId", k.project_id AS "projectId", k.channel_id AS "channelId", k.platform,
         k.last_used_at AS "lastUsedAt", m.version AS "minSupported",
         coalesce(r.mandatory, false) AS mandatory, r.sequence, b.id AS "buildId", b.version, b.build_number AS "buildNumber",
         coalesce(r.notes, b.notes) AS notes, b.size_bytes AS "sizeBytes", encode(b.sha256, 'hex') AS sha256, b.sha512,
         b.file_name AS "fileName", b.artifact, coalesce(r.promoted_at, b.uploaded_at) AS since, s.signature AS "updateSignature",
         EXISTS (SELECT FROM build_installation n WHERE n.build_id = b.id AND n.digest = $2) AS "isCounted"
  FROM update_key k
  LEFT JOIN current_release c ON c.channel_id = k.channel_id AND c.platform = k.platform
  LEFT JOIN release r ON r.id = c.release_id
  LEFT JOIN min_supported_version m ON m.project_id = k.project_id AND m.platform = k.platform
  LEFT JOIN LATERAL (
    SELECT id FROM build
    WHERE k.channel_id IS NULL AND project_id = k.project_id AND platform = k.platform
    ORDER BY id DESC LIMIT 1
  ) newest ON true
  LEFT JOIN build b ON b.id = coalesce(r.build_id, newest.id)
  LEFT JOIN update_signature s ON s.build_id = b.id
  WHERE k.digest = $1 ${ONE_PLAN}`;

@Injectable()
export class CurrentBuildsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** @param installation the digest of the installation that checks, if it sent its id. */
  find(ctx: RequestContext, digest: Buffer, installation?: Buffer): Promise<OpenedKeyRow | null> {
    return one<OpenedKeyRow>(this.transactions.manager(ctx), OPEN, [digest, installation ?? null]);
  }

  /** Records the use of a key, unless one was recorded after `before`. */
  async recordUse(ctx: RequestContext, id: string, before: Date): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      'UPDATE update_key SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)',
      [id, ctx.clock.now(), before],
    );
  }
}
