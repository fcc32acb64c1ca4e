// Values for the requests of `bench large`. A new route or filter whose parameters have no value here fails the benchmark.
const NOBODY = '01a19b8f-0000-7000-8000-000000000000';
const DAY_MS = 86_400_000;
const timeOf = (daysAgo) => new Date(Date.now() - daysAgo * DAY_MS).toISOString();
const dayOf = (daysAgo) => timeOf(daysAgo).slice(0, 10);
const monthOf = (monthsAgo) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo)).toISOString().slice(0, 7);
};

/** Routes that are not measured, with the reason. */
export const SKIPPED = {
  '/api/v1/events': 'a stream that does not end; `bench large --only processes` reads it',
  '/api/v1/developers/{developer_id}/change_email': 'needs a token that was mailed; reads one row by its key',
  '/api/v1/developers/{developer_id}/verify_email': 'needs a token that was mailed; reads one row by its key',
  '/api/v1/developers/reset_password': 'needs a token that was mailed; reads one row by its key',
  '/api/v1/organizations/invitations/accept': 'needs a token that was mailed; reads one row by its key',
  '/api/v1/login/device': 'needs a login of the command line that waits; reads one row by its key',
  '/download/{ticket}/{file_name}': 'a transfer: `bench service` measures it',
  '/install/{invite_token}/device/{receipt}': 'needs a device that has just registered; reads one row by its key',
  '/install/{invite_token}/unsubscribe': 'needs a link that was mailed to a tester; reads one row by its key',
  '/install/{invite_token}/{package_file}': 'creates a ticket, and reserves its cost: `bench hot-account`',
  '/install/{invite_token}/builds/{build_id}/{package_file}':
    'creates a ticket, and reserves its cost: `bench hot-account`',
  '/install/{invite_token}/latest/{platform}/package': 'creates a ticket, and reserves its cost: `bench hot-account`',
  '/updates/{update_key}/install/{package_file}': 'creates a ticket, and reserves its cost: `bench hot-account`',
  '/updates/{update_key}/files/{version}/{file_name}': 'creates a ticket, and reserves its cost: `bench hot-account`',
  '/updates/{update_key}/builds/{build_id}/{file_name}': 'creates a ticket, and reserves its cost: `bench hot-account`',
};

const ofKey =
  (platform, values = {}) =>
  ({ parameters: { keys } }) => ({ update_key: keys[platform], ...values });
const ofChannel = ({ parameters }) => ({ invite_token: parameters.channel_token, platform: 'ios' });
const APP_CENTER = { app_secret: 'secret', group: 'group' };

/** Parameters of single routes. Those that all routes share are in the subject. */
export const PARAMETERS = {
  '/api/v1/exports/{ticket}': ({ parameters }) => ({ ticket: parameters.export_ticket }),
  '/install/{invite_token}/latest/{platform}': ofChannel,
  '/install/{invite_token}/builds/{build_id}': ofChannel,
  '/install/{invite_token}/builds/{build_id}/manifest.plist': ofChannel,
  '/install/{invite_token}/builds/{build_id}/icon.png': ofChannel,
  '/install/{invite_token}/builds/{build_id}/qr.svg': ofChannel,
  '/updates/{update_key}/appcenter/v0.1/public/sdk/apps/{app_secret}/releases/latest': ofKey('ios', APP_CENTER),
  '/updates/{update_key}/appcenter/v0.1/public/sdk/apps/{app_secret}/distribution_groups/{group}/releases/latest':
    ofKey('ios', APP_CENTER),
  '/updates/{update_key}/appcast.xml': ofKey('macos'),
  '/updates/{update_key}/latest.yml': ofKey('windows'),
  '/updates/{update_key}/latest-mac.yml': ofKey('macos'),
  '/updates/{update_key}/latest-linux.yml': ofKey('linux'),
  '/updates/{update_key}/latest-linux-{arch}.yml': ofKey('linux', { arch: 'arm64' }),
  '/updates/{update_key}/squirrel': ofKey('macos', { version: '1.0' }),
  '/updates/{update_key}/tauri/{target}/{arch}/{version}': ofKey('macos', {
    target: 'darwin',
    arch: 'aarch64',
    version: '1.0',
  }),
  '/updates/{update_key}/{feed}.yml': ofKey('windows', { feed: 'beta' }),
};

/** Optional parameters whose values do not decide what is read. */
export const CONSTANT = [
  / (lang|device|for|token|install_id|format|ids|size)$/,
  /^\/updates\/\S+ \w+$/,
  /^\/api\/v1\/devices \w*include$/,
];

const STATES = ['added', 'invited', 'opened', 'has_current', 'behind', 'left', 'bounced'];
const STEPS = ['has_it', 'downloaded', 'bounced', 'opened', 'mailed', 'not_mailed', 'has_not'];
const named = (name, values) => Object.fromEntries(values.map((value) => [value, { [name]: value }]));
const RANGES = () => ({
  'an old day': { from: timeOf(300), to: timeOf(299) },
  'a month': { from: timeOf(60), to: timeOf(30) },
  none: { from: timeOf(3000), to: timeOf(2999) },
});
const DAYS = () => ({
  'an old day': { from: dayOf(300), to: dayOf(300) },
  'a month': { from: dayOf(60), to: dayOf(30) },
  none: { from: dayOf(800), to: dayOf(790) },
});

