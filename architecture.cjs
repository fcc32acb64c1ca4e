/**
 * THE table: which module may use which. dependency-cruiser, the documentation and test/architecture read it.
 * A module not named on the right of another is unknown to it. The table may grow; a cycle may not.
 */
const modules = {
  // know nobody
  health: ['storage'],
  billing: [],
  captcha: [],
  developers: ['captcha'],
  'install-links': [],
  // the tenants
  organizations: ['billing', 'developers'],
  storage: ['billing'],
  projects: ['organizations'],
  // what is distributed
  builds: ['billing', 'install-links', 'projects', 'storage'],
  channels: ['billing', 'install-links'],
  testers: ['builds', 'channels', 'install-links', 'projects'],
  // who may do what
  access: ['organizations', 'projects'],
  tokens: ['access'],
  auth: ['developers', 'tokens'],
  // what happened
  audit: ['billing', 'developers'],
  // what goes where
  releases: ['billing', 'builds', 'channels', 'install-links', 'projects', 'testers'],
  // how builds are made
  uploads: ['access', 'billing', 'builds', 'channels', 'releases', 'storage'],
  // what testers see
  install: ['builds', 'channels', 'install-links', 'projects', 'releases', 'testers'],
  // what belongs to whom, and how it is forgotten
  'account-data': ['billing', 'developers', 'organizations', 'storage'],
  // what is kept elsewhere
  backups: ['audit', 'billing', 'builds', 'storage'],
  // what the people do who run it
  operators: ['account-data', 'audit', 'backups', 'billing', 'builds', 'storage'],
};

/** Ranks the modules; throws on a cycle or an unknown name. */
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
