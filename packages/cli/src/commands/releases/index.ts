import { Command } from 'commander';
import { type Context } from '../../context';
import { listReleasesCommand } from './list';
import { withdrawReleaseCommand } from './withdraw';

export const releasesCommand = (context: Context): Command => {
  const command = new Command('releases').description('see and withdraw what was promoted to a channel');
  for (const create of [listReleasesCommand, withdrawReleaseCommand]) command.addCommand(create(context));
  return command;
};
