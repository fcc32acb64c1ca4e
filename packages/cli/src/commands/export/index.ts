import { Command } from 'commander';
import { type Context } from '../../context';
import { exportBuildsCommand } from './builds';

export const exportCommand = (context: Context): Command => {
  const command = new Command('export').description('take builds out of a project');
  command.addCommand(exportBuildsCommand(context));
  return command;
};
