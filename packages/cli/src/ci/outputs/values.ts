/** The parts of an uploaded build that the next step of a pipeline uses. */
export interface UploadedBuild {
  readonly id: string;
  readonly platform: string;
  readonly version: string;
  readonly build_number: string | null;
  readonly file_name: string;
  readonly notes: string | null;
  /** Null when the credential must not download. */
  readonly install_url: string | null;
  /** Address of a picture of the QR code; null when there is no link. */
  readonly qr_url?: string | null;
  readonly app: { readonly name: string | null };
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly releases: readonly {
    /** The name of the channel. */
    readonly channel: string;
    readonly release_id: string;
    readonly install_url: string | null;
  }[];
}

/** The variables for a later step, by name. Unknown values are missing. For several builds, the values are those of the first. */
export function variablesOf([build]: readonly UploadedBuild[]): ReadonlyMap<string, string> {
  const values: (readonly [string, string | null | undefined])[] = build
    ? [
        ['AGATE_BUILD_ID', build.id],
        ['AGATE_INSTALL_URL', build.install_url],
        ['AGATE_QR_URL', build.qr_url],
        ['AGATE_VERSION', build.version],
        ['AGATE_BUILD_NUMBER', build.build_number],
      ]
    : [];
  return new Map(values.filter((entry): entry is [string, string] => Boolean(entry[1])));
}

/** The outputs of a workflow step of GitHub, by name. */
export function outputsOf(builds: readonly UploadedBuild[]): ReadonlyMap<string, string> {
  const [build] = builds;
  if (!build) return new Map();
  return new Map([
    ['build-id', build.id],
    ['install-url', build.install_url ?? ''],
    ['qr-url', build.qr_url ?? ''],
    ['version', build.version],
    ['build-number', build.build_number ?? ''],
    ['release-ids', build.releases.map(({ release_id }) => release_id).join(',')],
    ['warnings', JSON.stringify(build.warnings)],
    ['builds', JSON.stringify(builds)],
  ]);
}

/** Characters that are safe in a file that GitLab parses and that shells read with `.`, without quotes. */
const UNSAFE = /[^A-Za-z0-9._~:/?=%+,@-]/gu;
/** GitLab rejects larger files. */
const DOTENV_BYTES = 5 * 1024;

/** Lines `NAME=value` without quotes. Characters that a shell would interpret are replaced. */
export function dotenvOf(builds: readonly UploadedBuild[]): string {
  const lines = [...variablesOf(builds)].map(([name, value]) => `${name}=${safe(name, value)}\n`);
  let text = '';
  for (const line of lines) if (text.length + line.length < DOTENV_BYTES) text += line;
  return text;
}

const safe = (name: string, value: string): string =>
  name.endsWith('_URL')
    ? value.replaceAll(UNSAFE, (character) => percentEncoded(character))
    : value.replaceAll(UNSAFE, '_');

const percentEncoded = (character: string): string =>
  [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
