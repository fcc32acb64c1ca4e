import { ApiError, type Client } from '@agate/client';
import { sizeOf } from '../output/progress';
import { type Check, ok, warning } from './check';

const NAME = 'open_uploads';

/** The share of the limit from which the reader is warned. */
const HIGH = 0.9;

/** A credential that another check found valid may be of a kind that the quotas do not accept (401), or lack a role or scope (403). */
const REFUSALS: ReadonlySet<number> = new Set([401, 403]);

/**
 * Whether the open uploads of the organization leave room for more. Null when they are not limited, and for credentials that may not read
 * the quotas of an organization, such as project access tokens.
 */
export async function openUploadsCheck(client: Client, organizationId: string): Promise<Check | null> {
  try {
    const path = { organization_id: organizationId };
    const { quotas } = await client.request('GET /organizations/{organization_id}/quotas', { path });
    const quota = quotas.find((entry) => entry.quota === 'open_upload_bytes');
    if (!quota) return null;
    const { used, limit } = quota;
    const message = `Open uploads of the organization hold ${sizeOf(used)} of at most ${sizeOf(limit)}.`;
    if (used < HIGH * limit) return ok(NAME, message);
    return warning(
      NAME,
      message,
      'Complete or discard open uploads in the dashboard. They expire a day after their last use.',
    );
  } catch (error) {
    if (error instanceof ApiError && REFUSALS.has(error.status)) return null;
    throw error;
  }
}
