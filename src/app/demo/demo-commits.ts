import { createHash } from 'node:crypto';
import { type BuildDraft } from '#modules/builds';
import { type DemoBuild } from './demo-story';

/** The domain is reserved (RFC 2606), so its pages do not exist. */
const REPOSITORY = 'https://git.agate.example/agate/rocket';
const AUTHORS = ['Ann Berger', 'Jun Sato'];

/** A hash that is the same on every first start. */
const hashOf = (text: string): string => createHash('sha1').update(`agate demo ${text}`).digest('hex');

const commitOf = ({ number, version }: DemoBuild): string => hashOf(`${version} ${number}`);

/** The commit of a build, the commits since the build before it on its branch, and its pull request. */
export function changesOf(build: DemoBuild, builds: readonly DemoBuild[]): BuildDraft {
  const { commits: subjects, pullRequest } = build;
  const commit = commitOf(build);
  const before = builds.findLast(
    ({ branch, file, daysAgo }) => branch === build.branch && file === build.file && daysAgo > build.daysAgo,
  );
  return {
    commit,
    commits: subjects?.map((subject, at) => ({
      sha: at === 0 ? commit : hashOf(subject),
      subject,
      author: AUTHORS[at % AUTHORS.length] ?? null,
    })),
    commitsSince: before && commitOf(before),
    ...(pullRequest && {
      pullRequestNumber: pullRequest.number,
      pullRequestTitle: pullRequest.title,
      pullRequestUrl: `${REPOSITORY}/pull/${pullRequest.number}`,
    }),
  };
}
