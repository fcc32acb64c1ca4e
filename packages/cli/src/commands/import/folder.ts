import { resolve } from 'node:path';
import { Command } from 'commander';
import { type Context } from '../../context';
import { FolderSource } from '../../imports/folder/folder-source';
import { readFolder } from '../../imports/folder/read-folder';
import { Importer } from '../../imports/importer';
import { printPlan } from './print-plan';
import { printImport } from './print-import';

interface Options {
  readonly dryRun?: boolean;
}

export const importFolderCommand = (context: Context): Command =>
  new Command('folder')
    .description('upload all builds of a folder, oldest first, as its import.json or import.csv says; no mail is sent')
    .argument('<folder>', 'folder with builds')
    .option('--dry-run', 'show what would be imported, and change nothing')
    .action(async (given: string, { dryRun = false }: Options) => {
      const folder = resolve(context.process.cwd, given);
      const plan = await readFolder(folder);
      if (dryRun) return printPlan(context, plan);
      printImport(context, await new Importer(context, new FolderSource(folder)).run(plan));
    });
