import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { emailKeyOf } from '#kernel/text/email-address';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { ChannelsService } from '#modules/channels';
import { SubscriptionsRepository } from '../subscriptions/subscriptions.repository';
import { SuppressionsRepository } from '../suppressions/suppressions.repository';
import { type ImportedTester, type TesterDraft } from '../tester';
import { type NewTester, TestersRepository } from '../testers.repository';
import { newTester, TestersService } from '../testers.service';

export interface ImportOptions {
  /** Subscribes all testers of the import to this channel, existing testers too. `null`: to none. */
  readonly channelId: string | null;
  /** Decides the outcomes without changing anything. */
  readonly dryRun: boolean;
}

/** Adds many testers in one transaction. */
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
   * Adds the testers that the project does not have yet. An address that occurs twice becomes one tester. Testers who unsubscribed from
   * the project, or from the channel, are skipped.
   * @returns the outcome of each draft, in the order of `drafts`.
   * @throws AppError quota_exceeded when not all testers fit, not_found for an unknown channel.
   */
  async import(
    ctx: RequestContext,
    scope: ProjectScope,
    drafts: readonly TesterDraft[],
    { channelId, dryRun }: ImportOptions,
  ): Promise<readonly ImportedTester[]> {
    return this.transactions.run(ctx, async (tx) => {
      if (channelId !== null) await this.channels.get(tx, scope, channelId);
      const created = new Map<string, NewTester>();
      let imported: ImportedTester[] = [];
      await this.testers.requireRoomFor(tx, scope, async () => {
        imported = await this.classify(tx, scope, drafts, { channelId, created });
        return created.size;
      });
      if (dryRun) return imported.map((tester) => ({ ...tester, testerId: existingId(tester, created) }));
      await this.repository.insert(tx, [...created.values()]);
      const testerIds = imported
        .filter(({ outcome }) => outcome !== 'suppressed')
        .flatMap(({ testerId }) => testerId ?? []);
      const subscribed =
        channelId === null
          ? 0
          : (await this.subscriptions.insert(tx, scope, channelId, [...new Set(testerIds)])).length;
      if (created.size + subscribed > 0) {
        const payload = { created: created.size, ...(channelId !== null && { channel_id: channelId, subscribed }) };
        await this.audit.record(tx, { type: 'testers.imported', ...scopeOf(scope), payload });
      }
      return imported;
    });
  }

  /** Decides the outcome of each draft and puts the new testers into `created`, keyed by e-mail key. */
  private async classify(
    tx: RequestContext,
    scope: ProjectScope,
    drafts: readonly TesterDraft[],
    { channelId, created }: { readonly channelId: string | null; readonly created: Map<string, NewTester> },
  ): Promise<ImportedTester[]> {
    const emails = drafts.map(({ email }) => email);
    const keys = [...new Set(emails.map(emailKeyOf))];
    const known = new Map((await this.repository.lockByEmailKeys(tx, scope, keys)).map((row) => [row.emailKey, row]));
    const suppressionsOf = await this.suppressions.find(tx, scope, emails);
    return drafts.map((draft) => {
      const { email } = draft;
      const key = emailKeyOf(email);
      const existing = known.get(key) ?? created.get(key);
      const suppressions = suppressionsOf(email);
      const suppressed = suppressions.has(null) || (channelId !== null && suppressions.has(channelId));
      if (suppressed) return { testerId: existing?.id ?? null, email, outcome: 'suppressed' };
      const tester = existing ?? newTester(tx, scope, draft);
      if (!existing) created.set(key, tester);
      return { testerId: tester.id, email, outcome: existing ? 'existing' : 'created' };
    });
  }
}

/** The id of a tester that the project has; `null` for one that the import would add. */
const existingId = ({ testerId, email }: ImportedTester, created: ReadonlyMap<string, NewTester>): string | null =>
  created.has(emailKeyOf(email)) ? null : testerId;
