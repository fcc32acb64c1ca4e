import { type BuildResponse, type Platform, PLATFORMS } from '@agate/client';
import { Command, Option } from 'commander';
import { listOf } from '../../builds/describe-build';
import { type Context } from '../../context';
import { itemsOf } from '../../network/pages';
import { findChannel } from '../../settings/channels';
import { wholeNumber } from '../global-options';

const DEFAULT_LIMIT = 20;
const PAGE_SIZE = 1000;

interface Options {
  readonly platform?: Platform;
  readonly branch?: string;
  readonly commit?: string;
  readonly version?: string;
  readonly channel?: string;
  readonly search?: string;
  readonly limit: number;
}

export const listBuildsCommand = (context: Context): Command =>
  new Command('list')
    .description('list builds, newest first')
    .addOption(new Option('--platform <platform>', 'builds for this platform only').choices(PLATFORMS))
    .option('--branch <name>', 'builds of this branch only')
    .option('--commit <hash>', 'builds of this commit only')
    .option('--version <version>', 'builds with this version only')
    .option('--channel <name>', 'builds that were promoted to this channel only')
    .option('--search <text>', 'builds whose texts contain this')
    .addOption(
      new Option('--limit <number>', 'how many at most').argParser(wholeNumber(1, 100_000)).default(DEFAULT_LIMIT),
    )
    .action(async ({ channel, search, limit, ...filters }: Options) => {
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const channelId = channel === undefined ? undefined : (await findChannel(context, channel)).id;
      const { platform, branch, commit, version } = filters;
      const query = { ...scope, platform, branch, commit, version, q: search, channel_id: channelId };
      const builds: BuildResponse[] = [];
      const items = itemsOf(
        (page) => client.request('GET /builds', { query: { ...query, ...page } }),
        Math.min(limit, PAGE_SIZE),
      );
      for await (const build of items) {
        builds.push(build);
        if (builds.length === limit) break;
      }
      context.output.print(builds, listOf(builds));
    });
