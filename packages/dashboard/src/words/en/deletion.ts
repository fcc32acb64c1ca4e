/** Deletions of several builds: what a preview says, and the deletion by filter. */
export const deletion = {
  size: 'Size of the files',
  costs: 'Per month',
  kept: {
    one: '# more build is matched and stays, because it is protected.',
    other: '# more builds are matched and stay, because they are protected.',
  },
  oldest: 'The oldest of them',
  number: 'Builds',
  more: { one: 'and # more', other: 'and # more' },
  byFilter: {
    heading: 'Delete old builds',
    intro:
      'Builds that meet all conditions move to the trash for seven days. Their install links stop working immediately.',
    platform: 'Platform',
    anyPlatform: 'Every platform',
    version: 'Version',
    versionHint: 'Exactly this one',
    branch: 'Branch',
    branchHint: 'A name or a pattern: pr-*',
    days: 'Older than',
    daysAfter: 'days',
    any: 'Any',
    noCondition: 'Set a condition to see which builds it is about.',
    protected: 'Builds that are pinned or current in a channel stay.',
    submit: { one: 'Delete # build', other: 'Delete # builds' },
    submitNone: 'Delete builds',
    nothing: 'No build meets the conditions',
    waiting: 'The builds are being counted',
    progress: 'Deleting builds',
    of: (deleted: string, all: string) => `${deleted} of ${all}`,
    interrupted: (deleted: string, remaining: string) =>
      `${deleted} are in the trash, ${remaining} are left. Delete again to continue.`,
    reasons: {
      preview_required: 'These conditions were not counted yet. They are now: look at the builds and delete again.',
      preview_expired:
        'The count was more than an hour old. The builds were counted again: look at them and delete again.',
    } as Record<string, string>,
  },
};
