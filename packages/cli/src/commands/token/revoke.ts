import { Command } from 'commander';
import { type Context } from '../../context';
import { notFoundError, usageError } from '../../output/cli-error';
import { confirm } from '../../prompt/questions';
import {
  allTokens,
  inTokenPlace,
  organizationIn,
  type Token,
  type TokenOptions,
  type TokenPlace,
  withTokenOptions,
} from './token-kinds';

interface Options extends TokenOptions {
  readonly yes?: boolean;
}

export const revokeTokenCommand = (context: Context): Command =>
  withTokenOptions(new Command('revoke'))
    .description('revoke a token; it stops working at once')
    .argument('<token>', 'id, name or last four characters')
    .option('--yes', 'do not ask')
    .action(async (wanted: string, { yes = false, ...options }: Options) => {
      if (!yes && !context.isInteractive) throw usageError(`This revokes "${wanted}". Repeat the command with --yes.`);
      const revoked = await inTokenPlace(context, options, async (place) => {
        const token = theToken(await allTokens(place, options), wanted);
        await confirm(context, `This revokes "${token.name}" (…${token.last4}).`, yes);
        await revoke(place, token, options);
        return token;
      });
      context.output.print(revoked, `"${revoked.name}" was revoked.`);
    });

function revoke({ client, scope }: TokenPlace, { id }: Token, { personal }: TokenOptions): Promise<undefined> {
  const path = { token_id: id };
  return personal
    ? client.request('DELETE /pats/{token_id}', { path, query: organizationIn(scope) })
    : client.request('DELETE /project-access-tokens/{token_id}', { path, query: scope });
}

/** @throws CliError when there is no such token, or several. */
function theToken(tokens: readonly Token[], wanted: string): Token {
  const found = tokens.filter(({ id, name, last4 }) => [id, name, last4, `…${last4}`].includes(wanted));
  const [first] = found;
  if (!first) throw notFoundError(`There is no token "${wanted}". Use agate token list.`);
  if (found.length > 1) throw usageError(`There are ${found.length} tokens "${wanted}". Use the id of one.`);
  return first;
}
