import { screen } from '../screen';

export const members = screen({
  path: '/o/$org/members',
  help: 'dashboard#members',
  search: ['invite', 'q', 'role'],
  words: ['members'],
  file: () => import('./members'),
  component: 'Members',
});
