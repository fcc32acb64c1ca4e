import { screen } from '../screen';

export const audit = screen({
  path: '/o/$org/audit',
  help: 'dashboard#audit-feed',
  search: ['day', 'type', 'person', 'address', 'project', 'event'],
  words: ['audit', 'builds'],
  file: () => import('./audit'),
  component: 'Audit',
});
