import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { ProjectsService } from '#modules/projects';
import { type DeletionPreview, DeletionPreviews } from '../catalogue/deletion/deletion-preview';
import { type Retention, type RetentionRule, textOfRules } from './retention';
import { RetentionRepository } from './retention.repository';
import { APPLY_RETENTION } from './retention-run.service';

/** New rules. */
export interface RetentionChange {
  /** Absent: the rules stay as they are. */
  readonly rules: readonly RetentionRule[] | undefined;
  readonly enabled: boolean;
  readonly fingerprint: string | null;
}

/** The rules by which builds of projects are deleted (docs/decisions/0096-trash-and-retention.md). */
@Injectable()
export class RetentionService {
  constructor(
    private readonly repository: RetentionRepository,
    private readonly previews: DeletionPreviews,
    private readonly projects: ProjectsService,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** @throws AppError not_found */
  async get(ctx: RequestContext, scope: ProjectScope): Promise<Retention> {
    await this.projects.get(ctx, scope);
    return this.repository.find(ctx, scope);
  }

  /**
   * @throws AppError not_found; invalid_input for a rule without a condition; operation_not_allowed when the rules are enabled without a
   * preview of them within the last hour.
   */
  async set(ctx: RequestContext, scope: ProjectScope, change: RetentionChange): Promise<Retention> {
    const { enabled, fingerprint } = change;
    return this.transactions.run(ctx, async (tx) => {
      const rules = change.rules ?? (await this.get(tx, scope)).rules;
      requireConditions(rules);
      if (enabled) this.previews.require(tx, scope, textOfRules(rules), fingerprint ?? '');
      await this.projects.get(tx, scope);
      await this.repository.set(tx, scope, { rules, enabled });
      const payload = { enabled, rules: rules.length };
      await this.audit.record(tx, { type: 'project.retention_changed', ...scope, payload });
      await this.jobs.enqueue(tx, APPLY_RETENTION, scopeOf(scope));
      return this.repository.find(tx, scope);
    });
  }

  /**
   * The builds that rules would delete now, as if all of them had been announced.
   * @param rules absent: those of the project.
   * @throws AppError not_found; invalid_input for a rule without a condition.
   */
  async preview(
    ctx: RequestContext,
    scope: ProjectScope,
    rules: readonly RetentionRule[] | undefined,
  ): Promise<DeletionPreview> {
    const wanted = rules ?? (await this.get(ctx, scope)).rules;
    requireConditions(wanted);
    return this.previews.of(ctx, scope, textOfRules(wanted), () => ({ rules: wanted }));
  }
}

function requireConditions(rules: readonly RetentionRule[]): void {
  if (rules.every(({ keepLast, keepDays }) => keepLast !== undefined || keepDays !== undefined)) return;
  throw AppError.invalidInput('rule_without_condition', 'A rule keeps nothing. Add keep_last or keep_days to it.');
}
