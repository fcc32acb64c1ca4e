import { type Command } from 'commander';
import { type Context } from '../../context';
import { confirmedUpdateKey, updateKeyCommand, type UpdateKeyOptions } from './find-update-key';

export const revokeUpdateKeyCommand = (context: Context): Command =>
  updateKeyCommand('revoke')
    .description('revoke an update key; apps that contain it find no updates')
    .action(async (wanted: string, options: UpdateKeyOptions) => {
      const key = await confirmedUpdateKey(context, wanted, options);
      const [client, query] = await Promise.all([context.client(), context.scope()]);
      await client.request('DELETE /update-keys/{update_key_id}', { path: { update_key_id: key.id }, query });
      context.output.print(key, `The update key for ${key.platform} was revoked.`);
    });
