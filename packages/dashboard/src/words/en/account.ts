export const account = {
  tabs: {
    label: 'Your account',
    account: 'Account',
    security: 'Security',
    tokens: 'Personal access tokens',
    data: 'Your data',
  },
};
