import { createHash } from 'node:crypto';

/** An installed app, as the SDK for Android reads it from the system. */
export interface AndroidApp {
  readonly packageName: string;
  /** Java joins the texts of the hash: a null becomes "null". */
  readonly versionName: string | null;
  readonly versionCode: number;
  readonly apiLevel: number;
}

/** An installed app, as the SDK for iOS reads it from its bundle and executable. */
export interface IosApp {
  /** LC_UUID of the executable. */
  readonly uuid: string;
  readonly shortVersion: string;
  readonly version: string;
  readonly os: string;
}

type Json = Readonly<Record<string, unknown>>;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const androidHashOf = ({ packageName, versionName, versionCode }: AndroidApp): string =>
  sha256(`${packageName}:${versionName}:${versionCode}`);

export const iosHashOf = ({ uuid, shortVersion, version }: IosApp): string =>
  sha256(`${uuid.toLowerCase()}:${shortVersion}:${version}`);

/**
 * Whether the published SDK for Android offers the release in a response.
 * @throws when its parser rejects the response: a missing field, an `int` out of range, a download that is not http.
 */
export function androidOffers(app: AndroidApp, response: string): boolean {
  const release = JSON.parse(response) as Json;
  const version = int(release, 'version');
  const minApiLevel = int(release, 'android_min_api_level');
  int(release, 'id');
  text(release, 'short_version');
  if (typeof release['size'] !== 'number') throw new Error('size is not a long');
  if (release['release_notes'] !== null) text(release, 'release_notes');
  if (typeof release['mandatory_update'] !== 'boolean') throw new Error('mandatory_update is not a boolean');
  if (!/^http/.test(text(release, 'download_url'))) throw new Error('download_url is not http');
  const [hash] = hashesOf(release);
  if (hash === undefined) throw new Error('package_hashes is empty');
  if (minApiLevel > app.apiLevel) return false;
  return version === app.versionCode ? hash !== androidHashOf(app) : version > app.versionCode;
}

/** Whether the published SDK for iOS offers the release in a response. @throws when it would reject it. */
export function iosOffers(app: IosApp, response: string): boolean {
  const release = JSON.parse(response) as Json;
  if (typeof release['id'] !== 'number') throw new Error('id is not a number');
  new URL(text(release, 'download_url'));
  if (!text(release, 'install_url').startsWith('itms-services://')) throw new Error('install_url installs nothing');
  if (text(release, 'status') !== 'available') return false;
  if (numeric(app.os, text(release, 'min_os')) < 0) return false;
  const shortVersion = text(release, 'short_version');
  const differs = !hashesOf(release).includes(iosHashOf(app));
  if (!isSemantic(app.shortVersion)) return isSemantic(shortVersion) || differs;
  if (!isSemantic(shortVersion)) return false;
  const order = semantic(shortVersion, app.shortVersion) || numeric(text(release, 'version'), app.version);
  return order === 0 ? differs : order > 0;
}

/** Whether an SDK keeps its state after a 404: a payload without this code makes it forget the update set-up. */
export const keepsState = (response: string): boolean =>
  (JSON.parse(response) as Json)['code'] === 'no_releases_for_user';

function int(json: Json, name: string): number {
  const value = json[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value > 2 ** 31 - 1)
    throw new Error(`${name} is not an int`);
  return value;
}

function text(json: Json, name: string): string {
  const value = json[name];
  if (typeof value !== 'string') throw new Error(`${name} is not a string`);
  return value;
}

function hashesOf(json: Json): string[] {
  const hashes = json['package_hashes'];
  if (!Array.isArray(hashes)) throw new Error('package_hashes is not an array');
  return hashes as string[];
}

const isSemantic = (version: string): boolean =>
  /^v?(0|[1-9]\d*)(\.([x*]|0|[1-9]\d*)(\.([x*]|0|[1-9]\d*)(-[\da-z-]+(\.[\da-z-]+)*)?(\+[\da-z-]+(\.[\da-z-]+)*)?)?)?$/i.test(
    version,
  );

/** A pre-release comes before its release; pre-releases are compared as text here. */
function semantic(a: string, b: string): number {
  const [[baseA = '', ...preA], [baseB = '', ...preB]] = [a, b].map((version) => version.split('+')[0]!.split('-')) as [
    string[],
    string[],
  ];
  const bases = numeric(baseA, baseB);
  if (bases !== 0) return bases;
  if (preA.length === 0 || preB.length === 0) return preB.length - preA.length;
  return numeric(preA.join('-'), preB.join('-'));
}

/** `NSNumericSearch`: runs of digits by value, the rest as text. A missing part is less. */
function numeric(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [x, y] = [left[index], right[index]];
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const difference = /\d/.test(x) && /\d/.test(y) ? Number(x) - Number(y) : x.localeCompare(y);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}

const partsOf = (value: string): string[] => [...(value.match(/\d+|\D/g) ?? [])];
