import { screen } from '../screen';

export const overview = screen({
  path: '/o/$org/p/$project',
  help: 'dashboard#overview',
  search: ['promote', 'channel'],
  words: ['project', 'builds', 'adoption', 'build', 'channels', 'testers', 'promotion', 'uploads'],
  // The largest response of the screen.
  requests: ['/api/v1/projects/$project/downloads/daily?organization_id=$org'],
  file: () => import('./overview'),
  component: 'Overview',
});

export const projectSettings = screen({
  path: '/o/$org/p/$project/settings',
  help: 'dashboard#settings',
  search: ['updates', 'framework'],
  words: ['project', 'settings', 'updates', 'builds'],
  file: () => import('./project-settings'),
  component: 'ProjectSettings',
});
