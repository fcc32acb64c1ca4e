/**
 * The table of which module may import which. dependency-cruiser, the documentation and test/architecture read it.
 * A module may import only the modules of its row. New rows and entries are fine; cycles are rejected.
 * Read models (src/read-models), the ring above, may import every module.
 */
const modules = {
  // use no tenant
  health: ['storage'],
  billing: [],
  settings: ['billing'],
  captcha: [],
  developers: ['captcha'],
  'install-links': [],
  // the tenants
  organizations: ['billing', 'developers'],
  storage: ['billing'],
  projects: ['organizations'],
  // builds and their audience
  builds: ['billing', 'install-links', 'projects', 'storage', 'tokens'],
  channels: ['billing', 'install-links', 'projects'],
  testers: ['billing', 'builds', 'channels', 'install-links', 'organizations', 'projects'],
  devices: ['builds', 'install-links', 'projects', 'testers'],
  // credentials and access
  access: ['organizations'],
  tokens: ['access', 'developers', 'organizations', 'projects'],
  auth: ['access', 'captcha', 'developers', 'organizations', 'projects', 'tokens'],
  // audit feed
  audit: ['billing', 'developers'],
  // what changes, as it happens
  events: ['access', 'auth'],
  webhooks: ['access', 'developers', 'organizations'],
  // promotion
  releases: ['billing', 'builds', 'channels', 'install-links', 'projects', 'testers', 'tokens'],
  // how builds are created
  uploads: ['access', 'billing', 'builds', 'channels', 'projects', 'releases', 'storage', 'tokens'],
  // pages of testers
  install: ['auth', 'builds', 'captcha', 'channels', 'devices', 'install-links', 'projects', 'releases', 'testers'],
  // checks and feeds of installed apps
  updates: ['builds', 'channels', 'install', 'releases'],
  // export and erasure
  'account-data': [
    'billing',
    'builds',
    'channels',
    'developers',
    'organizations',
    'projects',
    'storage',
    'testers',
    'tokens',
    'uploads',
    'webhooks',
  ],
  // backup and restore
  backups: ['audit', 'billing', 'builds', 'storage', 'uploads'],
  // operator commands
  operators: ['account-data', 'audit', 'backups', 'billing', 'builds', 'developers', 'storage'],
};

/** The rank of each module: 0 when it imports none, otherwise one more than the highest rank it imports. @throws on a cycle. */
function ranks() {
  const rank = new Map();
  const visit = (name, trail) => {
    if (rank.has(name)) return rank.get(name);
    if (trail.includes(name)) throw new Error(`cycle: ${[...trail, name].join(' -> ')}`);
    if (!modules[name]) throw new Error(`unknown module ${name}`);
    const value = 1 + Math.max(-1, ...modules[name].map((used) => visit(used, [...trail, name])));
    rank.set(name, value);
    return value;
  };
  for (const name of Object.keys(modules)) visit(name, []);
  return rank;
}

module.exports = { modules, ranks };
