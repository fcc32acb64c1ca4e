import { screen } from '../screen';

const list = {
  help: 'dashboard#webhooks',
  search: ['new'],
  words: ['webhooks'],
  file: () => import('./webhooks'),
  component: 'Webhooks',
} as const;

const one = {
  help: 'dashboard#webhooks',
  search: ['act', 'event', 'state'],
  words: ['webhooks', 'audit', 'builds'],
  file: () => import('./webhook'),
  component: 'WebhookScreen',
} as const;

export const organizationWebhooks = screen({ path: '/o/$org/settings/webhooks', ...list });
export const organizationWebhook = screen({ path: '/o/$org/settings/webhooks/$webhook', ...one });
export const projectWebhooks = screen({ path: '/o/$org/p/$project/settings/webhooks', ...list });
export const projectWebhook = screen({ path: '/o/$org/p/$project/settings/webhooks/$webhook', ...one });
