import { type Platform, PLATFORMS, type ReleaseResponse } from '@agate/client';
import { Command, Option } from 'commander';
import { channelOrOnly } from '../builds/channels';
import { versionOf } from '../builds/describe-build';
import { type Context } from '../context';
import { notFoundError } from '../output/cli-error';

interface RemindOptions {
  readonly channel?: string;
  readonly platform?: Platform;
}

export const remindTestersCommand = (context: Context): Command =>
  new Command('remind')
    .description('mail the testers of a channel who lack its current builds; each once a day')
    .option('--channel <name>', 'name or id; default: the one of .agate.json, or the only one')
    .addOption(new Option('--platform <platform>', 'about the build of this platform only').choices(PLATFORMS))
    .action(async ({ channel: name, platform }: RemindOptions) => {
      const channel = await channelOrOnly(context, name);
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const current = await client.request('GET /releases/current/all', {
        query: { ...scope, channel_id: channel.id },
      });
      const releases = current.filter((release) => platform === undefined || release.platform === platform);
      if (releases.length === 0) throw notFoundError(`"${channel.name}" has no current release to remind of.`);
      const reminded = [];
      for (const release of releases) {
        const path = { release_id: release.id };
        const outcome = await client.request('POST /releases/{release_id}/reminders', { path, query: scope, body: {} });
        reminded.push({ release_id: release.id, platform: release.platform, ...outcome });
      }
      const lines = reminded.map(({ queued, skipped }, index) => {
        const others = skipped.length === 0 ? '' : `, ${skipped.length} skipped`;
        return `${queued} reminded of ${nameOf(releases[index]!)}${others}.`;
      });
      context.output.print(reminded, lines.join('\n'));
    });

const nameOf = ({ platform, build }: ReleaseResponse): string => `${versionOf(build)} for ${platform}`;
