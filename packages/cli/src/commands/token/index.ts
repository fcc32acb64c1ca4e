import { Command } from 'commander';
import { type Context } from '../../context';
import { createTokenCommand } from './create';
import { listTokensCommand } from './list';
import { revokeTokenCommand } from './revoke';

export const tokenCommand = (context: Context): Command => {
  const command = new Command('token').description('manage tokens, after a login with the password');
  for (const create of [createTokenCommand, listTokensCommand, revokeTokenCommand]) command.addCommand(create(context));
  return command;
};
