import { type Command } from 'commander';
import { type Context } from '../../context';
import { confirmedUpdateKey, updateKeyCommand, type UpdateKeyOptions } from './find-update-key';

export const rotateUpdateKeyCommand = (context: Context): Command =>
  updateKeyCommand('rotate')
    .description('give an update key a new value; apps with the old one find no updates and must be installed again')
    .action(async (wanted: string, options: UpdateKeyOptions) => {
      const { id } = await confirmedUpdateKey(context, wanted, options);
      const [client, query] = await Promise.all([context.client(), context.scope()]);
      const path = { update_key_id: id };
      const rotated = await client.request('POST /update-keys/{update_key_id}/rotate', { path, query });
      context.output.print(rotated, rotated.url ?? rotated.id);
    });
