import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { BuildsService } from '#modules/builds';
import { UpdateSignaturesRepository } from './update-signatures.repository';

/** The signatures by which updaters verify files. The developer makes them; this service holds no key and verifies none. */
@Injectable()
export class UpdateSignaturesService {
  constructor(
    private readonly repository: UpdateSignaturesRepository,
    private readonly builds: BuildsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** The signature of a build, null when there is none. @throws AppError not_found */
  async get(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<string | null> {
    await this.builds.get(ctx, scope, buildId);
    return this.repository.find(ctx, scope, buildId);
  }

  /** Stores the signature of a build, or deletes it. @throws AppError not_found */
  async set(ctx: RequestContext, scope: ProjectScope, buildId: string, signature: string | null): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      await this.builds.get(tx, scope, buildId);
      if (signature === null) await this.repository.delete(tx, scope, buildId);
      else await this.repository.save(tx, scope, buildId, signature);
      const payload = { build_id: buildId, signed: signature !== null };
      await this.audit.record(tx, { type: 'build.update_signature_set', ...scopeOf(scope), payload });
    });
  }
}
