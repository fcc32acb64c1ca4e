import { screen } from '../screen';

export const organizationSettings = screen({
  path: '/o/$org/settings',
  help: 'dashboard#settings',
  words: ['settings', 'tokens'],
  file: () => import('./organization-settings'),
  component: 'OrganizationSettings',
});
