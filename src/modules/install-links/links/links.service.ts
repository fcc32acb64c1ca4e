import { Injectable } from '@nestjs/common';
import { isDeveloper } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { type Quota, requireRoom } from '#kernel/quota';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { type LinkTarget } from '../install-links.repository';
import { InstallLinksService } from '../install-links.service';
import { type GrantHolder } from '../rules/grant-holders';
import { GRANT_LIFETIME_MS, LinkGrants } from '../rules/link-grants';
import { restricts, stateOf } from '../rules/link-rule';
import { type CheckedRules, LinkRuleChangesService } from '../rules/link-rule-changes.service';
import { LinkRulesRepository } from '../rules/link-rules.repository';
import { type Link, type LinkChange, type LinkDraft } from './link';
import { LinkCountViews, NO_COUNTS } from './link-counts';
import { type LinkFilter, type LinkRow, LinksRepository } from './links.repository';

/** The maximum number of links of a build or channel. */
const QUOTA: Quota = { name: 'links_per_build_or_channel', limit: 100 };

type LinkEvent = 'link.created' | 'link.updated' | 'link.rotated' | 'link.deleted';

/** The links of builds and channels. Each object has a default link, and may have further ones with names and rules of their own. */
@Injectable()
export class LinksService {
  /** Keeps a build from being deleted until the transaction ends. False when it does not exist. The builds module knows the builds. */
  readonly keepBuild = new Hook<[tx: RequestContext, scope: ProjectScope, buildId: string], boolean>();

