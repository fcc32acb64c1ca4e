import { screen } from '../screen';

export const welcome = screen({
  path: '/welcome',
  help: 'dashboard#welcome',
  search: ['org', 'project', 'build'],
  words: ['welcome', 'project', 'builds'],
  file: () => import('./welcome'),
  component: 'Welcome',
});
