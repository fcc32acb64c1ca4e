import { type ChannelResponse, type Client } from '@agate/client';
import { type Context } from '../context';
import { allItemsOf } from '../network/pages';
import { notFoundError, usageError } from '../output/cli-error';
import { isId, type ProjectScope, withName } from '../settings/scope';

/** All channels of a project. */
export const allChannels = (client: Client, scope: ProjectScope): Promise<ChannelResponse[]> =>
  allItemsOf((page) => client.request('GET /channels', { query: { ...scope, ...page } }));

/**
 * The channels with these names or ids, in the order of the names.
 * @throws CliError when there is none with a name, or several that differ only in case.
 */
export async function findChannels(context: Context, names: readonly string[]): Promise<ChannelResponse[]> {
  if (names.length === 0) return [];
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const channels = await allChannels(client, scope);
  return names.map((name) => theChannel(channels, name));
}

/** @throws CliError when there is no such channel, or when several have the name. */
export async function findChannel(context: Context, name: string): Promise<ChannelResponse> {
  const [channel] = await findChannels(context, [name]);
  return channel!;
}

/**
 * The channel that an option names, else the one of the project file, else the only one of the project.
 * @throws CliError when that is ambiguous.
 */
export async function channelOrOnly(context: Context, name: string | undefined): Promise<ChannelResponse> {
  if (name !== undefined) return findChannel(context, name);
  const { channels: configured } = await context.settings();
  if (configured.length === 1) return findChannel(context, configured[0]!);
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const channels = await allChannels(client, scope);
  if (channels.length === 1) return channels[0]!;
  throw usageError(`Name the channel with --channel. ${listOf(channels)}`);
}

function theChannel(channels: readonly ChannelResponse[], name: string): ChannelResponse {
  const found = isId(name) ? channels.filter(({ id }) => id === name) : withName(channels, name);
  if (found.length > 1) {
    const names = found.map((channel) => `"${channel.name}"`).join(', ');
    throw usageError(
      `Several channels have the name "${name}": ${names}. Write the name in the right case, or use the id of the channel.`,
    );
  }
  if (found[0]) return found[0];
  throw notFoundError(`There is no channel "${name}". ${listOf(channels)}`);
}

const listOf = (channels: readonly ChannelResponse[]): string =>
  channels.length === 0
    ? 'The project has no channels.'
    : `The project has ${channels.map(({ name }) => `"${name}"`).join(', ')}.`;
