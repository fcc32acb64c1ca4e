import { screen } from '../screen';

export const devices = screen({
  path: '/o/$org/p/$project/devices',
  help: 'dashboard#devices',
  search: ['state', 'add'],
  words: ['devices'],
  file: () => import('./devices'),
  component: 'Devices',
});
