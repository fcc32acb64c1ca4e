import { maySeeInstallLinks } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';
import { qrUrlOf } from '../install-links.service';
import { type LinkRule, needsGrant, stateOf } from '../rules/link-rule';
import { type Link, type LinkRulesDraft } from './link';
import { type LinkResponse, type LinkRulesRequest } from './links.dto';

export function toLinkResponse(ctx: RequestContext, link: Link): LinkResponse {
  const url = maySeeInstallLinks(ctx) ? link.url : null;
  return {
    id: link.id,
    organization_id: link.organizationId,
    project_id: link.projectId,
    build_id: link.buildId,
    channel_id: link.channelId,
    name: link.name,
    is_default: link.isDefault,
    ...(link.rule === null ? WITHOUT_RULES : toRules(link.rule, link.terms)),
    downloads: link.counts.downloads,
    testers: link.counts.testers,
    state: stateOf(link.rule, ctx.clock.now()),
    install_url: url,
    qr_url: link.rule !== null && needsGrant(link.rule) ? null : qrUrlOf(url),
    created_at: link.createdAt.toISOString(),
  };
}

type RulesResponse = Pick<LinkResponse, 'access' | 'expires_at' | 'max_downloads' | 'used_downloads' | 'terms'>;

const WITHOUT_RULES: RulesResponse = {
  access: 'open',
  expires_at: null,
  max_downloads: null,
  used_downloads: 0,
  terms: null,
};

const toRules = (rule: LinkRule, terms: string | null): RulesResponse => ({
  access: rule.access,
  expires_at: rule.expiresAt?.toISOString() ?? null,
  max_downloads: rule.maxDownloads,
  used_downloads: rule.usedDownloads,
  terms: rule.termsVersion === null || terms === null ? null : { text: terms, version: rule.termsVersion },
});

/** The rules in a request. */
export const toRulesDraft = (body: LinkRulesRequest): LinkRulesDraft => ({
  access: body.access,
  password: body.password,
  expiresAt: body.expires_at ? new Date(body.expires_at) : (body.expires_at as null | undefined),
  maxDownloads: body.max_downloads,
  terms: body.terms,
});
