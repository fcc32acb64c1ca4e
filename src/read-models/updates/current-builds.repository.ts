import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { ONE_PLAN } from '#infra/database/pool/statement-names';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { isLive, LIVE } from '#modules/builds';
import { CurrentBuilds, type OpenedKeyRow } from '#modules/updates';

/**
 * One statement, because every copy of every app sends it at every start. Each join finds at most one row by an index: the key by its
 * digest, the current release by channel and platform, without a channel the newest build by project and platform, the build, its
 * signature and the count of the installation by id. With the organization beside the id of the build, a plan that was made for few builds
 * and chose the index of organizations still reads one entry.
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
    WHERE k.channel_id IS NULL AND project_id = k.project_id AND platform = k.platform AND ${LIVE}
    ORDER BY id DESC LIMIT 1
  ) newest ON true
  LEFT JOIN build b ON b.organization_id = k.organization_id AND b.id = coalesce(r.build_id, newest.id) AND ${isLive('b')}
  LEFT JOIN update_signature s ON s.build_id = b.id
  WHERE k.digest = $1 ${ONE_PLAN}`;

@Injectable()
export class CurrentBuildsRepository extends CurrentBuilds {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  find(ctx: RequestContext, digest: Buffer, installation?: Buffer): Promise<OpenedKeyRow | null> {
    return one<OpenedKeyRow>(this.transactions.manager(ctx), OPEN, [digest, installation ?? null]);
  }
}
