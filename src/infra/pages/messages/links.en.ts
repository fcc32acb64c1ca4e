/** The texts of the pages before a link with rules opens, in English. They name nothing: a preview of the address shows them, too. */
export const linksEn = {
  password: {
    title: 'Password required',
    text: 'This link is protected. Enter the password that you were given with it.',
    field: 'Password',
    submit: 'Continue',
    wrong: 'This password is wrong.',
  },
  signIn: {
    title: 'Sign in',
    text: 'This link is for invited testers. Enter the e-mail address at which you were invited, and you get a code.',
    field: 'E-mail address',
    submit: 'Send the code',
  },
  code: {
    title: 'Enter the code',
    text: (email: string) =>
      `If ${email} is the address of a tester, a code was sent to it. It is valid for ten minutes.`,
    field: 'Code',
    submit: 'Continue',
    wrong: 'This code is wrong or has expired.',
    again: 'Send another code, or use another address',
  },
  members: {
    title: 'For members only',
    text: 'This link is for members of the team. Log in to open it.',
    open: 'Open as a member',
  },
  terms: {
    title: 'Terms',
    text: 'To continue, read and accept these terms.',
    submit: 'Accept and continue',
  },
  tooMany: 'Too many attempts. Wait for the check below, then try again.',
};
