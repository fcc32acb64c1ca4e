import { readFile, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type DeviceResponse } from '@agate/client';
import { Command, Option } from 'commander';
import { BUILD_ARGUMENT, findBuild } from '../builds/find-build';
import { type Context } from '../context';
import { allItemsOf } from '../network/pages';
import { notFoundError, usageError } from '../output/cli-error';
import { tableOf } from '../output/table';
import { isId } from '../settings/scope';

export const devicesCommand = (context: Context): Command => {
  const command = new Command('devices').description('manage the iPhones and iPads of testers');
  for (const create of [listDevicesCommand, exportDevicesCommand, importDevicesCommand, markRegisteredCommand]) {
    command.addCommand(create(context));
  }
  return command;
};

interface FilterOptions {
  readonly missingIn?: string;
  readonly unregistered?: boolean;
}

/** The filter of the options: devices that a build leaves out, or that Apple does not know yet. */
async function filterOf(context: Context, { missingIn, unregistered }: FilterOptions) {
  return {
    ...(missingIn !== undefined && { build_id: await buildIdOf(context, missingIn), provisioned: false }),
    ...(unregistered && { registered: false }),
  };
}

/** An id is not looked up: a credential that manages testers may not see builds. */
const buildIdOf = async (context: Context, given: string): Promise<string> =>
  isId(given) ? given : (await findBuild(context, given)).id;

const withFilters = (command: Command): Command =>
  command
    .option('--missing-in <build>', `devices that the profile of this build leaves out only: ${BUILD_ARGUMENT}`)
    .option('--unregistered', 'devices that are not marked as registered with Apple only');

const listDevicesCommand = (context: Context): Command =>
  withFilters(new Command('list'))
    .description('list devices, newest first, without their ids (UDIDs)')
    .action(async (options: FilterOptions) => {
      const devices = await find(context, options);
      context.output.print(devices, tableOf(devices.map(rowOf)));
    });

async function find(context: Context, options: FilterOptions): Promise<readonly DeviceResponse[]> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const query = { ...scope, ...(await filterOf(context, options)) };
  return allItemsOf((page) => client.request('GET /devices', { query: { ...query, ...page } }));
}

const rowOf = (device: DeviceResponse): string[] => [
  device.id,
  device.name ?? device.model ?? '',
  device.tester_email ?? '',
  device.provisioned === null ? '' : device.provisioned ? 'included' : 'missing',
  device.registered_at === null ? '' : 'registered',
];

interface ExportOptions extends FilterOptions {
  readonly format: 'apple' | 'csv';
}

const exportDevicesCommand = (context: Context): Command =>
  withFilters(new Command('export'))
    .description('write the ids (UDIDs) of devices as the file with which Apple and fastlane register them')
    .argument('[file]', 'where to write it; default: standard output')
    .addOption(new Option('--format <format>', 'kind of file').choices(['apple', 'csv']).default('apple'))
    .action(async (file: string | undefined, { format, ...options }: ExportOptions) => {
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const query = { ...scope, ...(await filterOf(context, options)), format };
      const text = await client.request('GET /devices/export', { query });
      const devices = Math.max(0, text.trimEnd().split('\n').length - 1);
      if (file === undefined) return context.output.print({ devices, text }, text.trimEnd());
      // The file contains personal data, so only its owner may read it.
      await writeFile(file, text, { mode: 0o600 }).catch((error: Error) => {
        throw usageError(`"${file}" cannot be written: ${error.message}`);
      });
      context.output.print({ file, devices }, `${devices} ${devices === 1 ? 'device is' : 'devices are'} in ${file}.`);
    });

interface ImportOptions {
  readonly registered?: boolean;
  readonly dryRun?: boolean;
}

const importDevicesCommand = (context: Context): Command =>
  new Command('import')
    .description('add the devices of a file of Apple, fastlane or a spreadsheet, all or none')
    .argument('<file>', 'file with the columns Device ID and optionally Device Name and email; - reads standard input')
    .option('--registered', 'mark them as registered with Apple')
    .option('--dry-run', 'check and count, but change nothing')
    .action(async (file: string, { registered = false, dryRun = false }: ImportOptions) => {
      const body = await contentOf(context, file);
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      const imported = await client.request('POST /devices/import', {
        query: { ...scope, registered, dry_run: dryRun },
        headers: { 'Content-Type': 'text/csv' },
        body,
      });
      const { created, existing } = imported;
      const text = `${created} ${dryRun ? 'would be added' : 'added'}, ${existing} existed.`;
      context.output.print({ ...imported, dry_run: dryRun }, text);
    });

async function contentOf({ process }: Context, file: string): Promise<Blob> {
  if (file === '-') return new Blob([await buffer(process.stdin)]);
  try {
    return new Blob([await readFile(file)]);
  } catch (error) {
    throw usageError(`"${file}" cannot be read: ${(error as Error).message}`);
  }
}

/** The maximum number of devices in one request. */
const MARKED_AT_ONCE = 1000;

const markRegisteredCommand = (context: Context): Command =>
  withFilters(new Command('mark-registered'))
    .description('say that devices are registered with Apple')
    .argument('[id...]', 'ids of devices, as devices list shows them; default: those of the options')
    .action(async (ids: string[], options: FilterOptions) => {
      const hasFilter = options.missingIn !== undefined || options.unregistered === true;
      if (ids.length === 0 && !hasFilter)
        throw usageError('Name devices, or choose them by --missing-in or --unregistered.');
      const chosen = ids.length > 0 ? ids : (await find(context, options)).map(({ id }) => id);
      if (chosen.length === 0) throw notFoundError('No device matches.');
      const [client, scope] = await Promise.all([context.client(), context.scope()]);
      let marked = 0;
      for (let start = 0; start < chosen.length; start += MARKED_AT_ONCE) {
        const body = { ids: chosen.slice(start, start + MARKED_AT_ONCE) };
        marked += (await client.request('POST /devices/mark-registered', { query: scope, body })).marked;
      }
      context.output.print({ marked }, `${marked} marked as registered.`);
    });
