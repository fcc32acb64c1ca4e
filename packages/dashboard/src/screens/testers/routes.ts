import { screen } from '../screen';

export const testers = screen({
  path: '/o/$org/p/$project/testers',
  help: 'dashboard#testers',
  search: ['q', 'channel', 'state', 'has_not', 'release_id', 'build_id', 'adoption', 'add'],
  words: ['testers', 'builds', 'adoption'],
  file: () => import('./testers'),
  component: 'Testers',
});

export const importTesters = screen({
  path: '/o/$org/p/$project/testers/import',
  help: 'dashboard#importing-testers',
  words: ['testers', 'builds'],
  file: () => import('./import/import-testers'),
  component: 'ImportTesters',
});

export const tester = screen({
  path: '/o/$org/p/$project/testers/$tester',
  help: 'dashboard#testers',
  words: ['tester', 'testers', 'builds', 'build'],
  file: () => import('./tester'),
  component: 'Tester',
});
