import { usageError } from '../../output/cli-error';
import {
  EMPTY_BUILD,
  type ImportPlan,
  type PlannedBuild,
  type PlannedRelease,
  type PlannedTester,
  planOf,
} from '../plan/import-plan';
import { fileWithin, platformOf, timeOf } from './fields';

/** The name of the file that describes the files of a folder. `agate export builds` writes it. */
export const IMPORT_JSON = 'import.json';

type Json = Readonly<Record<string, unknown>>;

/** Reads `import.json`. @throws CliError that names the first wrong field. */
export function readImportJson(text: string): ImportPlan {
  const root = objectOf(parsed(text), IMPORT_JSON);
  const builds = listOf(root, 'builds', '').map((build, index) => buildOf(build, `builds[${index}]`));
  const testers = listOf(root, 'testers', '').map((tester, index) => testerOf(tester, `testers[${index}]`));
  const channels = listOf(root, 'channels', '').map((name, index) => requiredText(name, `channels[${index}]`));
  return planOf(builds, testers, channels);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong(IMPORT_JSON, `must be JSON: ${(error as Error).message}`);
  }
}

function buildOf(value: unknown, at: string): PlannedBuild {
  const build = objectOf(value, at);
  const text = (name: string): string | null => optionalText(build[name], `${at}.${name}`);
  const platform = text('platform');
  return {
    ...EMPTY_BUILD,
    file: fileWithin(requiredText(build['file'], `${at}.file`), inFile(`${at}.file`)),
    sha256: text('sha256'),
    platform: platform === null ? null : platformOf(platform, inFile(`${at}.platform`)),
    version: text('version'),
    build_number: text('build_number'),
    notes: text('notes'),
    branch: text('branch'),
    commit: text('commit'),
    ci_url: text('ci_url'),
    uploaded_at: timeOf(text('uploaded_at'), inFile(`${at}.uploaded_at`)),
    releases: listOf(build, 'releases', at).map((release, index) => releaseOf(release, `${at}.releases[${index}]`)),
  };
}

function releaseOf(value: unknown, at: string): PlannedRelease {
  const release = objectOf(value, at);
  return {
    channel: requiredText(release['channel'], `${at}.channel`),
    notes: optionalText(release['notes'], `${at}.notes`),
    promoted_at: timeOf(optionalText(release['promoted_at'], `${at}.promoted_at`), inFile(`${at}.promoted_at`)),
  };
}

function testerOf(value: unknown, at: string): PlannedTester {
  const tester = objectOf(value, at);
  const channels = listOf(tester, 'channels', at);
  return {
    email: requiredText(tester['email'], `${at}.email`),
    name: optionalText(tester['name'], `${at}.name`),
    channels: channels.map((name, index) => requiredText(name, `${at}.channels[${index}]`)),
  };
}

function objectOf(value: unknown, at: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(at, 'must be an object');
  return value as Json;
}

function listOf(from: Json, name: string, at: string): readonly unknown[] {
  const value = from[name] ?? [];
  if (!Array.isArray(value)) throw wrong(`${at}.${name}`.replace(/^\./, ''), 'must be a list');
  return value;
}

function requiredText(value: unknown, at: string): string {
  const text = optionalText(value, at);
  if (text === null) throw wrong(at, 'is missing');
  return text;
}

function optionalText(value: unknown, at: string): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') throw wrong(at, 'must be text');
  return value;
}

const wrong = (at: string, problem: string): Error => usageError(`${inFile(at)} ${problem}.`);

const inFile = (at: string): string => (at === IMPORT_JSON ? at : `${at} in ${IMPORT_JSON}`);
