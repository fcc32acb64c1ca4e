import { ApiError } from '@agate/client';
import { Command } from 'commander';
import { type Context } from '../../context';
import { addressOfLogin } from '../../login/address-of-service';
import { CliError } from '../../output/cli-error';
import { exitCodeOf } from '../../output/failure';
import { CredentialsFile } from '../../settings/credentials-file';

export const logoutCommand = (context: Context): Command =>
  new Command('logout')
    .description('forget the login of this machine, and revoke its personal access token')
    .option('--local', 'forget it without asking the service to revoke the token')
    .action(async ({ local = false }: { readonly local?: boolean }) => {
      const file = new CredentialsFile(context.environment);
      const url = addressOfLogin(context, file);
      const { token } = file.read()[url] ?? {};
      const revoked = !local && (token?.startsWith('ag_pat_') ?? false);
      if (token !== undefined) context.output.secrets.add(token);
      if (revoked) await revoke(context, url, token!);
      file.forget(url);
      context.output.print({ url, revoked }, '');
      context.output.say(`Logged out of ${url}.${revoked ? ' The token was revoked.' : ' The token stays valid.'}`);
      if (context.environment['AGATE_TOKEN']) context.output.warn('AGATE_TOKEN is still set.');
    });

/** @throws CliError when the service could not be reached: the token would stay valid without a way to revoke it here. */
async function revoke(context: Context, url: string, token: string): Promise<void> {
  try {
    await context.newClient(url).request('POST /pats/revoke', { body: { token } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const advice = 'The login was kept. Try again, or use --local to forget it without revoking the token.';
    throw new CliError(exitCodeOf(error), error.code, `The token could not be revoked: ${error.message} ${advice}`, {
      status: error.status,
      ...error.details,
    });
  }
}
