import { isUdid } from '#kernel/builds/udid';
import { AppError, MAX_ERROR_FIELDS } from '#kernel/errors/app-error';
import { cleanText } from '#kernel/text/text';
import { type CsvRow } from '#infra/http/response/stream-response';
import { csvRows, wrongFile, wrongLine } from '#modules/testers';
import { devicePlatformOf, MAX_DEVICE_NAME } from '../device';
import { type ShownDevice } from '../device-views';
import { MAX_DEVICES_AT_ONCE } from '../devices.dto';
import { modelOf } from '../models';

/** A device with its id in the clear. */
export type OpenedDevice = ShownDevice & { readonly udid: string };

export const DEVICE_COLUMNS = [
  'udid',
  'name',
  'platform',
  'model',
  'os_version',
  'email',
  'provisioned',
  'registered_at',
  'created_at',
  'id',
] as const;

export const toDeviceRow = (device: OpenedDevice): CsvRow => ({
  udid: device.udid,
  name: device.name,
  platform: devicePlatformOf(device),
  model: modelOf(device.product),
  os_version: device.osVersion,
  email: device.tester?.email ?? null,
  provisioned: device.provisioned === null ? null : String(device.provisioned),
  registered_at: device.registeredAt?.toISOString() ?? null,
  created_at: device.createdAt.toISOString(),
  id: device.id,
});

/** The header of Apple's file. fastlane skips it, and accepts two or three columns behind it. */
const APPLE_HEADER = 'Device ID\tDevice Name\tDevice Platform';

/** The file in which Apple registers many devices: UTF-8, separated by tabs. */
export const appleFile = (devices: readonly OpenedDevice[]): string =>
  [APPLE_HEADER, ...devices.map((device) => [device.udid, appleName(device), devicePlatformOf(device)].join('\t'))]
    .map((line) => `${line}\n`)
    .join('');

/** Never empty, without a tab, and without a beginning that a spreadsheet would evaluate. The end of the id tells equal names apart. */
function appleName({ name, tester, product, udid }: OpenedDevice): string {
  const text = name ?? [tester?.name, modelOf(product) ?? 'device'].filter(Boolean).join(' ');
  const end = endOf(udid);
  const clean = cleanText(text.replace(/\s+/g, ' '), MAX_DEVICE_NAME - end.length).replace(/^[=+\-@'\s]+/, '');
  return `${clean || 'device'}${end}`;
}

/** What the name of an exported device ends with. */
const endOf = (udid: string): string => ` ${udid.slice(-4)}`;

/** The name in a file, without the end that an export added. Else it would grow with each export that is imported again. */
function importedName(name: string, udid: string): string | null {
  const end = endOf(udid);
  const isExported = name.toLowerCase().endsWith(end.toLowerCase());
  return cleanText(isExported ? name.slice(0, -end.length) : name, MAX_DEVICE_NAME) || null;
}

/** A device of a file. */
export interface ImportedLine {
  readonly line: number;
  readonly udid: string;
  readonly name: string | null;
  /** Null: no tester. */
  readonly email: string | null;
}

const UDID_HEADERS = ['device id', 'udid', 'device udid', 'identifier'];
const NAME_HEADERS = ['device name', 'name'];
const EMAIL_HEADERS = ['email', 'tester email'];

/**
 * Parses a file of devices: an export of this service, Apple's own, or a CSV file.
 * @throws AppError validation_error that names the wrong lines.
 */
export function parseDevicesFile(text: string): ImportedLine[] {
  const [header, ...rows] = csvRows(text);
  if (!header || rows.length === 0) throw wrongFile('must contain a header line and at least one device');
  if (rows.length > MAX_DEVICES_AT_ONCE) throw wrongFile(`must have ${MAX_DEVICES_AT_ONCE} devices or fewer`);
  const titles = header.cells.map((title) => title.toLowerCase().replace(/[\s_-]+/g, ' '));
  const columnOf = (headers: readonly string[]): number => titles.findIndex((title) => headers.includes(title));
  const [udid, name, email] = [columnOf(UDID_HEADERS), columnOf(NAME_HEADERS), columnOf(EMAIL_HEADERS)];
  if (udid < 0) throw wrongLine(header.line, 'must name the columns, and one of them must be Device ID or udid');
  const lines = rows.map(({ line, cells }) => ({
    line,
    udid: cells[udid] ?? '',
    name: importedName(cells[name]?.trim() ?? '', cells[udid] ?? ''),
    email: cells[email]?.trim() || null,
  }));
  const wrong = lines.filter((each) => !isUdid(each.udid)).slice(0, MAX_ERROR_FIELDS);
  if (wrong.length > 0)
    throw AppError.validation(wrong.map(({ line }) => ({ field: `line ${line}`, messages: [WRONG_ID] })));
  return lines;
}

const WRONG_ID = 'the device id must have 40 hexadecimal digits, or 8 and 16 with a dash between them';
