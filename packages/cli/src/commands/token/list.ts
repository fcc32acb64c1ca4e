import { Command } from 'commander';
import { type Context } from '../../context';
import { tableOf } from '../../output/table';
import { allTokens, inTokenPlace, type Token, type TokenOptions, withTokenOptions } from './token-kinds';

export const listTokensCommand = (context: Context): Command =>
  withTokenOptions(new Command('list'))
    .description('list tokens with what they may do, their last use and their expiry')
    .action(async (options: TokenOptions) => {
      const tokens = await inTokenPlace(context, options, (place) => allTokens(place, options));
      context.output.print(tokens, tableOf(tokens.map(rowOf)));
    });

const rowOf = (token: Token): string[] => [
  token.name,
  `…${token.last4}`,
  'role' in token ? token.role : token.scopes.join(','),
  token.last_used_at === null ? 'never used' : `used ${token.last_used_at.slice(0, 10)}`,
  token.expires_at === null ? 'does not expire' : `expires ${token.expires_at.slice(0, 10)}`,
  token.id,
];
