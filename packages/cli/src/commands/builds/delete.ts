import { Command } from 'commander';
import { nameOf } from '../../builds/describe-build';
import { BUILD_ARGUMENT, findBuild } from '../../builds/find-build';
import { type Context } from '../../context';
import { confirm } from '../../prompt/questions';

export const deleteBuildsCommand = (context: Context): Command =>
  new Command('delete')
    .description('delete builds with their files and install links')
    .argument('<build...>', BUILD_ARGUMENT)
    .option('--yes', 'do not ask')
    .action(async (given: readonly string[], { yes = false }: { readonly yes?: boolean }) => {
      const builds = await Promise.all(given.map((each) => findBuild(context, each)));
      await confirm(
        context,
        `This deletes ${builds.map((build) => `${nameOf(build)} (${build.id})`).join(', ')}.`,
        yes,
      );
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      for (const { id } of builds)
        await client.request('DELETE /builds/{build_id}', { path: { build_id: id }, query: scope });
      context.output.print(builds, builds.map(({ id }) => id).join('\n'));
    });
