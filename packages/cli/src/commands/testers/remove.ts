import { type TesterResponse } from '@agate/client';
import { Command } from 'commander';
import { type Context } from '../../context';
import { confirm } from '../../prompt/questions';
import { findChannels } from '../../settings/channels';
import { severalValues } from '../global-options';
import { findTesters } from './find-testers';

interface Options {
  readonly channel?: readonly string[];
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export const removeTestersCommand = (context: Context): Command =>
  new Command('remove')
    .description('remove testers from the project, with their links; with --channel: unsubscribe them only')
    .argument('<email...>', 'addresses')
    .option('--channel <name>', 'channels to unsubscribe them from; can be repeated', severalValues)
    .option('--dry-run', 'check and count, but change nothing')
    .option('--yes', 'do not ask')
    .action(async (emails: string[], { channel = [], dryRun = false, yes = false }: Options) => {
      const channels = await findChannels(context, channel);
      const testers = await findTesters(context, emails);
      if (!dryRun) {
        if (channels.length === 0) await removed(context, testers, yes);
        else await unsubscribed(context, testers, channels);
      }
      const done = channels.length === 0 ? 'removed' : 'unsubscribed';
      const text = `${testers.length} ${dryRun ? 'would be ' : ''}${done}.`;
      context.output.print({ [done]: testers.length, dry_run: dryRun }, text);
    });

async function removed(context: Context, testers: readonly TesterResponse[], yes: boolean): Promise<void> {
  const who = testers.length === 1 ? testers[0]!.email : `${testers.length} testers`;
  await confirm(context, `This removes ${who} with all links and subscriptions.`, yes);
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  for (const { id } of testers) {
    await client.request('DELETE /testers/{tester_id}', { path: { tester_id: id }, query: scope });
  }
}

async function unsubscribed(
  context: Context,
  testers: readonly TesterResponse[],
  channels: readonly { readonly id: string }[],
): Promise<void> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  for (const { id } of channels) {
    await client.request('PUT /channels/{channel_id}/subscribers', {
      path: { channel_id: id },
      query: scope,
      body: { remove: testers.map((tester) => tester.id) },
    });
  }
}
