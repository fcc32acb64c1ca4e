import { type Platform, PLATFORMS, type ReleaseAdoptionResponse } from '@agate/client';
import { Command, Option } from 'commander';
import { findChannels } from '../builds/channels';
import { versionOf } from '../builds/describe-build';
import { type Context } from '../context';
import { tableOf } from '../output/table';
import { idsOf } from '../settings/scope';

interface AdoptionOptions {
  readonly channel?: string;
  readonly platform?: Platform;
}

export const adoptionCommand = (context: Context): Command =>
  new Command('adoption')
    .description('show how many testers have the current builds of the channels')
    .option('--channel <name>', 'of this channel only, by name or id')
    .addOption(new Option('--platform <platform>', 'of this platform only').choices(PLATFORMS))
    .action(async ({ channel, platform }: AdoptionOptions) => {
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const { organization_id, project_id } = await idsOf(client, scope);
      const [wanted] = await findChannels(context, channel === undefined ? [] : [channel]);
      const { items } = await client.request('GET /projects/{project_id}/adoption', {
        path: { project_id },
        query: { organization_id },
      });
      const shown = items.filter(
        (each) =>
          (wanted === undefined || each.channel.id === wanted.id) &&
          (platform === undefined || each.platform === platform),
      );
      context.output.print(shown, tableOf(shown.map(rowOf)));
    });

const rowOf = ({ channel, platform, ...adoption }: ReleaseAdoptionResponse): string[] => [
  channel.name,
  platform,
  versionOf(adoption),
  `${adoption.has_it} of ${adoption.testers} have it`,
  [
    [adoption.has_newer, 'have a newer one'],
    [adoption.downloaded, 'went to another build'],
    [adoption.opened, 'opened the link'],
    [adoption.mailed, 'mailed'],
    [adoption.not_mailed, 'not mailed'],
    [adoption.bounced, 'bounced'],
    [adoption.other_platforms, 'on other platforms'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(', '),
];
