import { resolve } from 'node:path';
import { Command } from 'commander';
import { type Context } from '../context';
import { exportBuilds } from '../imports/folder/export-builds';

export const exportCommand = (context: Context): Command => {
  const command = new Command('export').description('take builds out of a project');
  command.addCommand(exportBuildsCommand(context));
  return command;
};

interface Options {
  /** False with `--no-testers`. */
  readonly testers: boolean;
}

const exportBuildsCommand = (context: Context): Command =>
  new Command('builds')
    .description('write all builds of a project into a folder that agate import folder reads; each is a download')
    .argument('<folder>', 'where to write; files that are there already are not fetched again')
    .option('--no-testers', 'leave out the addresses of testers')
    .action(async (given: string, { testers }: Options) => {
      const result = await exportBuilds(context, resolve(context.process.cwd, given), testers);
      const { folder, builds, present } = result;
      context.output.print(result, `${builds} builds are in ${folder}. ${present} were there before.`);
    });
