import { type ChannelResponse, type Platform, PLATFORMS, type UpdateKeyResponse } from '@agate/client';
import { Argument, Command } from 'commander';
import { allChannels, findChannel } from '../builds/channels';
import { type Context } from '../context';
import { allItemsOf } from '../network/pages';
import { notFoundError } from '../output/cli-error';
import { tableOf } from '../output/table';
import { confirm } from '../terminal/questions';

export const updateKeysCommand = (context: Context): Command => {
  const command = new Command('update-keys').description('manage the keys by which installed apps find updates');
  for (const create of [
    listUpdateKeysCommand,
    createUpdateKeyCommand,
    rotateUpdateKeyCommand,
    revokeUpdateKeyCommand,
  ]) {
    command.addCommand(create(context));
  }
  return command;
};

const listUpdateKeysCommand = (context: Context): Command =>
  new Command('list')
    .description('list update keys with their addresses and when an app last used them')
    .option('--channel <name>', 'name or id; default: the keys of the project and of all its channels')
    .action(async ({ channel: name }: { readonly channel?: string }) => {
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const channels = name === undefined ? await allChannels(client, scope) : [await findChannel(context, name)];
      const keys = await allUpdateKeys(context, name === undefined ? undefined : channels[0]);
      context.output.print(keys, tableOf(keys.map((key) => rowOf(key, channels))));
    });

const rowOf = ({ id, platform, channel_id, last_used_at, url }: UpdateKey, channels: readonly ChannelResponse[]) => [
  platform,
  channel_id === null ? 'the project' : (channels.find((channel) => channel.id === channel_id)?.name ?? channel_id),
  last_used_at === null ? 'never used' : `used ${last_used_at.slice(0, 10)}`,
  id,
  url ?? '',
];

const createUpdateKeyCommand = (context: Context): Command =>
  new Command('create')
    .description('create an update key and print the address that the app requests')
    .addArgument(new Argument('<platform>', 'platform of the app').choices(PLATFORMS))
    .option('--channel <name>', 'name or id; default: the key opens the newest build of the project')
    .action(async (platform: Platform, { channel: name }: { readonly channel?: string }) => {
      const channel = name === undefined ? undefined : await findChannel(context, name);
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const query = { ...scope, ...(channel && { channel_id: channel.id }) };
      const key = await client.request('POST /update-keys', { query, body: { platform } });
      context.output.print(key, key.url ?? key.id);
    });

const rotateUpdateKeyCommand = (context: Context): Command =>
  updateKeyCommand('rotate')
    .description('give an update key a new value; apps with the old one find no updates and must be installed again')
    .action(async (wanted: string, options: UpdateKeyOptions) => {
      const { id } = await confirmedUpdateKey(context, wanted, options);
      const [client, query] = await Promise.all([context.client(), context.scope()]);
      const path = { update_key_id: id };
      const rotated = await client.request('POST /update-keys/{update_key_id}/rotate', { path, query });
      context.output.print(rotated, rotated.url ?? rotated.id);
    });

const revokeUpdateKeyCommand = (context: Context): Command =>
  updateKeyCommand('revoke')
    .description('revoke an update key; apps that contain it find no updates')
    .action(async (wanted: string, options: UpdateKeyOptions) => {
      const key = await confirmedUpdateKey(context, wanted, options);
      const [client, query] = await Promise.all([context.client(), context.scope()]);
      await client.request('DELETE /update-keys/{update_key_id}', { path: { update_key_id: key.id }, query });
      context.output.print(key, `The update key for ${key.platform} was revoked.`);
    });

type UpdateKey = UpdateKeyResponse;

interface UpdateKeyOptions {
  readonly channel?: string;
  readonly yes?: boolean;
}

/** The update keys of a channel. Without a channel, those of the project and of all its channels. */
async function allUpdateKeys(context: Context, channel?: ChannelResponse): Promise<UpdateKey[]> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const query = { ...scope, ...(channel && { channel_id: channel.id }) };
  return allItemsOf((page) => client.request('GET /update-keys', { query: { ...query, ...page } }));
}

/** A command that changes one update key after a confirmation. */
const updateKeyCommand = (name: string): Command =>
  new Command(name)
    .argument('<key>', 'platform or id')
    .option('--channel <name>', 'with a platform: name or id of the channel; default: the key of the project')
    .option('--yes', 'do not ask');

/**
 * The key of a platform in a channel or of the project, or the key with an id, after a confirmation.
 * @throws CliError when there is no such key, or the confirmation is refused.
 */
async function confirmedUpdateKey(
  context: Context,
  wanted: string,
  { channel: name, yes = false }: UpdateKeyOptions,
): Promise<UpdateKey> {
  const channel = name === undefined ? undefined : await findChannel(context, name);
  const keys = await allUpdateKeys(context, channel);
  const channelId = channel?.id ?? null;
  const key =
    keys.find(({ id }) => id === wanted) ??
    keys.find(({ platform, channel_id }) => platform === wanted.toLowerCase() && channel_id === channelId);
  const place = channel ? `"${channel.name}"` : 'the project';
  if (!key) throw notFoundError(`There is no update key "${wanted}" of ${place}. Use agate update-keys list.`);
  await confirm(
    context,
    `Apps for ${key.platform} that contain the present key of ${place} will no longer find updates.`,
    yes,
  );
  return key;
}
