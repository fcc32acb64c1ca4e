import { type ProjectScope } from '../../session/use-project-place';

const address = (path: string, scope: ProjectScope): string =>
  `${location.origin}/api/v1${path}?${new URLSearchParams({ ...scope })}`;

const TOKEN = '-H "Authorization: Bearer $AGATE_TOKEN"';

/** A request that reads from the API as a command for a shell. The token comes from its environment. */
export const readingCurl = (path: string, scope: ProjectScope): string =>
  `curl --fail-with-body ${TOKEN} "${address(path, scope)}"`;

/** The upload of a build as a command for a shell. */
export const uploadingCurl = (scope: ProjectScope): string =>
  `curl --fail-with-body ${TOKEN} \\\n  -F file=@app-release.apk \\\n  "${address('/builds', scope)}"`;
