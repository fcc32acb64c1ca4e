import { screen } from '../screen';

export const projectTokens = screen({
  path: '/o/$org/p/$project/tokens',
  help: 'dashboard#tokens',
  search: ['new'],
  words: ['tokens', 'access'],
  file: () => import('./project-tokens'),
  component: 'ProjectTokens',
});

export const organizationTokens = screen({
  path: '/o/$org/tokens',
  help: 'dashboard#tokens',
  search: ['unused'],
  words: ['tokens'],
  file: () => import('./organization-tokens'),
  component: 'OrganizationTokens',
});
