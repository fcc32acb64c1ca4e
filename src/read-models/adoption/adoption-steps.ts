import { isLive, isTrashed } from '#modules/builds';
import { comparedColumns, isNewer } from './newer-builds';

/** Conditions of statements about a row `tester`. Arguments are SQL, never input. */

/** Whether the build of the row `had` is newer than that of `build`. Both are rows of the table. */
const isNewerThan = (had: string, build: string): string => `(
  SELECT ${isNewer('x', 'y')} FROM (SELECT ${comparedColumns(had)} OFFSET 0) AS x,
    (SELECT ${build}.platform, ${comparedColumns(build)} OFFSET 0) AS y)`;

/**
 * `has_it` for a tester who has the build of the row `build`, `has_newer` for one who has a newer build, null for one who lacks it. The
 * newest download of the platform decides which build a tester has.
 */
const possessionOf = (build: string): string => `(
  SELECT CASE WHEN had.id = ${build}.id THEN 'has_it' WHEN ${isNewerThan('had', build)} THEN 'has_newer' END FROM (
    SELECT n.id, n.version, n.build_number, n.artifact FROM build_download d JOIN build n ON n.id = d.build_id AND ${isLive('n')}
    WHERE d.project_id = tester.project_id AND d.tester_id = tester.id AND n.platform = ${build}.platform
    ORDER BY d.id DESC LIMIT 1) AS had)`;

const hasDownloaded = (build: string): string =>
  `EXISTS (SELECT FROM build_download d WHERE d.build_id = ${build} AND d.tester_id = tester.id)`;

const wantsMailsAbout = (platform: string): string =>
  `(tester.mail_platforms = '{}' OR ${platform} = ANY (tester.mail_platforms))`;

/**
 * Whether the tester downloaded a build of the platform, or none at all. Ends with the first build of the platform: for an `EXISTS` in this
 * place, PostgreSQL reads the builds of all downloads of the tester.
 */
const mayUse = (platform: string): string => `(
  NOT EXISTS (SELECT FROM build_download d WHERE d.project_id = tester.project_id AND d.tester_id = tester.id
              AND NOT ${isTrashed('d.build_id')})
  OR coalesce((SELECT true FROM build_download d JOIN build n ON n.id = d.build_id AND ${isLive('n')}
               WHERE d.project_id = tester.project_id AND d.tester_id = tester.id AND n.platform = ${platform} LIMIT 1), false))`;

/** When the subscriber `s` was invited to the channel of the release `r` since its promotion: the link opens its build. Else null. */
export const INVITED_SINCE = 'CASE WHEN s.invited_at >= r.promoted_at THEN s.invited_at END';

/** Whether a release of the platform concerns a subscriber of its channel. */
export const isConcerned = (platform: string): string => `(${wantsMailsAbout(platform)} AND ${mayUse(platform)})`;

const firstInvitation = (build: string): string =>
  `(SELECT min(i.created_at) FROM invite i WHERE i.tester_id = tester.id AND i.build_id = ${build})`;

const hasOpenedSince = (time: string): string =>
  `EXISTS (SELECT FROM invite i WHERE i.project_id = tester.project_id AND i.tester_id = tester.id AND i.last_opened_at >= ${time})`;

interface Subject {
  /** The time since which an opened link counts. */
  readonly since: string;
  /** The time of a mail about it. */
  readonly mailedAt: string;
}

/** The step of a tester of the audience of the build `b`, or of its release: the first that applies. */
const stepOf = ({ since, mailedAt }: Subject): string => `
  coalesce(${possessionOf('b')}, CASE
    WHEN ${hasDownloaded('b.id')} THEN 'downloaded'
    WHEN tester.bounced_at IS NOT NULL THEN 'bounced'
    WHEN ${hasOpenedSince(`least(${since}, ${firstInvitation('b.id')})`)} THEN 'opened'
    WHEN coalesce(${mailedAt}, ${firstInvitation('b.id')}) IS NOT NULL THEN 'mailed'
    ELSE 'not_mailed' END)`;

/** The step of a subscriber `s` whom the release `r` of the build `b` concerns. */
export const STEP_IN_RELEASE = stepOf({
  since: 'r.promoted_at',
  mailedAt: `(SELECT m.queued_at FROM release_mail m WHERE m.release_id = r.id AND m.tester_id = tester.id), ${INVITED_SINCE}`,
});

