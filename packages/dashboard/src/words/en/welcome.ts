/** The first steps: an organization, a project, a build, its link. */
export const welcome = {
  heading: 'Welcome to Agate',
  steps: 'Steps',
  step: { organization: 'Organization', project: 'Project', build: 'First build', install: 'Install' },
  organization: {
    heading: 'Create an organization',
    text: 'It owns your projects, has members and is billed. Testers see its name.',
    name: 'Organization name',
    create: 'Create organization',
  },
  project: {
    heading: 'Create a project',
    text: 'One for each app. Testers see its name.',
    name: 'Project name',
    create: 'Create project',
  },
  ready: {
    heading: 'Your first build is ready',
    text: 'Scan the code with a phone, or send the link to your testers. It works until you replace it or delete the build.',
    qr: 'QR code of the install link',
    copyLink: 'Copy install link',
    open: 'Open build',
    project: 'Open the project',
    notInstallable: 'Devices cannot install this build from its link:',
  },
  invitations: {
    heading: 'Invitations to you',
    text: (organization: string, by: string) => `${by} invites you to ${organization}`,
    roles: (roles: string) => `Roles: ${roles}`,
    accept: 'Accept',
    decline: 'Decline',
    declined: (organization: string) => `The invitation to ${organization} was declined.`,
    expires: 'Expires',
  },
};
