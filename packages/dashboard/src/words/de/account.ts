import { type Words } from '../words';

export const account: Words['account'] = {
  tabs: {
    label: 'Ihr Konto',
    account: 'Konto',
    security: 'Sicherheit',
    tokens: 'Persönliche Zugriffstokens',
    data: 'Ihre Daten',
  },
};
