import { PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import { type Identity } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { toSummaryResponse } from './projects.mapper';
import { type ProjectSummary } from './summary/project-facts';

const day = (number: number): Date => new Date(Date.UTC(2026, 0, number));

const BUILD: ProjectSummary['latest'][number] = {
  id: 'build',
  platform: 'android',
  version: '1.4.0',
  buildNumber: '42',
  sizeBytes: 1,
  uploadedAt: day(2),
  installable: true,
  installUrl: 'https://agate.example.com/install/secret',
  iconUrl: null,
  signingExpiresAt: null,
};

const summaryOf = (changes: Partial<ProjectSummary>): ProjectSummary => ({
  project: {
    id: 'project',
    organizationId: 'organization',
    name: 'Rocket',
    allowAnyBundleId: false,
    branchChannels: null,
    language: 'en',
    signingExpiryMails: true,
    createdAt: day(1),
  },
  role: null,
  iconBuildId: null,
  iconUrl: null,
  latest: [BUILD],
  channels: [{ id: 'channel', name: 'Beta' }],
  current: [],
  signingEnds: [],
  builds: 1,
  testers: 0,
  openUploads: 0,
  downloadsByDay: [0, 3],
  lastUploadAt: null,
  lastReleaseAt: null,
  lastDownloadAt: null,
  ...changes,
});

const respond = (changes: Partial<ProjectSummary>, scopes?: readonly string[]) => {
  const identity = { kind: scopes ? 'pat' : 'jwt', developerId: 'ann', scopes } as unknown as Identity;
  return toSummaryResponse({ identity } as RequestContext, summaryOf(changes));
};

describe('the summary of a project', () => {
  // red when: the mapper returns the link of the build without asking for the role
  it.each(PROJECT_ROLES.map((role): [ProjectRole] => [role]))('shows the install link as allowed to %s', (role) => {
    const mayDownload = PROJECT_ROLES.indexOf(role) >= PROJECT_ROLES.indexOf('DOWNLOAD_BUILD');
    const [latest] = respond({ role }).latest;
    expect(latest?.build.install_url).toBe(mayDownload ? BUILD.installUrl : null);
  });

  it('shows no install link to a token without the scope to download', () => {
    const role = 'MANAGE_PROJECT';
    expect(respond({ role }, ['projects:read']).latest[0]?.build.install_url).toBeNull();
    expect(respond({ role }, ['builds:download']).latest[0]?.build.install_url).toBe(BUILD.installUrl);
  });

  it('takes the last activity from the latest upload, release or download, and from the creation of an unused project', () => {
    const last = (changes: Partial<ProjectSummary>): string => respond(changes).last_activity_at;
    expect(last({})).toBe(day(1).toISOString());
    expect(last({ lastUploadAt: day(2), lastReleaseAt: day(4), lastDownloadAt: day(3) })).toBe(day(4).toISOString());
    expect(last({ lastUploadAt: day(2), lastDownloadAt: day(5) })).toBe(day(5).toISOString());
  });
});
