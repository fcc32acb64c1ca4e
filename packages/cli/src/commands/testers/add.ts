import { Command } from 'commander';
import { type Context } from '../../context';
import { usageError } from '../../output/cli-error';
import { findChannels } from '../../settings/channels';
import { severalValues } from '../global-options';
import { addToChannels, printAdded } from './added-testers';

interface Options {
  readonly name?: string;
  readonly channel?: readonly string[];
  readonly dryRun?: boolean;
}

export const addTestersCommand = (context: Context): Command =>
  new Command('add')
    .description('add testers; no mail is sent')
    .argument('<email...>', 'addresses')
    .option('--name <name>', 'name of the tester, with one address')
    .option('--channel <name>', 'channels to subscribe them to; can be repeated', severalValues)
    .option('--dry-run', 'check and count, but change nothing')
    .action(async (emails: string[], { name, channel = [], dryRun = false }: Options) => {
      if (name !== undefined && emails.length > 1) throw usageError('Use --name with one address only.');
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const channels = await findChannels(context, channel);
      const testers = emails.map((email) => ({ email, ...(name !== undefined && { name }) }));
      const added = await addToChannels(channels, (channelId) =>
        client.request('POST /testers/batch', {
          query: { ...scope, ...(channelId !== undefined && { channel_id: channelId }), dry_run: dryRun },
          body: { testers },
        }),
      );
      printAdded(context, added, dryRun);
    });
