import { screen } from '../screen';

export const audit = screen({
  path: '/o/$org/audit',
  search: ['day', 'type', 'person', 'address', 'project', 'event'],
  words: ['audit', 'builds'],
  file: () => import('./audit'),
  component: 'Audit',
});
