import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { deleteInBatches } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { TokenRevocation } from '#modules/developers';
import { type LeftToken, type MemberRemoval, MembersService } from '#modules/organizations';
import { ProjectsService } from '#modules/projects';
import { PersonalAccessTokensRepository } from '../personal/personal-access-tokens.repository';
import { ProjectAccessTokensRepository } from '../project/project-access-tokens.repository';

/** Revokes the personal access tokens of a developer who resets their password, if they request it. */
@Injectable()
export class RevokeAfterResetService implements OnModuleInit {
  constructor(
    private readonly repository: PersonalAccessTokensRepository,
    private readonly revocation: TokenRevocation,
    private readonly audit: AuditRecorder,
  ) {}

  onModuleInit(): void {
    this.revocation.add((tx, developerId) => this.revokeAll(tx, developerId));
  }

  private async revokeAll(tx: RequestContext, developerId: string): Promise<void> {
    for (const { id, organizationId } of await this.repository.revokeAll(tx, developerId)) {
      const payload = { token_id: id, developer_id: developerId };
      await this.audit.record(tx, { type: 'personal_access_token.revoked', organizationId, payload });
    }
  }
}

/** The maximum number of listed tokens, so that the response of a removal is bounded. All tokens are revoked. */
const LISTED = 1_000;

/**
 * Lists, and on request revokes, the project access tokens whose value a removed member may know (docs/decisions/0033-offboarding.md).
 * Their personal access tokens are deleted together with the membership.
 */
@Injectable()
export class TokensOfRemovedMembersService implements OnModuleInit {
  constructor(
    private readonly repository: ProjectAccessTokensRepository,
    private readonly members: MembersService,
    private readonly projects: ProjectsService,
    private readonly audit: AuditRecorder,
  ) {}

  onModuleInit(): void {
    this.members.removal.add((tx, removal) => this.collect(tx, removal));
  }

  private async collect(tx: RequestContext, removal: MemberRemoval): Promise<readonly LeftToken[]> {
    const { organizationId, developerId, revokeTokens } = removal;
    const tokens = await this.repository.listReceivedBy(tx, organizationId, developerId, LISTED);
    if (revokeTokens) await this.revoke(tx, organizationId, developerId);
    const names = await this.projects.findNames(tx, organizationId, [
      ...new Set(tokens.map(({ projectId }) => projectId)),
    ]);
    return tokens.map((token) => ({ ...token, projectName: names.get(token.projectId) ?? token.projectId }));
  }

  private async revoke(tx: RequestContext, organizationId: string, developerId: string): Promise<void> {
    const revoked = await this.repository.revokeReceivedBy(tx, organizationId, developerId);
    await this.audit.recordAll(
      tx,
      revoked.map(({ id, projectId }) => ({
        type: 'project_access_token.revoked',
        organizationId,
        projectId,
        payload: { token_id: id },
      })),
    );
  }
}

/** Expired tokens stay in the lists for 90 days, so that a person who looks for a failed job finds the reason. */
@Injectable()
export class ExpiredTokensService implements OnModuleInit {
  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('tokens.prune-expired', '13 4 * * *', (ctx) => this.prune(ctx));
  }

  private async prune(ctx: RequestContext): Promise<void> {
    const manager = this.transactions.manager(ctx);
    const condition = `expires_at < (SELECT app_now() - interval '90 days')`;
    await deleteInBatches(manager, 'project_access_token', condition);
    await deleteInBatches(manager, 'personal_access_token', condition);
  }
}
