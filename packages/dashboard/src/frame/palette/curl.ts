/** The API paths of the data on each screen. `:org`, `:project` and `:id` stand for parts of the address. */
const SCREENS: readonly (readonly [pattern: RegExp, api: string])[] = [
  [/^\/o\/(?<org>[^/]+)\/?$/, '/projects'],
  [/^\/o\/(?<org>[^/]+)\/members$/, '/organizations/:org/members'],
  [/^\/o\/(?<org>[^/]+)\/audit$/, '/audit/organization/:org'],
  [/^\/o\/(?<org>[^/]+)\/billing$/, '/organizations/:org/billing'],
  [/^\/o\/(?<org>[^/]+)\/storage$/, '/organizations/:org/byosa'],
  [/^\/o\/(?<org>[^/]+)\/settings$/, '/organizations/:org'],
  [/^\/o\/(?<org>[^/]+)\/p\/(?<project>[^/]+)(\/settings)?\/?$/, '/projects/:project'],
  [/^\/o\/(?<org>[^/]+)\/p\/(?<project>[^/]+)\/access$/, '/projects/:project/members'],
  [/^\/o\/(?<org>[^/]+)\/p\/(?<project>[^/]+)\/tokens$/, '/project-access-tokens'],
  [/^\/o\/(?<org>[^/]+)\/p\/(?<project>[^/]+)\/(?<list>builds|channels|testers)$/, '/:list'],
  [
    /^\/o\/(?<org>[^/]+)\/p\/(?<project>[^/]+)\/(?<list>builds|channels|testers)\/(?<id>[^/]{36})(?<more>\/downloads)?$/,
    '/:list/:id:more',
  ],
  [/^\/account/, '/developers/me'],
];

/** The request for the data on a screen, as a command for a shell. The token comes from an environment variable. */
export function curlOf(origin: string, pathname: string): string {
  for (const [pattern, api] of SCREENS) {
    const match = pattern.exec(pathname);
    if (!match) continue;
    const groups: Readonly<Record<string, string | undefined>> = match.groups ?? {};
    const path = api.replaceAll(/:(\w+?)(?=\/|:|$)/g, (_, name: string) => groups[name] ?? '');
    const query = new URLSearchParams();
    if (groups['org'] && !path.includes(groups['org'])) query.set('organization_id', groups['org']);
    if (groups['project'] && !path.includes(groups['project'])) query.set('project_id', groups['project']);
    return commandOf(`${origin}/api/v1${path}${query.size > 0 ? `?${query}` : ''}`);
  }
  return commandOf(`${origin}/api/v1/projects`);
}

const commandOf = (address: string): string => `curl -H "Authorization: Bearer $AGATE_TOKEN" "${address}"`;
