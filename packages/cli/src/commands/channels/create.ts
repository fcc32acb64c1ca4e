import { Command } from 'commander';
import { type Context } from '../../context';

export const createChannelCommand = (context: Context): Command =>
  new Command('create')
    .description('create a channel and print its install link')
    .argument('<name>', 'name of the channel, which testers see')
    .action(async (name: string) => {
      const [client, query] = await Promise.all([context.client(), context.scope()]);
      const channel = await client.request('POST /channels', { query, body: { name } });
      context.output.print(channel, channel.install_url ?? channel.id);
    });
