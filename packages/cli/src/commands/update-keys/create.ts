import { type Platform, PLATFORMS } from '@agate/client';
import { Argument, Command } from 'commander';
import { type Context } from '../../context';
import { findChannel } from '../../settings/channels';

export const createUpdateKeyCommand = (context: Context): Command =>
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
