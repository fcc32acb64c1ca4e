import { screen } from '../screen';

export const retention = screen({
  path: '/o/$org/p/$project/settings/retention',
  help: 'dashboard#retention',
  words: ['retention', 'deletion', 'builds'],
  file: () => import('./retention'),
  component: 'RetentionScreen',
});
