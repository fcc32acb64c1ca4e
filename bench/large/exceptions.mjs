// What may exceed the budgets of `bench large`, with the reason. An entry without a reason that holds for the next year does not belong here.

const WHOLE = 'a file or feed with all rows of its range: its time is in proportion to them, and it is streamed';
const TESTERS = 'searches 10,000 testers in a request';
const BUILDS = 'searches 5,000 builds in a request';
const AUDIT = '/audit/organization/\\{organization_id\\}';

/** Reads by their titles. One that reads a constant number of rows has a limit, with which a statement that grows is found nevertheless. */
const READS = [
  { titles: /\/testers\/export/, reason: WHOLE },
  {
    titles: new RegExp(`${AUDIT}(/export.csv)?(, (from: .+|day: old|(type|project_id|ip): hits))?$`),
    reason: WHOLE,
  },
  { titles: new RegExp(`${AUDIT}/facets`), reason: 'counts all events of at most 31 days, once' },
  {
    titles: new RegExp(`${AUDIT}(/export.csv)?, project_id: none$`),
    reason: 'searches the events of its range, and 50,000 before and after it for the nearest of a project',
    p99Ms: 200,
    rows: 200_000,
  },
  { titles: /\/usage/, reason: 'reads each open interval of storage, and those that ended in the month' },
  { titles: /\/downloads\/daily/, reason: 'counts all downloads of the range, and their testers once per day' },
  { titles: /\/funnel/, reason: 'counts all mails about the build', p99Ms: 400, rows: 150_000 },
  { titles: /\/releases\/recipients$/, reason: 'counts the subscribers of the channel who get a mail' },
  {
    titles: /\/adoption$/,
    reason: 'counts all testers, 20,000 per statement; those of many are cached for half a minute',
  },
  {
    titles: /\/projects, include: summary$/,
    reason: 'a page of 50 projects; the empty installation has two',
    p99Ms: 200,
  },
  { titles: /\/builds, (q|uploaded_by): (rare|none)$/, reason: BUILDS, p99Ms: 200, rows: 20_000 },
  {
    titles: /\/builds, (warning|installable|has_warnings):/,
    reason: `${BUILDS}, and evaluates them`,
    p99Ms: 400,
    rows: 20_000,
  },
  { titles: /\/builds\/facets$/, reason: 'counts 5,000 builds of each platform', p99Ms: 200 },
  { titles: /\/testers, (q|state|behind|has_not):/, reason: TESTERS, p99Ms: 1_000, rows: 60_000 },
  {
    titles: /\/testers, (release_id|build_id):/,
    reason: 'reads the audience of the build, and searches 2,500 of its testers',
    p99Ms: 1_000,
    rows: 200_000,
  },
  { titles: /\/search, q:/, reason: 'searches the newest 5,000 builds and testers', p99Ms: 150, rows: 15_000 },
];

const FIRST_SECONDS =
  'the hot account gets the lists of a minute in its first seconds, and two cores are busy with them';

/** Requests of the neighbour, with the limit of their p99. */
const NEIGHBOUR = {
  mint: { reason: FIRST_SECONDS, p99Ms: 300 },
  upload: { reason: FIRST_SECONDS, p99Ms: 1_000 },
};

/** @returns the exception of a request of the neighbour, undefined when it has none. */
export const neighbourExceptionOf = (name) => NEIGHBOUR[name];

/** @returns the exception of a read, undefined when it has none. */
export const exceptionOf = (title) => READS.find(({ titles }) => titles.test(title));
