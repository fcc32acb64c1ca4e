import { screen } from '../screen';

export const device = screen({
  path: '/device',
  search: ['code'],
  words: ['device', 'tokens'],
  file: () => import('./device'),
  component: 'Device',
});