  constructor(
    private readonly repository: LinksRepository,
    private readonly rules: LinkRulesRepository,
    private readonly changes: LinkRuleChangesService,
    private readonly installLinks: InstallLinksService,
    private readonly grants: LinkGrants,
    private readonly views: LinkCountViews,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** The links of a project, or of one of its builds or channels, newest first. */
  async list(ctx: RequestContext, scope: ProjectScope, filter: LinkFilter, request: PageRequest): Promise<Page<Link>> {
    const page = await this.repository.list(ctx, scope, filter, request);
    return { ...page, items: await this.withRules(ctx, scope, page.items) };
  }

  /** @throws AppError not_found */
  async get(ctx: RequestContext, scope: ProjectScope, id: string): Promise<Link> {
    const row = await this.repository.find(ctx, scope, id);
    if (!row) throw missingLink();
    const [link] = await this.withRules(ctx, scope, [row]);
    return link as Link;
  }

  /**
   * Creates a link of a build or of a channel.
   * @throws AppError not_found; invalid_input unless exactly one of them is named, and for contradictory rules; quota_exceeded.
   */
  async create(ctx: RequestContext, scope: ProjectScope, draft: LinkDraft): Promise<Link> {
    const target = targetOf(draft);
    const checked = await this.changes.check(ctx, draft);
    return this.transactions.run(ctx, async (tx) => {
      await this.lockTarget(tx, scope, target);
      const used = await this.repository.count(tx, target);
      requireRoom(QUOTA, used, `A build or channel can have ${QUOTA.limit} links. Delete some first.`);
      const { row } = this.installLinks.newLink(tx, scope, target, { name: draft.name, isDefault: false });
      await this.repository.insert(tx, row);
      await this.applyRules(tx, row, draft.name, checked);
      return this.recorded(tx, scope, row.id, 'link.created');
    });
  }

  /** @throws AppError not_found; invalid_input for contradictory rules. */
  async update(ctx: RequestContext, scope: ProjectScope, id: string, change: LinkChange): Promise<Link> {
    const checked = await this.changes.check(ctx, change);
    return this.transactions.run(ctx, async (tx) => {
      const row = await this.lock(tx, scope, id);
      await this.applyRules(tx, row, change.name === undefined ? row.name : change.name, checked);
      return this.recorded(tx, scope, id, 'link.updated');
    });
  }

  /** Replaces the token of a link. The old URL, and the download URLs minted through it, stop working immediately. @throws AppError not_found */
  async rotate(ctx: RequestContext, scope: ProjectScope, id: string): Promise<Link> {
    return this.transactions.run(ctx, async (tx) => {
      await this.lock(tx, scope, id);
      await this.installLinks.replaceToken(tx, id);
      return this.recorded(tx, scope, id, 'link.rotated');
    });
  }

  /** An address that opens a link for the caller without its password or code. A link for members still shows its terms. @throws AppError not_found; operation_not_allowed */
  async grant(ctx: RequestContext, scope: ProjectScope, id: string): Promise<{ url: string; expiresAt: Date }> {
    const { url, rule } = await this.get(ctx, scope, id);
    const now = ctx.clock.now();
    if (url === null || stateOf(rule, now) !== 'live')
      throw new AppError('operation_not_allowed', {
        message: 'The link has expired or reached its maximum of downloads. Change its rules first.',
        details: { reason: 'link_ended' },
      });
    if (rule === null || !restricts(rule)) return { url, expiresAt: new Date(now.getTime() + GRANT_LIFETIME_MS) };
    // Only members open a link with the access `members`, so its terms are for them.
    const accepted = rule.access !== 'members';
    const granted = this.grants.issue(ctx, id, { version: rule.version, accepted, holder: callerOf(ctx) });
    return { url: `${url}/g/${granted.grant}`, expiresAt: granted.expiresAt };
  }

  /** @throws AppError not_found; operation_not_allowed for a default link. */
  async delete(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const { isDefault } = await this.lock(tx, scope, id);
      if (isDefault)
        throw new AppError('operation_not_allowed', {
          message: 'The default link of a build or channel cannot be deleted. Rotate it, or give it rules.',
          details: { reason: 'default_link' },
        });
      await this.recorded(tx, scope, id, 'link.deleted');
      await this.repository.delete(tx, id);
    });
  }

  /**
   * The lock of the default link also serializes the counting. A deletion locks the build, then its links, so the build is locked first.
   * @throws AppError not_found
   */
  private async lockTarget(tx: RequestContext, scope: ProjectScope, target: LinkTarget): Promise<void> {
    const { buildId } = target;
    if (buildId !== null && !(await this.keepBuild.run(tx, scope, buildId)).every(Boolean))
      throw AppError.notFound('build');
    if (!(await this.installLinks.lockDefault(tx, scope, target)))
      throw AppError.notFound(buildId === null ? 'channel' : 'build');
  }

  private async applyRules(
    tx: RequestContext,
    row: ProjectScope & { readonly id: string },
    name: string | null,
    checked: CheckedRules,
  ): Promise<void> {
    const rule = await this.changes.apply(tx, row, checked);
    await this.repository.update(tx, row.id, { name, ruleVersion: rule && restricts(rule) ? rule.version : null });
  }

  private async lock(tx: RequestContext, scope: ProjectScope, id: string): Promise<LinkRow> {
    const row = await this.repository.lock(tx, scope, id);
    if (!row) throw missingLink();
    return row;
  }

  private async recorded(tx: RequestContext, scope: ProjectScope, id: string, type: LinkEvent): Promise<Link> {
    const link = await this.get(tx, scope, id);
    const payload = {
      link_id: id,
      ...(link.buildId !== null && { build_id: link.buildId }),
      ...(link.channelId !== null && { channel_id: link.channelId }),
      name: link.name,
      access: link.rule?.access ?? 'open',
    };
    await this.audit.record(tx, { type, ...scopeOf(scope), payload });
    return link;
  }

  private async withRules(ctx: RequestContext, scope: ProjectScope, links: readonly LinkRow[]): Promise<Link[]> {
    const ids = links.map(({ id }) => id);
    const rules = await this.rules.findMany(ctx, scope, ids);
    const counts = await this.views.count(ctx, ids);
    return links.map((row) => {
      const rule = rules.get(row.id) ?? null;
      const url = this.installLinks.urlOf(row);
      return { ...row, url, rule, terms: rule?.terms ?? null, counts: counts.get(row.id) ?? NO_COUNTS };
    });
  }
}

/** The member or the token that requests a grant. */
function callerOf({ identity }: RequestContext): GrantHolder | null {
  if (isDeveloper(identity)) return { kind: 'developer', id: identity.developerId };
  return identity.kind === 'project-token' ? { kind: 'project_access_token', id: identity.tokenId } : null;
}

/** @throws AppError invalid_input unless exactly one of the two is named. */
function targetOf({
  buildId = null,
  channelId = null,
}: {
  buildId?: string | null;
  channelId?: string | null;
}): LinkTarget {
  if ((buildId === null) === (channelId === null))
    throw AppError.invalidInput('one_target', 'Name either a build (`build_id`) or a channel (`channel_id`).');
  return { buildId, channelId };
}

const missingLink = (): AppError => AppError.notFound('link');
