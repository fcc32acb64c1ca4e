import { ApiError, type BuildResponse, type Platform, PLATFORMS } from '@agate/client';
import { type Context } from '../context';
import { CliError, ExitCode, notFoundError, usageError } from '../output/cli-error';
import { isId } from '../settings/scope';
import { findChannel } from './channels';

/** The description of a build argument in the help. */
export const BUILD_ARGUMENT = 'id, commit, latest, or latest:<platform>';

const COMMIT = /^[\da-f]{7,64}$/i;

/** The build that an argument names. @throws CliError when it does not exist. */
export async function findBuild(context: Context, given: string): Promise<BuildResponse> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  if (isId(given)) return client.request('GET /builds/{build_id}', { path: { build_id: given }, query: scope });
  const query = { ...scope, ...selectionOf(given) };
  return client.request('GET /builds/latest', { query }).catch((error: unknown) => {
    throw isMissing(error) ? notFoundError(`There is no build "${given}".`) : error;
  });
}

function selectionOf(given: string): { readonly platform?: Platform; readonly commit?: string } {
  const [word, platform] = given.split(':');
  if (word === 'latest' && platform === undefined) return {};
  const known = PLATFORMS.find((name) => name === platform);
  if (word === 'latest' && known) return { platform: known };
  if (COMMIT.test(given)) return { commit: given.toLowerCase() };
  throw usageError(`"${given}" names no build. Use ${BUILD_ARGUMENT}. Platforms: ${PLATFORMS.join(', ')}.`);
}

/** Whether the service has responded that there is no such build. Another server can respond with the same status. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found';

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
