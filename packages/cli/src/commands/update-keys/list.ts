import { type ChannelResponse } from '@agate/client';
import { Command } from 'commander';
import { type Context } from '../../context';
import { tableOf } from '../../output/table';
import { allChannels, findChannel } from '../../settings/channels';
import { allUpdateKeys, type UpdateKey } from './find-update-key';

export const listUpdateKeysCommand = (context: Context): Command =>
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
