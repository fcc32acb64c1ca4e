import { Command } from 'commander';
import { type Context } from '../../context';
import { createUpdateKeyCommand } from './create';
import { listUpdateKeysCommand } from './list';
import { revokeUpdateKeyCommand } from './revoke';
import { rotateUpdateKeyCommand } from './rotate';

export const updateKeysCommand = (context: Context): Command => {
  const command = new Command('update-keys').description('manage the keys by which installed apps find updates');
  for (const create of [
    listUpdateKeysCommand,
    createUpdateKeyCommand,
    rotateUpdateKeyCommand,
    revokeUpdateKeyCommand,
  ]) {
    command.addCommand(create(context));
  }
  return command;
};
