import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { emailKeyOf } from '#kernel/text/email-key';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type Page, type PageRequest } from '#kernel/cursor';
import { requireRoom } from '#kernel/quota';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { QuotaConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { SubscriptionsService } from './subscriptions/subscriptions.service';
import { SuppressionsRepository } from './subscriptions/suppressions.repository';
import { type InvolvedTester, type Tester, type TesterDraft } from './tester';
import { type TesterEntity } from './tester.entity';
import { type TesterFilter, TestersRepository } from './testers.repository';

export interface TesterChange {
  readonly name?: string | null | undefined;
}

/**
 * Those who install builds without a login. Whether an address also belongs to a developer is never looked at, so nothing here
 * can tell (reliability D1). Audit events name testers by their id: the feed is append-only, and an address must stay erasable.
 */
@Injectable()
export class TestersService {
  constructor(
    private readonly repository: TestersRepository,
    private readonly suppressions: SuppressionsRepository,
    private readonly subscriptions: SubscriptionsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly quotas: QuotaConfig,
  ) {}

  /**
   * @throws AppError already_exists for an address the project has, quota_exceeded over its limit, operation_not_allowed for
   * somebody who left the project's testing by themself.
   */
  async create(ctx: RequestContext, scope: ProjectScope, draft: TesterDraft): Promise<InvolvedTester> {
    return this.transactions.run(ctx, async (tx) => {
      const left = (await this.suppressions.find(tx, scope, [draft.email]))(draft.email);
      if (left.has(null)) throw suppressed();
      await this.requireRoomFor(tx, scope, () => 1);
      const tester = newTester(tx, scope, draft);
      await this.repository.insert(tx, [tester]);
      await this.audit.record(tx, { type: 'tester.created', ...scopeOf(scope), payload: { tester_id: tester.id } });
      return this.involve(tx, scope, tester);
    });
  }

  /** @throws AppError not_found */
  async get(ctx: RequestContext, scope: ProjectScope, id: string): Promise<InvolvedTester> {
    const tester = await this.repository.find(ctx, scope, id);
    if (!tester) throw AppError.notFound('tester');
    return this.involve(ctx, scope, tester);
  }

  async page(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: TesterFilter,
    request: PageRequest,
  ): Promise<Page<InvolvedTester>> {
    const page = await this.repository.page(ctx, scope, filter, request);
    const involvementOf = await this.subscriptions.involvementOf(ctx, scope, page.items);
    return { ...page, items: page.items.map((tester) => ({ ...tester, involvement: involvementOf(tester) })) };
  }

  /** Every tester, newest first, read a thousand at a time. */
  async *all(ctx: RequestContext, scope: ProjectScope): AsyncGenerator<Tester> {
    let cursor: string | undefined;
    do {
      const page = await this.repository.page(ctx, scope, {}, { limit: 1000, cursor });
      yield* page.items;
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
  }

  /** @throws AppError not_found */
  async update(ctx: RequestContext, scope: ProjectScope, id: string, { name }: TesterChange): Promise<InvolvedTester> {
    if (name === undefined) return this.get(ctx, scope, id);
    return this.transactions.run(ctx, async (tx) => {
      if (!(await this.repository.rename(tx, scope, id, name))) throw AppError.notFound('tester');
      await this.audit.record(tx, { type: 'tester.updated', ...scopeOf(scope), payload: { tester_id: id } });
      return this.get(tx, scope, id);
    });
  }

  /**
   * Forgets a tester: with the row go the address, the subscriptions and every link of theirs. Download logs and the audit feed
   * keep the id, which then names nobody.
   * @throws AppError not_found
   */
  async erase(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      if (!(await this.repository.delete(tx, scope, id))) throw AppError.notFound('tester');
      await this.audit.record(tx, { type: 'tester.erased', ...scopeOf(scope), payload: { tester_id: id } });
    });
  }

  /** Remembers that a tester downloaded a build of a platform: they are told about releases for theirs only. */
  async rememberPlatform(ctx: RequestContext, scope: ProjectScope, id: string, platform: Platform): Promise<void> {
    await this.repository.addPlatform(ctx, scope, id, platform);
  }

  /**
   * Waits for the turn to add testers to a project and makes sure that they fit.
   * @param count how many, found out once nobody else can add any.
   * @throws AppError quota_exceeded
   */
  async requireRoomFor(tx: RequestContext, scope: ProjectScope, count: () => number | Promise<number>): Promise<void> {
    const used = await this.repository.lockAndCount(tx, scope);
    const limit = this.quotas.testersPerProject;
    const more = await count();
    if (more === 0) return;
    const last = used + more - 1;
    requireRoom({ name: 'testers_per_project', limit }, last, `A project may have ${limit} testers, not more.`);
  }

  private async involve(ctx: RequestContext, scope: ProjectScope, tester: Tester): Promise<InvolvedTester> {
    const involvementOf = await this.subscriptions.involvementOf(ctx, scope, [tester]);
    return { ...tester, involvement: involvementOf(tester) };
  }
}

export const newTester = (ctx: RequestContext, scope: ProjectScope, { email, name }: TesterDraft): TesterEntity => ({
  ...scopeOf(scope),
  id: newId(),
  email,
  emailKey: emailKeyOf(email),
  name,
  platforms: [],
  createdAt: ctx.clock.now(),
});

/** Somebody who left is not written to, and not added again, until they come back by themself. */
export const suppressed = (): AppError =>
  new AppError('operation_not_allowed', {
    message: 'They left by themself, and come back by themself only: with a link that they were sent before.',
    details: { reason: 'suppressed' },
  });
