import { Command } from 'commander';
import { type Context } from '../../context';
import { confirm } from '../../prompt/questions';
import { findChannel } from '../../settings/channels';

export const rotateChannelLinkCommand = (context: Context): Command =>
  new Command('rotate-link')
    .description('replace the install link of a channel; the old one stops working')
    .argument('<channel>', 'name or id')
    .option('--yes', 'do not ask')
    .action(async (name: string, { yes = false }: { readonly yes?: boolean }) => {
      const { id, name: found } = await findChannel(context, name);
      await confirm(context, `The present install link of "${found}" stops working.`, yes);
      const [client, query] = await Promise.all([context.client(), context.scope()]);
      const channel = await client.request('POST /channels/{channel_id}/rotate-link', {
        path: { channel_id: id },
        query,
      });
      context.output.print(channel, channel.install_url ?? channel.id);
    });
