import { PROJECT_ROLES, type ProjectRole } from '@agate/client';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Context } from '../../context';
import { scopesOf, scopesOption } from '../../login/scopes';
import { inDays } from '../../login/token-days';
import { inTokenPlace, organizationIn, type Token, type TokenOptions, withTokenOptions } from './token-kinds';

interface Options extends TokenOptions {
  readonly role: ProjectRole;
  readonly scopes?: readonly string[];
  /** Days. */
  readonly expires: number | 'never';
}

const DEFAULT_DAYS = 365;

export const createTokenCommand = (context: Context): Command =>
  withTokenOptions(new Command('create'))
    .description('create a token and print its value, once')
    .argument('<name>', 'where the token will be used, such as "GitHub Actions"')
    .addOption(
      new Option('--role <role>', 'role of a project access token').choices(PROJECT_ROLES).default('UPLOAD_BUILD'),
    )
    .addOption(scopesOption())
    .addOption(
      new Option('--expires <days>', 'days such as 90d, or never')
        .argParser(daysOf)
        .default(DEFAULT_DAYS, `${DEFAULT_DAYS}d`),
    )
    .action(async (name: string, options: Options) => {
      const scopes = scopesOf(options.scopes);
      const { role, expires } = options;
      const expiresAt = expires === 'never' ? null : inDays(context.process.now(), expires);
      const created = await inTokenPlace(
        context,
        options,
        async ({ client, scope }): Promise<Token & { readonly token: string }> =>
          options.personal
            ? client.request('POST /pats', {
                query: organizationIn(scope),
                body: { name, scopes, expires_at: expiresAt },
              })
            : client.request('POST /project-access-tokens', {
                query: scope,
                body: { name, role, expires_at: expiresAt },
              }),
      );
      context.output.say('This is the only time that the value is shown. Keep it as a secret.');
      context.output.print(created, created.token);
    });

function daysOf(text: string): number | 'never' {
  if (text === 'never') return text;
  const days = Number(/^(\d{1,4})d?$/.exec(text.trim())?.[1] ?? 0);
  if (days < 1) throw new InvalidArgumentError('Use a number of days such as 90d, or never.');
  return days;
}
