import { screen } from '../screen';

export const builds = screen({
  path: '/o/$org/p/$project/builds',
  help: 'dashboard#builds',
  search: ['q', 'platform', 'version', 'branch', 'warning', 'warnings', 'installable', 'channel', 'delete'],
  words: ['builds', 'build', 'uploads'],
  file: () => import('./builds'),
  component: 'Builds',
});

export const build = screen({
  path: '/o/$org/p/$project/builds/$build',
  help: 'dashboard#build',
  search: ['promote', 'channel', 'updates'],
  words: ['build', 'builds', 'adoption', 'differences', 'promotion', 'updates'],
  file: () => import('./build'),
  component: 'Build',
});

export const buildDownloads = screen({
  path: '/o/$org/p/$project/builds/$build/downloads',
  help: 'dashboard#build',
  words: ['build', 'builds'],
  file: () => import('./build-downloads'),
  component: 'BuildDownloads',
});

export const compare = screen({
  path: '/o/$org/p/$project/compare',
  help: 'dashboard#comparing-builds',
  search: ['from', 'to'],
  words: ['differences', 'builds', 'build'],
  file: () => import('./compare'),
  component: 'Compare',
});
