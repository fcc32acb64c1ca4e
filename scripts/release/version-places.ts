import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

/** The files that contain the version of the release beside `package-lock.json`. The first group of the pattern precedes the version. */
const PLACES: Readonly<Record<string, RegExp>> = {
  'package.json': /("version": ")\d+\.\d+\.\d+/g,
  ...Object.fromEntries(
    ['cli', 'client', 'dashboard'].map((name) => [
      `packages/${name}/package.json`,
      /("(?:version|@agate\/client)": ")\d+\.\d+\.\d+/g,
    ]),
  ),
  'packages/fastlane/lib/fastlane/plugin/agate/version.rb': /(VERSION = ')\d+\.\d+\.\d+/g,
  'docker/compose.yaml': /(image: agate:)\d+\.\d+\.\d+/g,
  'docker/Dockerfile': /(-t agate:|image\.version=")\d+\.\d+\.\d+/g,
  'docker/helm/agate/Chart.yaml': /(^(?:version|appVersion): )\d+\.\d+\.\d+/gm,
  ...Object.fromEntries(
    ['docs/agents.md', 'docs/cli.md', 'docs/ci/README.md', 'docs/ci/gradle.md'].map((page) => [
      page,
      /(\/agate-)\d+\.\d+\.\d+(?=\.tgz)/g,
    ]),
  ),
  'docs/ci/gitlab.md': /(\/upload@)\d+\.\d+\.\d+/g,
};

const LOCK = 'package-lock.json';

interface Lock {
  version: string;
  readonly packages: Readonly<Record<string, { version?: string; devDependencies?: Record<string, string> }>>;
}

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** The versions that each file contains. */
export function versionsByFile(): ReadonlyMap<string, readonly string[]> {
  const found = Object.entries(PLACES).map(([file, pattern]): [string, readonly string[]] => [
    file,
    [...read(file).matchAll(pattern)].map(([text, before = '']) => text.slice(before.length)),
  ]);
  return new Map([...found, [LOCK, versionsInLock(JSON.parse(read(LOCK)) as Lock)]]);
}

/** Writes a version into every file that contains the version of the release. */
export function setVersion(version: string): void {
  for (const [file, pattern] of Object.entries(PLACES)) {
    writeFileSync(path.join(ROOT, file), read(file).replace(pattern, `$1${version}`));
  }
  const lock = JSON.parse(read(LOCK)) as Lock;
  lock.version = version;
  for (const own of ownPackages(lock)) {
    own.version = version;
    if (own.devDependencies?.['@agate/client']) own.devDependencies['@agate/client'] = version;
  }
  writeFileSync(path.join(ROOT, LOCK), `${JSON.stringify(lock, null, 2)}\n`);
}

const versionsInLock = (lock: Lock): string[] => [
  lock.version,
  ...ownPackages(lock).flatMap(({ version = '', devDependencies }) => [
    version,
    devDependencies?.['@agate/client'] ?? version,
  ]),
];

/** The repository and its packages. */
const ownPackages = ({ packages }: Lock): Lock['packages'][string][] =>
  Object.entries(packages).flatMap(([place, each]) => (place === '' || place.startsWith('packages/') ? [each] : []));
