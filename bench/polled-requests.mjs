// The requests of apps, dashboards and scripts that `bench requests` measures: title, number of requests in a round, and the request.

const SEARCHED = 'bench';

/** @param build a build of the service's project. */
export async function polledRequests(service, build) {
  const { scope, headers } = service;
  const [organization] = scope.split('&');
  const [organizationId, projectId] = [...new URLSearchParams(scope).values()];
  const jwt = { Authorization: `Bearer ${service.login}` };
  const key = await service.post('/update-keys', { platform: build.platform });
  const { pathname: check } = new URL(key.url);
  const same = `${check}?${new URLSearchParams({ version: build.version, build: build.build_number ?? '' })}`;
  const page = new URL(build.install_url).pathname;
  const get = (path, more = jwt) => [path, more];
  const requests = {
    'check for an update, no news': get(same, {}),
    'check for an update, news': get(`${check}?version=0.1`, {}),
    'feed of electron-updater': get(`${check}/latest-linux.yml`, {}),
    'projects with summaries': get(`/api/v1/projects?${organization}&include=summary`),
    'project summary': get(`/api/v1/projects/${projectId}/summary?${organization}`),
    search: get(`/api/v1/search?${organization}&q=${SEARCHED}`),
    'audit day, page of 100': get(`/api/v1/audit/organization/${organizationId}?limit=100`),
    'audit day as CSV': get(`/api/v1/audit/organization/${organizationId}/export.csv`),
    billing: get(`/api/v1/organizations/${organizationId}/billing`),
    'downloads of a build': get(`/api/v1/builds/${build.id}/downloads?${scope}`),
    'downloads by day': get(`/api/v1/projects/${projectId}/downloads/daily?${organization}`),
    testers: get(`/api/v1/testers?${scope}`, headers),
  };
  const list = Object.entries(requests).map(([title, [path, sent]]) => [
    title,
    title.startsWith('check') ? 800 : 80,
    () => ({ path, headers: sent }),
  ]);
  const mint = () => ({
    method: 'POST',
    path: `/api/v1/builds/${build.id}/download-url?${scope}`,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{}',
  });
  return [
    ...list,
    ['mint a download URL', 80, mint],
    ['package of a link', 80, () => ({ path: `${page}/package.bin` })],
  ];
}
