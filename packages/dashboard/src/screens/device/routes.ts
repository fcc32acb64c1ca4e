import { screen } from '../screen';

export const device = screen({
  path: '/device',
  help: 'dashboard#confirming-the-login-of-a-program',
  search: ['code'],
  words: ['device', 'tokens'],
  file: () => import('./device'),
  component: 'Device',
});