/** The step in the adoption of a release. Null for a tester who is not in its audience. */
export const stepInRelease = (releaseId: string): string => `(
  SELECT ${STEP_IN_RELEASE} FROM release r JOIN build b ON b.id = r.build_id AND ${isLive('b')}
  JOIN subscription s ON s.channel_id = r.channel_id AND s.tester_id = tester.id
  WHERE r.id = ${releaseId} AND r.project_id = tester.project_id AND ${isConcerned('r.platform')})`;

const mailsAboutBuild = (time: string): string => `(
  SELECT ${time}(m.queued_at) FROM release_mail m JOIN release r ON r.id = m.release_id
  WHERE r.build_id = b.id AND m.tester_id = tester.id)`;

/** An aggregate over the current releases of the build `b` that concern the tester. Null for a tester of none. */
const ofReleasesOfBuild = (aggregate: string): string => `(
  SELECT ${aggregate} FROM release r JOIN current_release c ON c.release_id = r.id
  JOIN subscription s ON s.channel_id = r.channel_id AND s.tester_id = tester.id
  WHERE r.build_id = b.id AND ${isConcerned('r.platform')})`;

const PROMOTED_TO_TESTER = ofReleasesOfBuild('min(r.promoted_at)');

/** The step of a tester of the audience of the build `b`. */
const STEP_WITH_BUILD = stepOf({
  since: `least(${PROMOTED_TO_TESTER}, ${mailsAboutBuild('min')})`,
  mailedAt: `${mailsAboutBuild('min')}, ${ofReleasesOfBuild(`max(${INVITED_SINCE})`)}`,
});

/** Whether the tester is in the audience of a current release of the build `b`, was invited to it, or downloaded it. */
const IN_AUDIENCE_OF_BUILD = `(
  ${hasDownloaded('b.id')} OR ${firstInvitation('b.id')} IS NOT NULL OR ${PROMOTED_TO_TESTER} IS NOT NULL)`;

/** The step in the adoption of a build. Null for a tester who is not in its audience. */
export const stepWithBuild = (buildId: string): string => `(
  SELECT ${STEP_WITH_BUILD} FROM build b
  WHERE ${isLive('b')} AND b.id = ${buildId} AND b.project_id = tester.project_id AND ${IN_AUDIENCE_OF_BUILD})`;

/**
 * Whether the tester lacks none of the current builds of their channels, of those that meet a condition on the row `c` of `current_release`.
 * Null when none of these releases concerns them.
 */
export const hasCurrent = (condition: string): string => `(
  SELECT bool_and(${possessionOf('b')} IS NOT NULL)
  FROM subscription s JOIN current_release c ON c.channel_id = s.channel_id JOIN release r ON r.id = c.release_id
  JOIN build b ON b.id = r.build_id AND ${isLive('b')}
  WHERE s.tester_id = tester.id AND ${condition} AND ${isConcerned('r.platform')})`;

export const HAS_CURRENT = hasCurrent('true');

/** When the last mail about a release was queued to the tester: about the promotion, a reminder, or an invitation that opens its build. */
export const lastMailOfRelease = (releaseId: string): string => `(
  SELECT greatest(
    (SELECT greatest(m.queued_at, m.reminded_at) FROM release_mail m WHERE m.release_id = r.id AND m.tester_id = tester.id),
    (SELECT max(i.created_at) FROM invite i WHERE i.tester_id = tester.id AND i.build_id = r.build_id),
    (SELECT ${INVITED_SINCE} FROM subscription s WHERE s.channel_id = r.channel_id AND s.tester_id = tester.id))
  FROM release r WHERE r.id = ${releaseId} AND r.project_id = tester.project_id)`;

export const lastMailOfBuild = (buildId: string): string => `(
  SELECT greatest(${mailsAboutBuild('max')}, ${ofReleasesOfBuild(`max(${INVITED_SINCE})`)}, (
    SELECT max(i.created_at) FROM invite i WHERE i.tester_id = tester.id AND i.build_id = b.id))
  FROM build b WHERE b.id = ${buildId} AND ${isLive('b')} AND b.project_id = tester.project_id)`;
