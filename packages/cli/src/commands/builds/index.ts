import { Command } from 'commander';
import { type Context } from '../../context';
import { deleteBuildsCommand } from './delete';
import { downloadBuildCommand } from './download';
import { listBuildsCommand } from './list';
import { buildNotesCommand } from './notes';
import { showBuildCommand } from './show';

export const buildsCommand = (context: Context): Command => {
  const command = new Command('builds').description('list, show, download and delete builds');
  const create = [listBuildsCommand, showBuildCommand, buildNotesCommand, downloadBuildCommand, deleteBuildsCommand];
  for (const each of create) command.addCommand(each(context));
  return command;
};
