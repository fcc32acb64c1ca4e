import { maySeeInstallLinks } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';
import { qrUrlOf } from '../install-links.service';
import { stateOf } from '../rules/link-rule';
import { type Link, type LinkRulesDraft } from './link';
import { type LinkResponse, type LinkRulesRequest } from './links.dto';

export function toLinkResponse(ctx: RequestContext, link: Link): LinkResponse {
  const { rule, terms } = link;
  const url = maySeeInstallLinks(ctx) ? link.url : null;
  const isGuarded = rule !== null && (rule.access !== 'open' || rule.termsVersion !== null);
  return {
    id: link.id,
    organization_id: link.organizationId,
    project_id: link.projectId,
    build_id: link.buildId,
    channel_id: link.channelId,
    name: link.name,
    is_default: link.isDefault,
    access: rule?.access ?? 'open',
    expires_at: rule?.expiresAt?.toISOString() ?? null,
    max_downloads: rule?.maxDownloads ?? null,
    used_downloads: rule?.usedDownloads ?? 0,
    terms: rule?.termsVersion && terms !== null ? { text: terms, version: rule.termsVersion } : null,
    state: stateOf(rule, ctx.clock.now()),
    install_url: url,
    qr_url: isGuarded ? null : qrUrlOf(url),
    created_at: link.createdAt.toISOString(),
  };
}

/** The rules in a request. */
export const toRulesDraft = (body: LinkRulesRequest): LinkRulesDraft => ({
  access: body.access,
  password: body.password,
  expiresAt: body.expires_at ? new Date(body.expires_at) : (body.expires_at as null | undefined),
  maxDownloads: body.max_downloads,
  terms: body.terms,
});
