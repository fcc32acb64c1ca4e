import { type Platform, PLATFORMS, type ReleaseResponse } from '@agate/client';
import { Command, Option } from 'commander';
import { type Context } from '../../context';
import { itemsOf } from '../../network/pages';
import { tableOf } from '../../output/table';
import { channelOrOnly } from '../../settings/channels';
import { wholeNumber } from '../global-options';

const DEFAULT_LIMIT = 20;

interface Options {
  readonly channel?: string;
  readonly platform?: Platform;
  readonly limit: number;
}

export const listReleasesCommand = (context: Context): Command =>
  new Command('list')
    .description('list the releases of a channel, newest first')
    .option('--channel <name>', 'name or id; default: the one of .agate.json, or the only one')
    .addOption(new Option('--platform <platform>', 'releases of this platform only').choices(PLATFORMS))
    .addOption(
      new Option('--limit <number>', 'how many at most').argParser(wholeNumber(1, 100_000)).default(DEFAULT_LIMIT),
    )
    .action(async ({ channel, platform, limit }: Options) => {
      const { id } = await channelOrOnly(context, channel);
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const query = { ...scope, channel_id: id, ...(platform && { platform }) };
      const releases: ReleaseResponse[] = [];
      const pages = itemsOf(
        (page) => client.request('GET /releases', { query: { ...query, ...page } }),
        Math.min(limit, 1000),
      );
      for await (const release of pages) {
        releases.push(release);
        if (releases.length === limit) break;
      }
      context.output.print(releases, tableOf(releases.map(rowOf)));
    });

const rowOf = ({ sequence, current, platform, build, promoted_at, id }: ReleaseResponse): string[] => [
  `#${sequence}`,
  current ? 'current' : '',
  platform,
  `${build.version} (${build.build_number ?? '–'})`,
  promoted_at,
  id,
];
