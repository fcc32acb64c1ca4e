import { Command } from 'commander';
import { type Context } from '../../context';
import { createChannelCommand } from './create';
import { listChannelsCommand } from './list';
import { rotateChannelLinkCommand } from './rotate-link';

export const channelsCommand = (context: Context): Command => {
  const command = new Command('channels').description('manage channels and their install links');
  for (const create of [listChannelsCommand, createChannelCommand, rotateChannelLinkCommand]) {
    command.addCommand(create(context));
  }
  return command;
};
