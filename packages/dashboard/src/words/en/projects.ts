/** The overview of an organization. */
export const projects = {
  heading: 'Projects',
  search: 'Search projects',
  create: 'Create a project',
  columns: {
    project: 'Project',
    latest: 'Newest versions',
    channels: 'Channels',
    testers: 'Testers',
    downloads: 'Downloads, 14 d',
    activity: 'Last activity',
  },
  noBuilds: 'No builds yet',
  nothingCurrent: 'nothing current',
  moreChannels: { one: '# more channel', other: '# more channels' },
  downloads: { one: '# download in the last 14 days', other: '# downloads in the last 14 days' },
  count: { one: '# project', other: '# projects' },
  newestFirst: 'newest first',
  empty: {
    heading: 'No projects yet',
    text: 'A project holds the builds, channels and testers of one app.',
  },
  hidden: {
    heading: (roles: string) => `You see no projects with the role ${roles}`,
    text: 'An Admin can give you a role that shows projects.',
    ofMember:
      'You see a project as soon as you have a role in it. An Admin or a manager of the project can give you one.',
  },
  nothing: { heading: 'Nothing matches', text: 'No project has this name.', clear: 'Clear search' },
  dialog: {
    title: 'Create a project',
    name: 'Project name',
    nameHint: 'The name of the app. Testers see it on install pages and in mails.',
    language: 'Language of mails to testers',
    languages: { en: 'English', de: 'German' },
    create: 'Create project',
  },
  attention: {
    invited: (organization: string) => `You are invited to ${organization}.`,
    answer: 'Answer the invitation',
    openInvitations: { one: '# invitation is open.', other: '# invitations are open.' },
    members: 'See the members',
    noCredit: 'The credit is used up. Uploads and downloads are refused.',
    credit: (left: string, days: string) => `${left} of credit is left. At the pace of this month it lasts ${days}.`,
    capReached: 'The spending cap is reached. Uploads and downloads are refused until the next month.',
    cap: (left: string, days: string) =>
      `${left} is left below the spending cap. At the pace of this month it lasts ${days}.`,
    days: { one: '# day', other: '# days' },
    billing: 'See billing and usage',
  },
};
