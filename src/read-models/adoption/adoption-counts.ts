import { isLive, isLiveIn, LIVE } from '#modules/builds';
import { type AdoptionStep } from '#modules/testers';
import { INVITED_SINCE } from './adoption-steps';
import { comparedColumns, isNewer } from './newer-builds';

/**
 * Statements that count by sets: the tables are read once for a range of a project's testers, whatever the number of releases. Parameters:
 * organization, project, first id (excluded) and last id of the range, builds, then releases and channels. The steps are those of
 * `adoption-steps.ts`.
 *
 * Rows are found by values, never by a join, so that all joins can be hash joins: without current statistics, PostgreSQL expects one row of
 * each set and compares every row of one with every row of another (`WITHOUT_NESTED_LOOPS`).
 */
export const WITHOUT_NESTED_LOOPS = `SELECT set_config('enable_nestloop', 'off', true)`;

const inRange = (column: string): string => `${column} > $3 AND ${column} <= $4`;

/** The releases, as `subject`, and their subscribers, as `pair`. */
const SUBSCRIBERS = `
  subject AS MATERIALIZED (
    SELECT id, channel_id, platform, build_id, promoted_at FROM release
    WHERE organization_id = $1 AND project_id = $2 AND id = ANY ($6::uuid[])
  ), pair AS MATERIALIZED (
    SELECT r.id, r.platform, r.build_id, r.promoted_at, s.tester_id, m.queued_at AS mailed_at, ${INVITED_SINCE} AS linked_at
    FROM subject r
    JOIN subscription s ON s.channel_id = r.channel_id AND s.channel_id = ANY ($7::uuid[]) AND ${inRange('s.tester_id')}
    LEFT JOIN release_mail m ON m.release_id = r.id AND m.tester_id = s.tester_id AND m.release_id = ANY ($6::uuid[])
      AND ${inRange('m.tester_id')}
  )`;

/** The build, as `subject`, and the testers who may be in its audience, as `pair`. */
const CANDIDATES = `
  subject AS MATERIALIZED (
    SELECT id, id AS build_id, platform FROM build WHERE organization_id = $1 AND project_id = $2 AND id = ANY ($5::uuid[]) AND ${LIVE}
  ), pair AS MATERIALIZED (
    SELECT b.id, b.platform, b.build_id, min(c.promoted_at) AS promoted_at, c.tester_id, min(c.mailed_at) AS mailed_at,
           max(c.linked_at) AS linked_at
    FROM subject b CROSS JOIN (
      SELECT d.tester_id, NULL::timestamptz AS promoted_at, NULL::timestamptz AS mailed_at, NULL::timestamptz AS linked_at
      FROM build_download d WHERE d.build_id = ANY ($5::uuid[]) AND ${inRange('d.tester_id')}
      UNION ALL
      SELECT i.tester_id, NULL, NULL, NULL FROM invite i WHERE i.build_id = ANY ($5::uuid[]) AND ${inRange('i.tester_id')}
      UNION ALL
      SELECT s.tester_id, r.promoted_at, NULL, ${INVITED_SINCE} FROM release r JOIN current_release now ON now.release_id = r.id
        AND now.release_id = ANY ($6::uuid[])
      JOIN subscription s ON s.channel_id = r.channel_id AND s.channel_id = ANY ($7::uuid[]) AND ${inRange('s.tester_id')}
      WHERE r.build_id = ANY ($5::uuid[])
      UNION ALL
      SELECT m.tester_id, NULL, m.queued_at, NULL FROM release r
      JOIN release_mail m ON m.release_id = r.id AND m.release_id = ANY ($6::uuid[]) AND ${inRange('m.tester_id')}
      WHERE r.build_id = ANY ($5::uuid[])
    ) AS c GROUP BY b.id, b.platform, b.build_id, c.tester_id
  )`;

