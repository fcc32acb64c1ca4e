import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { TokenRevocation } from '#modules/developers';
import { PersonalAccessTokensRepository } from '../personal/personal-access-tokens.repository';

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
