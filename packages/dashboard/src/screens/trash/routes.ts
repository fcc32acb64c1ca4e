import { screen } from '../screen';

export const trash = screen({
  path: '/o/$org/p/$project/trash',
  help: 'dashboard#trash',
  words: ['trash', 'builds'],
  file: () => import('./trash'),
  component: 'TrashScreen',
});
