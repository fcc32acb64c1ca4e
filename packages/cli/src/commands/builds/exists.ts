import { type Platform, PLATFORMS } from '@agate/client';
import { Command, Option } from 'commander';
import { nameOf } from '../../builds/describe-build';
import { type Context } from '../../context';
import { notFoundError, usageError } from '../../output/cli-error';

interface Options {
  readonly commit?: string;
  readonly sha256?: string;
  readonly platform?: Platform;
}

export const existsCommand = (context: Context): Command =>
  new Command('exists')
    .description('exit with code 0 when there is a build, with 5 when there is none')
    .option('--commit <hash>', 'commit of the source code')
    .option('--sha256 <hash>', 'SHA-256 of the file')
    .addOption(new Option('--platform <platform>', 'for this platform').choices(PLATFORMS))
    .action(async ({ commit, sha256, platform }: Options) => {
      if (commit === undefined && sha256 === undefined)
        throw usageError('Name the build to find: --commit or --sha256.');
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const query = { ...scope, commit: commit?.toLowerCase(), sha256: sha256?.toLowerCase(), platform, limit: 1 };
      const { items } = await client.request('GET /builds', { query });
      const [build] = items;
      if (!build) throw notFoundError('There is no such build.');
      context.output.say(nameOf(build));
      context.output.print(build, build.id);
    });
