/** Who has a build: the counts of testers, on several screens. */
export const adoption = {
  label: 'Testers who have it',
  haveIt: (count: string, all: string) => `${count} of ${all} ${count === '1' ? 'has' : 'have'} it`,
  steps: {
    has_it: { one: '# has it', other: '# have it' },
    has_newer: { one: '# has a newer one', other: '# have a newer one' },
    downloaded: { one: '# had it and has another one', other: '# had it and have another one' },
    opened: { one: '# opened the link', other: '# opened the link' },
    mailed: { one: '# mailed', other: '# mailed' },
    not_mailed: { one: '# not mailed', other: '# not mailed' },
    bounced: { one: '# address invalid', other: '# addresses invalid' },
  },
};
