import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { type LeftToken, type MemberRemoval, MembersService } from '#modules/organizations';
import { ProjectsService } from '#modules/projects';
import { ProjectAccessTokensRepository } from '../project/project-access-tokens.repository';

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
