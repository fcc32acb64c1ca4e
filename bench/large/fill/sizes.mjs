// The numbers of rows of the two installations that `npm run bench large` compares.

/** The largest installation that the service must serve well: scale 1. Per-project and per-organization numbers do not change with the scale. */
const LARGE = {
  organizations: 10_000,
  /** Of the hot organization. */
  projects: 500,
  hot: {
    builds: 300_000,
    testers: 100_000,
    subscribers: 50_000,
    downloadsPerBuild: 3,
    releases: 3_000,
    members: 1_000,
  },
  /** Projects of other organizations. The first ones are large. */
  projectsPerOrganization: 5,
  largeProjects: 10,
  buildsPerLargeProject: 50_000,
  buildsPerProject: 44,
  testersPerProject: 38,
  releasesPerProject: 6,
  ledgerEntriesPerMonth: 69,
  auditEvents: { hot: 1_000_000, others: 4_000_000 },
  /** Rows of each kind that the nightly jobs delete. */
  due: 100_000,
};

const SCALED = ['organizations', 'projects', 'buildsPerLargeProject', 'due'];

/** The installation that the large one is compared with: lists have full pages, and nothing else is large. */
export const EMPTY = {
  ...LARGE,
  organizations: 2,
  projects: 2,
  hot: { builds: 300, testers: 300, subscribers: 150, downloadsPerBuild: 3, releases: 200, members: 150 },
  largeProjects: 0,
  buildsPerLargeProject: 0,
  ledgerEntriesPerMonth: 20,
  auditEvents: { hot: 500, others: 100 },
  due: 10,
};

/** @returns the numbers of rows at a scale, never below those of the empty installation. */
export function sizesAt(scale) {
  const scaled = (names, large, empty) =>
    Object.fromEntries(names.map((name) => [name, Math.max(empty[name], Math.round(large[name] * scale))]));
  return {
    ...LARGE,
    ...scaled(SCALED, LARGE, EMPTY),
    hot: {
      ...LARGE.hot,
      ...scaled(['builds', 'testers', 'subscribers', 'releases', 'members'], LARGE.hot, EMPTY.hot),
    },
    auditEvents: scaled(['hot', 'others'], LARGE.auditEvents, EMPTY.auditEvents),
  };
}
