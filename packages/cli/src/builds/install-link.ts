import { type Context } from '../context';
import { CliError } from '../output/cli-error';
import { ExitCode } from '../output/exit-code';
import { findChannel } from '../settings/channels';
import { findBuild } from './find-build';

/** The install link of a channel or build; of the newest build when neither is named. @throws CliError */
export async function installLink(
  context: Context,
  build: string | undefined,
  channel: string | undefined,
): Promise<string> {
  const { install_url: link } =
    channel === undefined ? await findBuild(context, build ?? 'latest') : await findChannel(context, channel);
  if (link !== null) return link;
  const message = 'The credential must not see install links. Use one with the role DOWNLOAD_BUILD.';
  throw new CliError(ExitCode.notAllowed, 'insufficient_role', message);
}
