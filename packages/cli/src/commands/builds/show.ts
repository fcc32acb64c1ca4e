import { Command } from 'commander';
import { factsOf } from '../../builds/describe-build';
import { BUILD_ARGUMENT, findBuild } from '../../builds/find-build';
import { type Context } from '../../context';

export const showBuildCommand = (context: Context): Command =>
  new Command('show')
    .description('show what is known about a build')
    .argument('<build>', BUILD_ARGUMENT)
    .action(async (given: string) => {
      const build = await findBuild(context, given);
      context.output.print(build, factsOf(build));
    });
