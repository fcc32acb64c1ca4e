import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { emailKeyOf } from '#kernel/text/email-key';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { ChannelsService } from '#modules/channels';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { SubscriptionsRepository } from '../subscriptions/subscriptions.repository';
import { SuppressionsRepository } from '../subscriptions/suppressions.repository';
import { type ImportedTester, type TesterDraft } from '../tester';
import { type TesterEntity } from '../tester.entity';
import { TestersRepository } from '../testers.repository';
import { newTester, TestersService } from '../testers.service';

/** Many testers at once: all, or nobody. */
@Injectable()
export class TesterImportsService {
  constructor(
    private readonly testers: TestersService,
    private readonly repository: TestersRepository,
    private readonly suppressions: SuppressionsRepository,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly channels: ChannelsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Adds all that are not there yet. An address that comes twice is one tester; those who left the project, or the channel, by
   * themself are left out.
   * @param channelId subscribes them all, those who were there already, too.
   * @returns what became of each draft, in the given order.
   * @throws AppError quota_exceeded when they do not all fit, not_found for a channel that is not there.
   */
  async import(
    ctx: RequestContext,
    scope: ProjectScope,
    drafts: readonly TesterDraft[],
    channelId: string | null,
  ): Promise<readonly ImportedTester[]> {
    return this.transactions.run(ctx, async (tx) => {
      if (channelId !== null) await this.channels.get(tx, scope, channelId);
      const created = new Map<string, TesterEntity>();
      let imported: ImportedTester[] = [];
      await this.testers.requireRoomFor(tx, scope, async () => {
        imported = await this.sort(tx, scope, drafts, { channelId, created });
        return created.size;
      });
      await this.repository.insert(tx, [...created.values()]);
      const taken = imported
        .filter(({ outcome }) => outcome !== 'suppressed')
        .flatMap(({ testerId }) => testerId ?? []);
      const subscribed =
        channelId === null ? 0 : await this.subscriptions.insert(tx, scope, channelId, [...new Set(taken)]);
      if (created.size + subscribed > 0) {
        const payload = { created: created.size, ...(channelId !== null && { channel_id: channelId, subscribed }) };
        await this.audit.record(tx, { type: 'testers.imported', ...scopeOf(scope), payload });
      }
      return imported;
    });
  }

  /** Tells what is to become of each draft, and makes those who are new. */
  private async sort(
    tx: RequestContext,
    scope: ProjectScope,
    drafts: readonly TesterDraft[],
    { channelId, created }: { readonly channelId: string | null; readonly created: Map<string, TesterEntity> },
  ): Promise<ImportedTester[]> {
    const emails = drafts.map(({ email }) => email);
    const keys = [...new Set(emails.map(emailKeyOf))];
    const known = new Map((await this.repository.lockByEmailKeys(tx, scope, keys)).map((row) => [row.emailKey, row]));
    const leftBy = await this.suppressions.find(tx, scope, emails);
    return drafts.map((draft) => {
      const { email } = draft;
      const key = emailKeyOf(email);
      const existing = known.get(key) ?? created.get(key);
      const left = leftBy(email);
      const suppressed = left.has(null) || (channelId !== null && left.has(channelId));
      if (suppressed) return { testerId: existing?.id ?? null, email, outcome: 'suppressed' };
      const tester = existing ?? newTester(tx, scope, draft);
      if (!existing) created.set(key, tester);
      return { testerId: tester.id, email, outcome: existing ? 'existing' : 'created' };
    });
  }
}
