import { Command } from 'commander';
import { type Context } from '../../context';
import { addTestersCommand } from './add';
import { exportTestersCommand } from './export';
import { importTestersCommand } from './import';
import { inviteTestersCommand } from './invite';
import { listTestersCommand } from './list';
import { removeTestersCommand } from './remove';

export const testersCommand = (context: Context): Command => {
  const command = new Command('testers').description('manage the people who install builds');
  for (const create of [
    listTestersCommand,
    addTestersCommand,
    removeTestersCommand,
    inviteTestersCommand,
    importTestersCommand,
    exportTestersCommand,
  ]) {
    command.addCommand(create(context));
  }
  return command;
};
