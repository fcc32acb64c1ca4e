import { type ChannelResponse } from '@agate/client';
import { Command } from 'commander';
import { type Context } from '../../context';
import { tableOf } from '../../output/table';
import { allChannels } from '../../settings/channels';

export const listChannelsCommand = (context: Context): Command =>
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
