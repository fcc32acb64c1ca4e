export const errors = {
  heading: 'This could not be loaded',
  requestId: (id: string) => `Request id: ${id}`,
  tryAgain: 'Try again',
  retryIn: (seconds: number) => `Trying again in ${seconds} s.`,
  network: 'The service cannot be reached. Check the network connection.',
  needsRole: (role: string) => `Needs the role ${role}`,
  needsPlan: (plan: string) => `Needs the ${plan} plan`,
  offline: {
    heading: 'The service cannot be reached',
    text: 'What you see may be out of date. The dashboard tries again by itself.',
  },
};
