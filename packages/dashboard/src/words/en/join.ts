/** The page behind the mailed link of an invitation. */
export const join = {
  title: 'Invitation',
  loading: 'Loading…',
  again: 'Try again',
  heading: (by: string, organization: string, roles: string) => `${by} invites you to ${organization} as ${roles}`,
  name: 'Name (optional)',
  join: 'Join',
  loggedIn: (email: string) => `You are logged in as ${email}.`,
  hasAccount: (email: string) => `${email} has an account here. Log in to join.`,
  logIn: 'Log in',
  other: (email: string, own: string) => `The invitation is for ${email}, but you are logged in as ${own}.`,
  logOut: 'Log out and continue',
  rejected: (email: string) =>
    `This service creates no account for ${email}. Ask its operator for one, then open the link again.`,
  unusable: {
    heading: 'This invitation does not work',
    text: 'It was used or withdrawn, or it has expired after seven days. If you have joined with it, log in. Otherwise ask for a new one.',
    logIn: 'Log in',
  },
};
