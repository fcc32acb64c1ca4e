import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const src = path.resolve(__dirname, '../../src');

/** The statements about builds that are also about those in the trash: the file, their number and the reason. */
const ABOUT_THE_TRASH: Readonly<Record<string, readonly [statements: number, reason: string]>> = {
  'app/demo/demo-activity.repository.ts': [3, 'A demo has no trash.'],
  'modules/builds/builds.account-data.ts': [5, 'Exports and erasures contain the trash.'],
  'modules/builds/stored-artifacts.ts': [2, 'Exports contain the files of the trash.'],
  'modules/builds/catalogue/builds.repository.ts': [1, 'The row is locked, and exists.'],
  'modules/builds/catalogue/deletion/trash.repository.ts': [
    4,
    'Deletions lock builds whether or not they are in the trash. A restored one is locked when its file is replaced.',
  ],
  'modules/builds/catalogue/list/build-list.repository.ts': [2, '`indexed` adds the condition.'],
  'modules/builds/devices/build-devices.repository.ts': [
    1,
    'Device ids of earlier releases are encrypted in all rows.',
  ],
  'modules/builds/downloads/downloads.repository.ts': [5, 'Tickets of a build in the trash may finish: `IS_VALID`.'],
  'modules/builds/registrations/registrations.repository.ts': [3, 'A restored build has the present state.'],
  'modules/builds/relocation/build-relocation.repository.ts': [4, 'The files of the trash are relocated.'],
  'modules/builds/retention/retention.repository.ts': [1, 'A build in the trash has no announcement.'],
  'modules/builds/signing/signing-calendar.repository.ts': [
    3,
    'Only finds projects; the read model finds their builds.',
  ],
  'read-models/billing-faults/billing-faults.repository.ts': [1, 'The storage of the trash is metered.'],
  'read-models/blobs/known-blobs.repository.ts': [5, 'The files of the trash are known.'],
  'read-models/builds/build-versions.repository.ts': [2, 'By ids that a list has chosen; the trash is a list, too.'],
  'read-models/retention/deletable-builds.repository.ts': [
    3,
    'Branches, and builds of a selection that has the condition.',
  ],
  'read-models/retention/selection-sql.ts': [2, '`OF_PROJECT` has the condition.'],
  'read-models/webhooks/previous-sizes.repository.ts': [
    1,
    'The build that a release replaced has a size in the trash, too.',
  ],
  'read-models/testers/tester-states.ts': [1, 'The download before has the condition.'],
};

const TABLE = /\b(?:FROM|JOIN|UPDATE|USING)\s+build\b(?!\s*_)|\btable: 'build'/g;
const CONDITION = /\bLIVE\b|\bisLive(?:In)?\(|\bdeleted_at\b|\bIN_TRASH\b/;
/** The condition is in the statement, at most this many characters after the table. */
const DISTANCE = 420;

const statements = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => [file, readFileSync(path.join(src, file), 'utf8')] as const)
  .map(([file, text]) => {
    const found = [...text.matchAll(TABLE)].map(({ index }) => text.slice(index, index + DISTANCE));
    return [file, found.filter((statement) => !CONDITION.test(statement.split(';')[0] ?? '')).length] as const;
  })
  .filter(([, count]) => count > 0);

describe('statements about builds', () => {
  // red when: a statement reads builds without the condition `LIVE`, so that one in the trash is in a list, count or feed
  it('are not about builds in the trash, or are listed with the reason', () => {
    const listed = Object.entries(ABOUT_THE_TRASH).map(([file, [count]]) => [file, count]);
    expect(Object.fromEntries(statements)).toEqual(Object.fromEntries(listed));
  });
});
