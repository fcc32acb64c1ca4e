import { type ChannelResponse, type UpdateKeyResponse } from '@agate/client';
import { Command } from 'commander';
import { type Context } from '../../context';
import { allItemsOf } from '../../network/pages';
import { notFoundError } from '../../output/cli-error';
import { confirm } from '../../prompt/questions';
import { findChannel } from '../../settings/channels';

export type UpdateKey = UpdateKeyResponse;

export interface UpdateKeyOptions {
  readonly channel?: string;
  readonly yes?: boolean;
}

/** The update keys of a channel. Without one, those of the project and of all its channels. */
export async function allUpdateKeys(context: Context, channel?: ChannelResponse): Promise<UpdateKey[]> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const query = { ...scope, ...(channel && { channel_id: channel.id }) };
  return allItemsOf((page) => client.request('GET /update-keys', { query: { ...query, ...page } }));
}

/** A command that changes one update key after a question. */
export const updateKeyCommand = (name: string): Command =>
  new Command(name)
    .argument('<key>', 'platform or id')
    .option('--channel <name>', 'with a platform: name or id of the channel; default: the key of the project')
    .option('--yes', 'do not ask');

/**
 * The key of a platform in a channel or of the project, or the key with an id, after a question.
 * @throws CliError when there is no such key, or the question is not answered with yes.
 */
export async function confirmedUpdateKey(
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
    `Apps for ${key.platform} that contain the present key of ${place} find no updates any more.`,
    yes,
  );
  return key;
}
