import { Command, Option } from 'commander';
import { type Context } from '../../context';
import { Importer } from '../../imports/importer';
import { type ZealotApp, ZealotClient } from '../../imports/zealot/zealot-client';
import { zealotPlan } from '../../imports/zealot/zealot-plan';
import { ZealotSource } from '../../imports/zealot/zealot-source';
import { notFoundError, usageError } from '../../output/cli-error';
import { isSameName } from '../../settings/scope';
import { serviceAddress } from '../../settings/settings';
import { printImport } from './print-import';
import { printPlan } from './print-plan';

interface Options {
  readonly from: string;
  readonly zealotToken?: string;
  readonly app?: string;
  readonly dryRun?: boolean;
}

export const importZealotCommand = (context: Context): Command =>
  new Command('zealot')
    .description(`import all releases of an app of Zealot, oldest first; no mail is sent`)
    .addOption(new Option('--from <address>', 'address of the server').makeOptionMandatory())
    .option('--zealot-token <token>', 'token of a user there; better given as the variable')
    .option('--app <name>', 'name of the app, if there are several')
    .option('--dry-run', 'show what would be imported, and change nothing')
    .action(async ({ from, zealotToken: token, app, dryRun = false }: Options) => {
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
