import { screen } from '../screen';

export const channels = screen({
  path: '/o/$org/p/$project/channels',
  help: 'dashboard#channels',
  search: ['create'],
  words: ['channels', 'builds'],
  file: () => import('./channels'),
  component: 'Channels',
});

export const channel = screen({
  path: '/o/$org/p/$project/channels/$channel',
  help: 'dashboard#channels',
  search: ['promote', 'updates', 'framework'],
  words: ['channels', 'builds', 'adoption', 'updates', 'differences'],
  file: () => import('./channel'),
  component: 'Channel',
});
