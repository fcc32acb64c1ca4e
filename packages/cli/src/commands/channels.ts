import { type ChannelResponse } from '@agate/client';
import { Command } from 'commander';
import { allChannels, findChannel } from '../builds/channels';
import { type Context } from '../context';
import { tableOf } from '../output/table';
import { confirm } from '../terminal/questions';

export const channelsCommand = (context: Context): Command => {
  const command = new Command('channels').description('manage channels and their install links');
  for (const create of [listChannelsCommand, createChannelCommand, rotateChannelLinkCommand, closeBranchCommand]) {
    command.addCommand(create(context));
  }
  return command;
};

const listChannelsCommand = (context: Context): Command =>
  new Command('list')
    .description('list channels with what testers get, subscribers and install links')
    .action(async () => {
      const channels = await allChannels(await context.client(), await context.scope());
      context.output.print(channels, tableOf(channels.map(rowOf)));
    });

const rowOf = ({ name, current, subscribers, install_url }: ChannelResponse): string[] => [
  name,
  current.map(({ platform, version, build_number }) => `${platform} ${version} (${build_number ?? '–'})`).join(', '),
  `${subscribers} ${subscribers === 1 ? 'subscriber' : 'subscribers'}`,
  install_url ?? '',
];

const createChannelCommand = (context: Context): Command =>
  new Command('create')
    .description('create a channel and print its install link')
    .argument('<name>', 'name of the channel, which testers see')
    .action(async (name: string) => {
      const [client, query] = await Promise.all([context.client(), context.scope()]);
      const channel = await client.request('POST /channels', { query, body: { name } });
      context.output.print(channel, channel.install_url ?? channel.id);
    });

const rotateChannelLinkCommand = (context: Context): Command =>
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

const closeBranchCommand = (context: Context): Command =>
  new Command('close-branch')
    .description('end the channel that uploads of a branch made; succeeds when there is none')
    .argument('<branch>', 'the branch, as the uploads named it')
    .action(async (branch: string) => {
      const [client, query] = await Promise.all([context.client(), context.scope()]);
      const closed = await client.request('POST /channels/close-branch', { query, body: { branch } });
      context.output.print(
        closed,
        closed.closed ? `The channel of "${branch}" was closed.` : `"${branch}" has no channel.`,
      );
    });
