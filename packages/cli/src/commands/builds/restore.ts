import { type BuildRestorationResponse } from '@agate/client';
import { Command } from 'commander';
import { type Context } from '../../context';
import { notFoundError, usageError } from '../../output/cli-error';
import { isId } from '../../settings/scope';

/** The maximum number of builds in one request. */
const RESTORED_AT_ONCE = 100;

export const restoreBuildsCommand = (context: Context): Command =>
  new Command('restore')
    .description('restore builds from the trash, with their install links; succeeds for builds that are not in it')
    .argument('<id...>', 'ids, as builds list --deleted shows them')
    .action(async (given: readonly string[]) => {
      const wrong = given.find((each) => !isId(each));
      if (wrong !== undefined) throw usageError(`"${wrong}" is not an id. Use agate builds list --deleted.`);
      const ids = [...new Set(given.map((each) => each.toLowerCase()))];
      const [client, query] = await Promise.all([context.client(), context.scope()]);
      const builds: BuildRestorationResponse[] = [];
      for (let start = 0; start < ids.length; start += RESTORED_AT_ONCE) {
        const body = { ids: ids.slice(start, start + RESTORED_AT_ONCE) };
        builds.push(...(await client.request('POST /builds/restore', { query, body })).builds);
      }
      const idsWith = (outcome: BuildRestorationResponse['outcome']): string[] =>
        builds.filter((build) => build.outcome === outcome).map(({ id }) => id);
      const [restored, missing] = [idsWith('restored'), idsWith('not_found')];
      for (const id of idsWith('not_deleted')) context.output.say(`${id} is not in the trash.`);
      context.output.print({ restored: restored.length, builds }, restored.join('\n'));
      if (missing.length === 0) return;
      const message = `Neither the project nor its trash contains the build ${missing.join(', ')}.`;
      throw notFoundError(message, { builds });
    });
