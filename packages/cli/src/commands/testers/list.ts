import { type TesterState } from '@agate/client';
import { Command, Option } from 'commander';
import { type Context } from '../../context';
import { allItemsOf } from '../../network/pages';
import { findChannels } from '../../settings/channels';
import { tableOf } from '../../output/table';

const STATES: readonly TesterState[] = ['added', 'invited', 'opened', 'has_current', 'behind', 'left'];

interface Options {
  readonly channel?: string;
  readonly state?: TesterState;
}

export const listTestersCommand = (context: Context): Command =>
  new Command('list')
    .description('list testers, newest first')
    .option('--channel <name>', 'subscribers of this channel only')
    .addOption(new Option('--state <state>', 'testers in this state only').choices(STATES))
    .action(async ({ channel, state }: Options) => {
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const [subscribed] = await findChannels(context, channel === undefined ? [] : [channel]);
      const query = { ...scope, ...(subscribed && { channel_id: subscribed.id }), ...(state && { state }) };
      const testers = await allItemsOf((page) => client.request('GET /testers', { query: { ...query, ...page } }));
      const rows = testers.map((tester) => [tester.email, tester.name ?? '', tester.state ?? '']);
      context.output.print(testers, tableOf(rows));
    });