/** The testers of the range with what they did, as `person`. Joined before the pairs, of which there are more. */
const FACTS = `
  used AS (
    SELECT DISTINCT ON (d.tester_id, b.platform) d.tester_id, b.platform, d.build_id
    FROM build_download d JOIN build b ON b.id = d.build_id AND b.project_id = $2
    WHERE d.project_id = $2 AND ${inRange('d.tester_id')}
      AND ${isLiveIn('$2', 'b.id')}
    ORDER BY d.tester_id, b.platform, d.id DESC
  ), has AS (
    SELECT tester_id, array_agg(platform) AS platforms, array_agg(build_id) AS newest FROM used GROUP BY tester_id
  ), got AS (
    SELECT d.tester_id, array_agg(DISTINCT d.build_id) AS builds FROM build_download d
    WHERE d.build_id = ANY ($5::uuid[]) AND ${inRange('d.tester_id')} GROUP BY d.tester_id
  ), opened AS (
    SELECT i.tester_id, max(i.last_opened_at) AS at FROM invite i
    WHERE i.project_id = $2 AND ${inRange('i.tester_id')} AND i.last_opened_at IS NOT NULL GROUP BY i.tester_id
  ), person AS MATERIALIZED (
    SELECT t.id, t.bounced_at, t.mail_platforms, h.platforms, h.newest, g.builds, o.at AS opened_at
    FROM tester t LEFT JOIN has h ON h.tester_id = t.id LEFT JOIN got g ON g.tester_id = t.id
    LEFT JOIN opened o ON o.tester_id = t.id WHERE t.project_id = $2 AND ${inRange('t.id')}
  ), invited AS (
    SELECT i.tester_id, i.build_id, min(i.created_at) AS at FROM invite i
    WHERE i.build_id = ANY ($5::uuid[]) AND ${inRange('i.tester_id')} GROUP BY i.tester_id, i.build_id
  ), known AS MATERIALIZED (
    SELECT b.id, b.platform, ${comparedColumns('b')} FROM build b
    WHERE ${isLive('b')} AND b.id = ANY (ARRAY(
      SELECT build_id FROM used WHERE platform IN (SELECT platform FROM subject) UNION SELECT build_id FROM subject))
  ), newer AS (
    SELECT s.build_id, n.id AS newest FROM (SELECT DISTINCT build_id FROM subject) AS s
    JOIN known b ON b.id = s.build_id JOIN known n ON n.platform = b.platform AND ${isNewer('n', 'b')}
  ), fact AS (
    SELECT p.id, t.bounced_at, t.newest, p.build_id, w.newest IS NOT NULL AS is_ahead, p.build_id = ANY (t.builds) AS got, p.promoted_at,
           i.at AS invited_at, t.opened_at, p.mailed_at, p.linked_at, (t.mail_platforms = '{}' OR p.platform = ANY (t.mail_platforms))
                                     AND (t.platforms IS NULL OR p.platform = ANY (t.platforms)) AS is_concerned
    FROM pair p JOIN person t ON t.id = p.tester_id
    LEFT JOIN invited i ON i.tester_id = p.tester_id AND i.build_id = p.build_id
    LEFT JOIN newer w ON w.build_id = p.build_id AND w.newest = t.newest[array_position(t.platforms, p.platform)]
  )`;

/** The step, null for those who are not in the audience. */
const stepOf = (isMember: string): string => `
  CASE WHEN ${isMember} THEN
    CASE WHEN build_id = ANY (newest) THEN 'has_it'
         WHEN is_ahead THEN 'has_newer'
         WHEN got THEN 'downloaded'
         WHEN bounced_at IS NOT NULL THEN 'bounced'
         WHEN opened_at >= least(CASE WHEN is_concerned THEN promoted_at END, invited_at, mailed_at) THEN 'opened'
         WHEN coalesce(mailed_at, invited_at, CASE WHEN is_concerned THEN linked_at END) IS NOT NULL THEN 'mailed'
         ELSE 'not_mailed' END
  END`;

/** `OFFSET 0`: the rows are reduced to two columns before they are grouped. */
const counted = (pairs: string, isMember: string): string => `
  WITH ${pairs}, ${FACTS}
  SELECT id, step, count(*)::int AS count FROM (SELECT id, ${stepOf(isMember)} AS step FROM fact OFFSET 0) AS stepped
  GROUP BY id, step`;

/** A number of testers in a step. Null: they are not in the audience. */
export interface StepCount {
  readonly id: string;
  readonly step: AdoptionStep | null;
  readonly count: number;
}

export const COUNT_RELEASES = counted(SUBSCRIBERS, 'is_concerned');

export const COUNT_BUILD = counted(
  CANDIDATES,
  'got OR invited_at IS NOT NULL OR is_concerned AND promoted_at IS NOT NULL',
);
