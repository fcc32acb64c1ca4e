import { screen } from '../screen';

export const storage = screen({
  path: '/o/$org/storage',
  help: 'dashboard#storage',
  search: ['kind', 'change'],
  words: ['storage', 'billing'],
  file: () => import('./storage'),
  component: 'Storage',
});
