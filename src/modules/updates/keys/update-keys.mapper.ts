import { maySeeInstallLinks } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';
import { type UpdateKeyResponse } from './dto/update-key.response';
import { type UpdateKey } from './update-key';

/** @param urlOf the address that apps with a key request. */
export function toUpdateKeyResponse(
  ctx: RequestContext,
  key: UpdateKey,
  urlOf: (token: string) => string,
): UpdateKeyResponse {
  const visible = maySeeInstallLinks(ctx);
  return {
    id: key.id,
    organization_id: key.organizationId,
    project_id: key.projectId,
    channel_id: key.channelId,
    platform: key.platform,
    key: visible ? key.token : null,
    url: visible ? urlOf(key.token) : null,
    created_at: key.createdAt.toISOString(),
    rotated_at: key.rotatedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}
