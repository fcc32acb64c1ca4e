import { screen } from '../screen';

export const projects = screen({
  path: '/o/$org',
  help: 'dashboard#projects',
  search: ['q', 'create'],
  words: ['projects', 'builds', 'billing'],
  file: () => import('./projects'),
  component: 'Projects',
});

/** Redirects to the projects of the last organization. */
export const start = screen({ ...projects, path: '/' });
