import { type BuildResponse } from '@agate/client';
import { sizeOf } from '../output/progress';
import { tableOf } from '../output/table';

/** A build in a few words, such as `Demo 1.0 (42) for ios`. */
export function nameOf({ app, file_name, version, build_number, platform }: BuildResponse): string {
  const number = build_number === null ? '' : ` (${build_number})`;
  return `${app.name ?? file_name} ${version}${number} for ${platform}`;
}

/** A version as tables have it, with the number of the build: `1.0 (42)`. */
export const versionOf = ({ version, build_number }: Pick<BuildResponse, 'version' | 'build_number'>): string =>
  `${version} (${build_number ?? '–'})`;

/** A table of builds. */
export const listOf = (builds: readonly BuildResponse[]): string =>
  tableOf(builds.map((build) => rowOf(build, build.uploaded_at)));

/** A table of builds in the trash. */
export const trashOf = (builds: readonly BuildResponse[]): string =>
  tableOf(builds.map((build) => rowOf(build, `until ${build.frees_bytes_at}`)));

const rowOf = ({ id, platform, source, ...build }: BuildResponse, time: string): string[] => [
  platform,
  versionOf(build),
  source.branch ?? '',
  (source.commit ?? '').slice(0, 9),
  time,
  id,
];

/** The number, title and page of the pull request, as far as they are known. */
function pullRequestOf({ pull_request: pullRequest }: BuildResponse['source']): string | null {
  if (!pullRequest) return null;
  const { number, title, url } = pullRequest;
  return [number === null ? null : `#${number}`, title, url].filter(Boolean).join(' ');
}

/** The fields of a build that people read. */
export function factsOf(build: BuildResponse): string {
  const { source, channels, warnings } = build;
  const facts: readonly (readonly [string, string | null])[] = [
    ['build', nameOf(build)],
    ['id', build.id],
    ['bundle id', build.app.bundle_id ?? null],
    ['file', `${build.file_name}, ${sizeOf(build.size_bytes)}`],
    ['sha256', build.sha256],
    ['uploaded', `${build.uploaded_at}${build.uploaded_by.label === null ? '' : ` by ${build.uploaded_by.label}`}`],
    ['first uploaded', build.original_uploaded_at],
    ['branch', source.branch],
    ['commit', source.commit],
    ['job', source.ci_url],
    ['pull request', pullRequestOf(source)],
    ['commits', source.commits?.map(({ subject }) => subject).join('; ') ?? null],
    ['channels', channels.map(({ name }) => name).join(', ')],
    ['install', build.install_url],
    ['pinned', build.pinned ? 'yes' : null],
    ['to the trash', build.expires_at],
    ['warnings', warnings.map(({ message }) => message).join(' ')],
    ['notes', build.notes],
  ];
  return tableOf(facts.filter(([, value]) => value).map(([name, value]) => [name, value ?? '']));
}
