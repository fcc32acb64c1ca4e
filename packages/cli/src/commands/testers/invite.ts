import { Command, Option } from 'commander';
import { type Context } from '../../context';
import { channelOrOnly } from '../../settings/channels';
import { findTesters } from './find-testers';

interface Options {
  readonly channel?: string;
  readonly build?: string;
}

export const inviteTestersCommand = (context: Context): Command =>
  new Command('invite')
    .description('mail testers a link of their own that opens a channel or a build')
    .argument('<email...>', 'addresses')
    .addOption(new Option('--channel <name>', 'channel that the link opens').conflicts('build'))
    .option('--build <id>', 'build that the link opens')
    .action(async (emails: string[], { channel, build }: Options) => {
      const opens =
        build === undefined
          ? { query: { channel_id: (await channelOrOnly(context, channel)).id }, body: {} }
          : { query: {}, body: { build_id: build } };
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      for (const { id } of await findTesters(context, emails)) {
        await client.request('POST /testers/{tester_id}/invite', {
          path: { tester_id: id },
          query: { ...scope, ...opens.query },
          body: opens.body,
        });
      }
      context.output.print({ invited: emails.length }, `${emails.length} invited.`);
    });
