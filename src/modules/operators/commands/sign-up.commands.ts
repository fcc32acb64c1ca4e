import { Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { isMailAddress } from '#kernel/text/email-address';
import { DevelopersService } from '#modules/developers';
import { type OperatorCommand, type OperatorCommandGroup, type OperatorInput } from '../operator-command';

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
  const text = email.trim();
  if (!isMailAddress(text)) throw AppError.invalidInput('email', 'This is not an e-mail address.');
  return text;
}
