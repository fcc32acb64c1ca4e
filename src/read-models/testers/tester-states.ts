import { isTrashed } from '#modules/builds';
import { type TesterState } from '#modules/testers';
import { hasCurrent } from '../adoption/adoption-steps';

/** The newest download of `tester`, as `last`, with its build, as `build`. */
export const LAST_DOWNLOAD = `
  LEFT JOIN LATERAL (
    SELECT d.build_id, d.device_family, d.started_at FROM build_download d
    WHERE d.tester_id = tester.id AND NOT ${isTrashed('d.build_id')} ORDER BY d.id DESC LIMIT 1
  ) last ON true
  LEFT JOIN build ON build.id = last.build_id`;

/** Whether the address of `tester` has a suppression of a kind. Each kind has an index of its own. */
const isSuppressed = (kind: 'NULL' | 'NOT NULL'): string => `EXISTS (
  SELECT FROM suppression x WHERE x.project_id = tester.project_id AND x.address_digest = tester.address_digest AND x.channel_id IS ${kind})`;

const HAS_LEFT = `(
  ${isSuppressed('NULL')}
  OR ${isSuppressed('NOT NULL')} AND NOT EXISTS (SELECT FROM subscription s WHERE s.tester_id = tester.id))`;

/** Whether the tester lacks a current build of the platform of their last download. Null when none of these concerns them. */
const IS_BEHIND = `(NOT ${hasCurrent('c.platform = build.platform')})`;

/** The state of `tester`. Needs the join `LAST_DOWNLOAD`. */
export const STATE = `
  CASE WHEN ${HAS_LEFT} THEN 'left'
       WHEN tester.bounced_at IS NOT NULL THEN 'bounced'
       WHEN build.id IS NOT NULL THEN CASE WHEN ${IS_BEHIND} THEN 'behind' ELSE 'has_current' END
       WHEN tester.opened_at IS NOT NULL THEN 'opened'
       WHEN tester.invited_at IS NOT NULL THEN 'invited'
       ELSE 'added' END`;

const STATE_OF_TESTER = `(SELECT ${STATE} FROM (VALUES (1)) AS the_one ${LAST_DOWNLOAD})`;

const WAS_SUPPRESSED = `(${isSuppressed('NULL')} OR ${isSuppressed('NOT NULL')})`;
/** An index of `tester` has these rows. */
export const HAS_BOUNCED = 'tester.bounced_at IS NOT NULL';
const HAS_DOWNLOADED = `EXISTS (SELECT FROM build_download d WHERE d.tester_id = tester.id)`;

/** A condition that all rows of a state meet and that is cheap to check, so that the state is computed for few other rows. */
const PRECONDITIONS: Record<TesterState, string> = {
  added: 'tester.invited_at IS NULL AND tester.opened_at IS NULL',
  invited: 'tester.invited_at IS NOT NULL AND tester.opened_at IS NULL',
  opened: 'tester.opened_at IS NOT NULL',
  has_current: HAS_DOWNLOADED,
  behind: HAS_DOWNLOADED,
  left: WAS_SUPPRESSED,
  bounced: HAS_BOUNCED,
};

/** The condition of a query of `tester` that lists one state. */
export const inState = (state: TesterState): string => `${PRECONDITIONS[state]} AND ${STATE_OF_TESTER} = '${state}'`;

export const notInState = (state: TesterState): string => `${STATE_OF_TESTER} <> '${state}'`;
