import { screen } from '../screen';

export const account = screen({
  path: '/account',
  help: 'dashboard#account',
  words: ['account'],
  file: () => import('./account'),
  component: 'Account',
});

export const security = screen({
  path: '/account/security',
  help: 'dashboard#security',
  words: ['account'],
  file: () => import('./security'),
  component: 'Security',
});

export const personalTokens = screen({
  path: '/account/tokens',
  help: 'dashboard#personal-access-tokens',
  search: ['org', 'new'],
  words: ['account', 'tokens'],
  file: () => import('./tokens/personal-tokens'),
  component: 'PersonalTokens',
});

export const ownData = screen({
  path: '/account/data',
  help: 'dashboard#account',
  words: ['account'],
  file: () => import('./profile/own-data'),
  component: 'OwnData',
});
