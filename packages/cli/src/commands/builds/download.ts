import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Command } from 'commander';
import { downloadBuild } from '../../builds/download-build';
import { BUILD_ARGUMENT, findBuild } from '../../builds/find-build';
import { type Context } from '../../context';
import { usageError } from '../../output/cli-error';

interface Options {
  readonly file?: string;
  readonly force?: boolean;
}

export const downloadBuildCommand = (context: Context): Command =>
  new Command('download')
    .description('download the file of a build and check its SHA-256')
    .argument('<build>', BUILD_ARGUMENT)
    .option('--file <file>', 'where to write it; default: its name, in the current folder')
    .option('--force', 'replace a file that exists')
    .action(async (given: string, { file, force = false }: Options) => {
      const build = await findBuild(context, given);
      // The name comes from the upload. It must not lead out of the folder.
      const path = resolve(context.process.cwd, file ?? basename(build.file_name.replaceAll('\\', '/')));
      if (!force && existsSync(path)) throw usageError(`${path} exists. Use --file or --force.`);
      await downloadBuild(context, build, path);
      context.output.print({ ...build, path }, path);
    });
