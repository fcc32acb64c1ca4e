import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Command } from 'commander';
import { type Context } from '../../context';
import { usageError } from '../../output/cli-error';
import { findChannels } from '../../settings/channels';
import { severalValues } from '../global-options';
import { addToChannels, printAdded } from './added-testers';

interface Options {
  readonly channel?: readonly string[];
  readonly dryRun?: boolean;
}

export const importTestersCommand = (context: Context): Command =>
  new Command('import')
    .description('add the testers of a CSV file, all or none; no mail is sent')
    .argument('<file>', 'CSV file with the column email and optionally name; - reads standard input')
    .option('--channel <name>', 'channels to subscribe them to; can be repeated', severalValues)
    .option('--dry-run', 'check and count, but change nothing')
    .action(async (file: string, { channel = [], dryRun = false }: Options) => {
      const body = await contentOf(context, file);
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const channels = await findChannels(context, channel);
      const added = await addToChannels(channels, (channelId) =>
        client.request('POST /testers/import', {
          query: { ...scope, ...(channelId !== undefined && { channel_id: channelId }), dry_run: dryRun },
          headers: { 'Content-Type': 'text/csv' },
          body,
        }),
      );
      printAdded(context, added, dryRun);
    });

async function contentOf({ process }: Context, file: string): Promise<Blob> {
  if (file === '-') return new Blob([await buffer(process.stdin)]);
  try {
    return new Blob([await readFile(file)]);
  } catch (error) {
    throw usageError(`"${file}" cannot be read: ${(error as Error).message}`);
  }
}
