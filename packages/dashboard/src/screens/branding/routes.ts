import { screen } from '../screen';

export const branding = screen({
  path: '/o/$org/settings/branding',
  help: 'dashboard#branding',
  words: ['branding', 'settings'],
  file: () => import('./branding'),
  component: 'BrandingScreen',
});
