/** Topics and the pages of the service about them. Other words are searched for. */
export const TOPICS: Readonly<Record<string, string>> = {
  api: 'api',
  billing: 'dashboard#billing-and-usage',
  ci: 'ci',
  dashboard: 'dashboard',
  'exit-codes': 'cli#output',
  installing: 'installing',
  migrating: 'migrating',
  roles: 'dashboard#members',
  settings: 'cli#settings',
  tokens: 'dashboard#tokens',
  updates: 'updates',
  uploads: 'cli#uploads',
};
