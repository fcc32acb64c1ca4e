import { screen } from '../screen';

export const agents = screen({
  path: '/o/$org/p/$project/settings/agents',
  help: 'dashboard#agents',
  search: ['new'],
  words: ['agents', 'tokens'],
  file: () => import('./agents'),
  component: 'Agents',
});
