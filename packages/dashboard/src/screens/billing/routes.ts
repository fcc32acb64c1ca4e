import { screen } from '../screen';

export const billing = screen({
  path: '/o/$org/billing',
  help: 'dashboard#billing-and-usage',
  search: ['month', 'top_up', 'act'],
  words: ['billing'],
  file: () => import('./billing'),
  component: 'Billing',
});
