import { Command } from 'commander';
import { type Context } from '../../context';
import { importFolderCommand } from './folder';
import { importZealotCommand } from './zealot';

export const importCommand = (context: Context): Command => {
  const command = new Command('import').description('bring builds from elsewhere into a project');
  for (const create of [importFolderCommand, importZealotCommand]) command.addCommand(create(context));
  return command;
};