/** The cases of each filter, by its name or, where a route differs, by route and name: values that many rows, few rows and none match. */
export const FILTERS = {
  platform: () => ({ hits: 'ios', rare: 'macos' }),
  version: () => ({ hits: '1.0', rare: '2.2.0', none: '9.9.9' }),
  q: () => ({ hits: 'crash', rare: 'oldest', none: 'zzzz' }),
  branch: () => ({ hits: 'main', rare: 'feature/7', none: 'nothing' }),
  commit: ({ filled }) => ({ rare: filled.commit, none: 'ffffffffff' }),
  sha256: ({ filled }) => ({ rare: filled.sha256, none: 'f'.repeat(64) }),
  uploaded_by: ({ filled }) => ({ hits: filled.uploader, none: NOBODY }),
  from: RANGES,
  to: () => ({ 'an old day': { to: timeOf(300) } }),
  channel_id: ({ channel, otherChannel }) => ({ hits: channel, rare: otherChannel }),
  warning: () => ({ none: 'profile_expires_soon' }),
  name: () => ({ rare: 'Beta', none: 'Nothing' }),
  email: ({ email }) => ({ rare: email, none: 'nobody@example.com' }),
  state: () => named('state', STATES),
  release_id: ({ parameters: { release_id: id } }) =>
    Object.fromEntries(STEPS.map((adoption) => [adoption, { release_id: id, adoption }])),
  build_id: ({ parameters: { build_id: id } }) => ({ rare: id }),
  adoption: () => ({}),
  has_not: () => ({ hits: 'current' }),
  tester_id: ({ parameters: { tester_id: id } }) => ({ none: id }),
  include: () => ({}),
  period: () => ({ current: monthOf(0), last: monthOf(1), 'half a year ago': monthOf(6), none: monthOf(36) }),
  unused_days: () => ({ none: 90 }),
  last4: () => ({ none: 'zzzz' }),
  bundle_id: () => ({ none: 'com.example.nothing' }),
  '/api/v1/projects q': () => ({ hits: 'project', rare: 'rocket', none: 'zzzz' }),
  '/api/v1/projects include': () => ({ summary: 'summary' }),
  '/api/v1/organizations/{organization_id}/billing include': () => ({ lists: 'lists' }),
  '/api/v1/testers q': () => ({ hits: 'tester', rare: 'rarely', none: 'zzzz' }),
  '/api/v1/testers/export q': () => ({ rare: 'rarely', none: 'zzzz' }),
  '/api/v1/testers build_id': adoptionOfBuild,
  '/api/v1/testers/export build_id': adoptionOfBuild,
  '/api/v1/search q': () => ({ hits: 'rocket', rare: 'oldest', none: 'zzzz', 'two words': 'fixes crash' }),
  '/api/v1/projects/{project_id}/downloads/daily from': DAYS,
  '/api/v1/projects/{project_id}/downloads/daily to': () => ({ 'an old day': { to: dayOf(300) } }),
  '/api/v1/webhooks/{webhook_id}/deliveries state': () => named('state', ['pending', 'failed']),
  '/api/v1/builds/{build_id}/funnel link_id': ({ parameters: { link_id: id } }) => ({ rare: id }),
  '/api/v1/projects/{project_id}/downloads/daily build_id': ({ parameters: { build_id: id } }) => ({ rare: id }),
  ...audit('/api/v1/audit/organization/{organization_id}'),
  ...audit('/api/v1/audit/organization/{organization_id}/export.csv'),
  ...audit('/api/v1/audit/organization/{organization_id}/facets'),
};

function adoptionOfBuild({ parameters: { build_id: id } }) {
  return Object.fromEntries(STEPS.map((adoption) => [adoption, { build_id: id, adoption }]));
}

/** The filters of the audit feed. A project is one of them there. */
function audit(path) {
  const old = { from: dayOf(60), to: dayOf(40) };
  const cases = {
    day: () => ({ old: dayOf(200), none: dayOf(800) }),
    from: DAYS,
    to: () => ({}),
    type: () => ({ hits: { ...old, type: 'build.updated' }, none: { ...old, type: 'organization.deleted' } }),
    actor: () => ({ none: { ...old, actor: 'nobody@example.com' }, service: { ...old, actor: 'service' } }),
    ip: () => ({ hits: { ...old, ip: '203.0.113.7' }, none: { ...old, ip: '198.51.100.1' } }),
    project_id: ({ project }) => ({ hits: { ...old, project_id: project }, none: { ...old, project_id: NOBODY } }),
  };
  return Object.fromEntries(Object.entries(cases).map(([name, values]) => [`${path} ${name}`, values]));
}
