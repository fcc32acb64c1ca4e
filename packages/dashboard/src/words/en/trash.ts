/** The deleted builds of a project. */
export const trash = {
  heading: 'Trash',
  list: 'Deleted builds',
  builds: 'Builds',
  detail: 'Deleted builds can be restored for seven days, with their links.',
  count: { one: '# build', other: '# builds' },
  columns: {
    build: 'Build',
    branch: 'Branch',
    deleted: 'Deleted',
    frees: 'File is deleted',
    size: 'Size',
    actions: 'Actions',
  },
  by: (name: string) => `by ${name}`,
  byRetention: 'by a retention rule',
  cost: (size: string, money: string | null) =>
    money === null
      ? `The files take ${size}.`
      : `The files take ${size}. Storing them until they are deleted costs ${money} at most.`,
  costLoaded: (count: string, size: string, money: string | null) =>
    money === null
      ? `The ${count} builds shown take ${size}.`
      : `The ${count} builds shown take ${size}. Storing them until their files are deleted costs ${money} at most.`,
  select: (version: string) => `Select ${version}`,
  selectAll: 'Select all builds',
  selection: 'Selection',
  selected: { one: '# selected', other: '# selected' },
  clear: 'Clear selection',
  actionsOf: (version: string) => `Actions for ${version}`,
  until: (time: string) => `This build is in the trash until ${time}.`,
  restore: 'Restore',
  restored: { one: '# build was restored with its links.', other: '# builds were restored with their links.' },
  notRestored: 'The build is not in the trash any longer.',
  purge: 'Delete permanently',
  purgeTitle: { one: 'Delete # build permanently?', other: 'Delete # builds permanently?' },
  purgeText: 'The files are deleted now, with all data about the builds. This cannot be undone.',
  purged: { one: '# build was deleted permanently.', other: '# builds were deleted permanently.' },
  empty: {
    heading: 'The trash is empty',
    text: 'Deleted builds stay here for seven days. Restoring one brings back its links, downloads and releases.',
    builds: 'Go to the builds',
  },
};
