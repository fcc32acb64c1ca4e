import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { type Context } from '../context';
import { FolderSource, readFolder } from '../imports/folder/read-folder';
import { Importer, type ImportResult } from '../imports/importer';
import { type ImportPlan, type PlannedBuild } from '../imports/plan/import-plan';
import { type ZealotApp, ZealotClient } from '../imports/zealot/zealot-client';
import { zealotPlan } from '../imports/zealot/zealot-plan';
import { ZealotSource } from '../imports/zealot/zealot-source';
import { CliError, ExitCode, notFoundError, usageError } from '../output/cli-error';
import { tableOf } from '../output/table';
import { isSameName } from '../settings/scope';
import { serviceAddress } from '../settings/service-address';

export const importCommand = (context: Context): Command => {
  const command = new Command('import').description('bring builds from elsewhere into a project');
  for (const create of [importFolderCommand, importZealotCommand]) command.addCommand(create(context));
  return command;
};

interface FolderOptions {
  readonly dryRun?: boolean;
}

const importFolderCommand = (context: Context): Command =>
  new Command('folder')
    .description('upload all builds of a folder, oldest first, as its import.json or import.csv says; no mail is sent')
    .argument('<folder>', 'folder with builds')
    .option('--dry-run', 'show what would be imported, and change nothing')
    .action(async (given: string, { dryRun = false }: FolderOptions) => {
      const folder = resolve(context.process.cwd, given);
      const plan = await readFolder(folder);
      if (dryRun) return printPlan(context, plan);
      printImport(context, await new Importer(context, new FolderSource(folder)).run(plan));
    });

interface ZealotOptions {
  readonly from: string;
  readonly zealotToken?: string;
  readonly app?: string;
  readonly dryRun?: boolean;
}

const importZealotCommand = (context: Context): Command =>
  new Command('zealot')
    .description(`import all releases of an app of Zealot, oldest first; no mail is sent`)
    .addOption(new Option('--from <address>', 'address of the server').makeOptionMandatory())
    .option('--zealot-token <token>', 'token of a user there; better given as the variable')
    .option('--app <name>', 'name of the app, if there are several')
    .option('--dry-run', 'show what would be imported, and change nothing')
    .action(async ({ from, zealotToken: token, app, dryRun = false }: ZealotOptions) => {
      if (!token) throw usageError('Set AGATE_ZEALOT_TOKEN to the token on your profile page in Zealot.');
      context.output.secrets.add(token);
      const zealot = new ZealotClient(serviceAddress(from), token, context.signal);
      const plan = await zealotPlan(theApp(await zealot.apps(), app), (key) => zealot.releases(key));
      if (dryRun) return printPlan(context, plan);
      const source = new ZealotSource(zealot, context.signal);
      printImport(context, await new Importer(context, source).run(plan));
    });

function theApp(apps: readonly ZealotApp[], wanted: string | undefined): ZealotApp {
  const names = apps.map(({ name }) => `"${name}"`).join(', ') || 'none';
  const found = apps.filter(({ name }) => wanted === undefined || isSameName(name, wanted));
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw notFoundError(`There is no such app. The token may see ${names}.`);
  throw usageError(`Name the app with --app. The token may see ${names}.`);
}

/** Prints the steps of an import without running them. */
function printPlan(context: Context, plan: ImportPlan): void {
  for (const remark of plan.remarks) context.output.warn(remark);
  context.output.print(plan, tableOf(plan.builds.map(rowOf)));
}

const rowOf = ({ uploaded_at, file, version, build_number, releases }: PlannedBuild): string[] => [
  uploaded_at?.slice(0, 10) ?? '',
  file,
  [version, build_number === null ? null : `(${build_number})`].filter(Boolean).join(' '),
  releases.map(({ channel }) => channel).join(', '),
];

/** Prints the result of an import. @throws CliError when it is incomplete. */
function printImport(context: Context, result: ImportResult): void {
  const { uploaded, present, failed, promoted, testers, remarks } = result;
  for (const remark of remarks) context.output.warn(remark);
  const text = `${uploaded} uploaded, ${present} were there, ${promoted} promoted, ${testers} testers added.`;
  context.output.print(result, text);
  if (failed.length === 0) return;
  const files = failed.slice(0, 10).map(({ file, message }) => `${file}: ${message}`);
  const more = failed.length > files.length ? [`and ${failed.length - files.length} more`] : [];
  const message = `${failed.length} of ${uploaded + present + failed.length} builds were not imported. ${[...files, ...more].join('; ')}`;
  throw new CliError(ExitCode.refused, 'import_incomplete', message, { ...result });
}
