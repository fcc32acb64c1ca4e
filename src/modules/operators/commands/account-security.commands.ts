import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { isMailAddress, trimAddress } from '#kernel/text/email-address';
import { AccountFlagsRepository } from '#infra/rate-limit/account-flags.repository';
import { AccountOperationsService, DevelopersService } from '#modules/developers';
import { type OperatorCommand, type OperatorCommandGroup, type OperatorInput } from '../operator-command';

const DEVELOPER = { name: 'developer', describe: 'the id or e-mail address of a developer' };

type Change = (ctx: RequestContext, developerId: string) => Promise<void>;

/** Help for owners who lost their second factor, and measures against attackers who have an account. */
@Injectable()
export class AccountSecurityCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(private readonly accounts: AccountOperationsService) {
    this.commands = [
      this.command(
        'account reset-mfa',
        'Remove the second factor of a developer who lost it; first make sure that the request is theirs',
        (email) =>
          `The second factor of ${email} will be removed, all sessions will end, and a mail tells the developer.`,
        (ctx, id) => accounts.resetSecondFactor(ctx, id),
      ),
      this.command(
        'account sign-out',
        'End all sessions of a developer; personal access tokens stay valid',
        (email) => `All sessions of ${email} will end.`,
        (ctx, id) => accounts.signOut(ctx, id),
      ),
      this.command(
        'account suspend',
        'Reject all logins, sessions and personal access tokens of a developer',
        (email) =>
          `The account ${email} will be suspended: its logins, sessions and personal access tokens will be rejected.`,
        (ctx, id) => accounts.suspend(ctx, id),
      ),
      this.command(
        'account unsuspend',
        'Accept logins and personal access tokens of a suspended developer again',
        (email) => `The suspension of ${email} will end.`,
        (ctx, id) => accounts.unsuspend(ctx, id),
      ),
    ];
  }

  private command(name: string, summary: string, effect: (email: string) => string, change: Change): OperatorCommand {
    return {
      name,
      summary,
      parameters: [DEVELOPER],
      effect: async (ctx, input) => effect((await this.find(ctx, input)).email),
      run: async (ctx, input) => {
        const { id } = await this.find(ctx, input);
        await change(ctx, id);
        const { email, suspendedAt, hasSecondFactor } = await this.accounts.find(ctx, id);
        return { developer: id, email, suspended: suspendedAt !== null, second_factor: hasSecondFactor };
      },
    };
  }

  private find(ctx: RequestContext, input: OperatorInput) {
    return this.accounts.find(ctx, input[DEVELOPER.name] ?? '');
  }
}

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

/** Creates accounts for people who cannot sign up themselves: the first one of a closed installation, for example. */
@Injectable()
export class SignUpCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(developers: DevelopersService) {
    this.commands = [
      {
        name: 'account invite',
        summary: 'Create an account and mail a link to choose its password. SIGN_UP does not apply',
        parameters: [{ name: 'email', describe: 'the e-mail address of the account' }],
        effect: (_ctx, input) => `An account for ${emailOf(input)} will be created, and a link will be mailed there.`,
        run: async (ctx, input) => {
          const { id, email } = await developers.invite(ctx, emailOf(input));
          return { developer: id, email };
        },
      },
    ];
  }
}

function emailOf({ email = '' }: OperatorInput): string {
  const text = trimAddress(email);
  if (!isMailAddress(text)) throw AppError.invalidInput('email', 'This is not an e-mail address.');
  return text;
}
