import { Injectable } from '@nestjs/common';
import { AccountFlagsRepository } from '#infra/rate-limit/account-flags.repository';
import { type OperatorCommand, type OperatorCommandGroup } from '../operator-command';

/** Credentials that were flagged because they ignored rate limits. */
@Injectable()
export class FlagCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(flags: AccountFlagsRepository) {
    this.commands = [
      {
        name: 'flags list',
        summary: 'List the credentials that kept sending requests after 429 responses, latest first',
        run: async (ctx) =>
          (await flags.list(ctx)).map((flag) => ({
            principal: flag.principal,
            organization_id: flag.organizationId,
            reason: flag.reason,
            hits: flag.hits,
            first_seen_at: flag.firstSeenAt.toISOString(),
            last_seen_at: flag.lastSeenAt.toISOString(),
          })),
      },
    ];
  }
}
