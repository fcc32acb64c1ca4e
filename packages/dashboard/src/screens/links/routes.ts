import { screen } from '../screen';

export const buildLinks = screen({
  path: '/o/$org/p/$project/builds/$build/links',
  help: 'dashboard#links',
  search: ['new', 'edit'],
  words: ['links', 'builds'],
  file: () => import('./build-links'),
  component: 'BuildLinks',
});

export const channelLinks = screen({
  path: '/o/$org/p/$project/channels/$channel/links',
  help: 'dashboard#links',
  search: ['new', 'edit'],
  words: ['links', 'builds'],
  file: () => import('./channel-links'),
  component: 'ChannelLinks',
});

export const openLink = screen({
  path: '/o/$org/p/$project/links/$link/open',
  help: 'dashboard#links',
  words: ['links'],
  file: () => import('./open-link'),
  component: 'OpenLink',
});
