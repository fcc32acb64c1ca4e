import { screen } from '../screen';

export const access = screen({
  path: '/o/$org/p/$project/access',
  help: 'dashboard#access',
  search: ['add'],
  words: ['access'],
  file: () => import('./access'),
  component: 'Access',
});
