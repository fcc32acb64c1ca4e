import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { newId } from '#kernel/ids';
import { type Quota, type QuotaUse, requireRoom } from '#kernel/quota';
import { emailKeyOf } from '#kernel/text/email-address';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { QuotaConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { DownloadTicketsService } from '#modules/builds';
import { SubscriptionsService } from './subscriptions/subscriptions.service';
import { SuppressionsRepository } from './suppressions/suppressions.repository';
import { type Tester, type TesterDraft, type TesterWithSubscriptions } from './tester';
import { type TesterFilter, TesterViews } from './tester-views';
import { type NewTester, TestersRepository } from './testers.repository';

export interface TesterChange {
  readonly name?: string | null | undefined;
}

/**
 * Testers install builds without a login. This service never checks whether an address also belongs to a developer, so its responses
 * cannot reveal it. Audit events name testers by id, because the feed is append-only and an address must stay erasable.
 */
@Injectable()
export class TestersService {
  /** Runs before a tester is deleted, in the same transaction: upper modules erase what no foreign key deletes. */
  readonly erasing = new Hook<[tx: RequestContext, scope: ProjectScope, testerId: string]>();

  constructor(
    private readonly repository: TestersRepository,
    private readonly views: TesterViews,
    private readonly suppressions: SuppressionsRepository,
    private readonly subscriptions: SubscriptionsService,
    private readonly tickets: DownloadTicketsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly quotas: QuotaConfig,
  ) {}

  /**
   * @throws AppError already_exists when the project has a tester with this address, quota_exceeded over the project's limit,
   * operation_not_allowed when the address declined the project.
   */
  async create(ctx: RequestContext, scope: ProjectScope, draft: TesterDraft): Promise<TesterWithSubscriptions> {
    return this.transactions.run(ctx, async (tx) => {
      const suppressed = (await this.suppressions.find(tx, scope, [draft.email]))(draft.email);
      if (suppressed.has(null)) throw suppressedError();
      await this.requireRoomFor(tx, scope, () => 1);
      const tester = newTester(tx, scope, draft);
      await this.repository.insert(tx, [tester]);
      await this.audit.record(tx, { type: 'tester.created', ...scopeOf(scope), payload: { tester_id: tester.id } });
      return this.withSubscriptions(tx, scope, tester);
    });
  }

  /** @throws AppError not_found */
  async get(ctx: RequestContext, scope: ProjectScope, id: string): Promise<TesterWithSubscriptions> {
    const tester = await this.repository.find(ctx, scope, id);
    if (!tester) throw AppError.notFound('tester');
    return this.withSubscriptions(ctx, scope, tester);
  }

  /** The id of the tester with an address, null when the project has none. Responses to strangers must not reveal the result. */
  async findByEmail(ctx: RequestContext, scope: ProjectScope, email: string): Promise<string | null> {
    return (await this.repository.findByEmailKey(ctx, scope, emailKeyOf(email)))?.id ?? null;
  }

  /** The ids of the testers with these addresses, by address. Locks them until the transaction ends. Unknown addresses are skipped. */
  async lockByEmails(
    tx: RequestContext,
    scope: ProjectScope,
    emails: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const found = await this.repository.lockByEmailKeys(tx, scope, [...new Set(emails.map(emailKeyOf))]);
    const ids = new Map(found.map(({ emailKey, id }) => [emailKey, id]));
    const known = emails.filter((email) => ids.has(emailKeyOf(email)));
    return new Map(known.map((email) => [email, ids.get(emailKeyOf(email)) as string]));
  }

  async list(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: TesterFilter,
    request: PageRequest,
  ): Promise<Page<TesterWithSubscriptions>> {
    const page = await this.views.list(ctx, scope, filter, request);
    const subscriptionsOf = await this.subscriptions.findOfTesters(ctx, scope, page.items);
    return { ...page, items: page.items.map((tester) => ({ ...tester, subscriptions: subscriptionsOf(tester) })) };
  }

  /** @throws AppError not_found */
  async update(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    { name }: TesterChange,
  ): Promise<TesterWithSubscriptions> {
    if (name === undefined) return this.get(ctx, scope, id);
    return this.transactions.run(ctx, async (tx) => {
      if (!(await this.repository.rename(tx, scope, id, name))) throw AppError.notFound('tester');
      await this.audit.record(tx, { type: 'tester.updated', ...scopeOf(scope), payload: { tester_id: id } });
      return this.get(tx, scope, id);
    });
  }

  /**
   * Deletes a tester with their address, subscriptions, links and download URLs. Download logs and the audit feed keep only the id.
   * @throws AppError not_found
   */
  async erase(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      await this.tickets.endOfTester(tx, scope, id);
      await this.erasing.run(tx, scope, id);
      if (!(await this.repository.delete(tx, scope, id))) throw AppError.notFound('tester');
      await this.audit.record(tx, { type: 'tester.erased', ...scopeOf(scope), payload: { tester_id: id } });
    });
  }

  /**
   * Locks adding testers to the project and checks the quota.
   * @param count how many testers will be added. Called after the lock is taken.
   * @throws AppError quota_exceeded
   */
  async requireRoomFor(tx: RequestContext, scope: ProjectScope, count: () => number | Promise<number>): Promise<void> {
    const used = await this.repository.lockAndCount(tx, scope);
    const { limit } = this.testerQuota;
    const more = await count();
    if (more === 0) return;
    const last = used + more - 1;
    requireRoom(this.testerQuota, last, `A project can have ${limit} testers. Delete some first.`);
  }

  /** The project's number of testers and its limit. */
  async quota(ctx: RequestContext, scope: ProjectScope): Promise<QuotaUse> {
    return { ...this.testerQuota, used: await this.repository.count(ctx, scope) };
  }

  private get testerQuota(): Quota {
    return { name: 'testers_per_project', limit: this.quotas.testersPerProject };
  }

  private async withSubscriptions(
    ctx: RequestContext,
    scope: ProjectScope,
    tester: Tester,
  ): Promise<TesterWithSubscriptions> {
    const subscriptionsOf = await this.subscriptions.findOfTesters(ctx, scope, [tester]);
    return { ...tester, subscriptions: subscriptionsOf(tester) };
  }
}

export const newTester = (ctx: RequestContext, scope: ProjectScope, { email, name }: TesterDraft): NewTester => ({
  ...scopeOf(scope),
  id: newId(),
  email,
  emailKey: emailKeyOf(email),
  name,
  platforms: [],
  mailPlatforms: [],
  invitedAt: null,
  openedAt: null,
  unopenedMails: 0,
  bouncedAt: null,
  bounceCode: null,
  createdAt: ctx.clock.now(),
});

/** A tester who unsubscribed gets no mail and cannot be added again. Only they can resubscribe. */
export const suppressedError = (): AppError =>
  new AppError('operation_not_allowed', {
    message: 'This tester unsubscribed. Only they can resubscribe, through their own link.',
    details: { reason: 'suppressed' },
  });
