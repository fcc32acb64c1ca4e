/** Conditions of statements about a row `tester`. Arguments are SQL, never input. */

/** The newest download of a platform decides which build the tester has. */
const newestOf = (platform: string): string => `(
  SELECT d.build_id FROM build_download d JOIN build n ON n.id = d.build_id
  WHERE d.project_id = tester.project_id AND d.tester_id = tester.id AND n.platform = ${platform} ORDER BY d.id DESC LIMIT 1)`;

const hasDownloaded = (build: string): string =>
  `EXISTS (SELECT FROM build_download d WHERE d.build_id = ${build} AND d.tester_id = tester.id)`;

const wantsMailsAbout = (platform: string): string =>
  `(tester.mail_platforms = '{}' OR ${platform} = ANY (tester.mail_platforms))`;

/** Whether the tester downloaded a build of the platform, or none at all. */
const mayUse = (platform: string): string => `(
  NOT EXISTS (SELECT FROM build_download d WHERE d.project_id = tester.project_id AND d.tester_id = tester.id)
  OR EXISTS (SELECT FROM build_download d JOIN build n ON n.id = d.build_id
             WHERE d.project_id = tester.project_id AND d.tester_id = tester.id AND n.platform = ${platform}))`;

/** Whether a release of the platform concerns a subscriber of its channel. */
export const isConcerned = (platform: string): string => `(${wantsMailsAbout(platform)} AND ${mayUse(platform)})`;

const firstInvitation = (build: string): string =>
  `(SELECT min(i.created_at) FROM invite i WHERE i.tester_id = tester.id AND i.build_id = ${build})`;

const hasOpenedSince = (time: string): string =>
  `EXISTS (SELECT FROM invite i WHERE i.project_id = tester.project_id AND i.tester_id = tester.id AND i.last_opened_at >= ${time})`;

interface Subject {
  readonly build: string;
  readonly platform: string;
  /** The time since which an opened link counts. */
  readonly since: string;
  /** The time of the first mail about it. */
  readonly mailedAt: string;
}

/** The step of a tester of the audience: the first that applies. */
const stepOf = ({ build, platform, since, mailedAt }: Subject): string => `
  CASE WHEN ${hasDownloaded(build)}
         THEN CASE WHEN ${newestOf(platform)} = ${build} THEN 'has_it' ELSE 'downloaded' END
       WHEN tester.bounced_at IS NOT NULL THEN 'bounced'
       WHEN ${hasOpenedSince(`least(${since}, ${firstInvitation(build)})`)} THEN 'opened'
       WHEN coalesce(${mailedAt}, ${firstInvitation(build)}) IS NOT NULL THEN 'mailed'
       ELSE 'not_mailed' END`;

const mailedAboutRelease = `(SELECT m.queued_at FROM release_mail m WHERE m.release_id = r.id AND m.tester_id = tester.id)`;

/** The step of a subscriber whom the release `r` concerns. */
export const STEP_IN_RELEASE = stepOf({
  build: 'r.build_id',
  platform: 'r.platform',
  since: 'r.promoted_at',
  mailedAt: mailedAboutRelease,
});

/** The step in the adoption of a release. Null for a tester who is not in its audience. */
export const stepInRelease = (releaseId: string): string => `(
  SELECT ${STEP_IN_RELEASE} FROM release r JOIN subscription s ON s.channel_id = r.channel_id AND s.tester_id = tester.id
  WHERE r.id = ${releaseId} AND r.project_id = tester.project_id AND ${isConcerned('r.platform')})`;

const mailsAboutBuild = (time: string): string => `(
  SELECT ${time}(m.queued_at) FROM release_mail m JOIN release r ON r.id = m.release_id
  WHERE r.build_id = b.id AND m.tester_id = tester.id)`;

/** The first promotion among the current releases of the build `b` that concern the tester. Null for a tester of none. */
const PROMOTED_TO_TESTER = `(
  SELECT min(r.promoted_at) FROM release r JOIN current_release c ON c.release_id = r.id
  JOIN subscription s ON s.channel_id = r.channel_id AND s.tester_id = tester.id
  WHERE r.build_id = b.id AND ${isConcerned('r.platform')})`;

/** The step of a tester of the audience of the build `b`. */
const STEP_WITH_BUILD = stepOf({
  build: 'b.id',
  platform: 'b.platform',
  since: `least(${PROMOTED_TO_TESTER}, ${mailsAboutBuild('min')})`,
  mailedAt: mailsAboutBuild('min'),
});

/** Whether the tester is in the audience of a current release of the build `b`, was invited to it, or downloaded it. */
const IN_AUDIENCE_OF_BUILD = `(
  ${hasDownloaded('b.id')} OR ${firstInvitation('b.id')} IS NOT NULL OR ${PROMOTED_TO_TESTER} IS NOT NULL)`;

/** The step in the adoption of a build. Null for a tester who is not in its audience. */
export const stepWithBuild = (buildId: string): string => `(
  SELECT ${STEP_WITH_BUILD} FROM build b
  WHERE b.id = ${buildId} AND b.project_id = tester.project_id AND ${IN_AUDIENCE_OF_BUILD})`;

/**
 * Whether the tester has, for each platform that they use, one of the current builds of their channels. A tester who never downloaded
 * may use any. Null when no current release concerns them.
 */
export const HAS_CURRENT = `(
  SELECT bool_and(has) FROM (
    SELECT bool_or(coalesce(r.build_id = ${newestOf('r.platform')}, false)) AS has
    FROM subscription s JOIN current_release c ON c.channel_id = s.channel_id JOIN release r ON r.id = c.release_id
    WHERE s.tester_id = tester.id AND ${isConcerned('r.platform')} GROUP BY r.platform
  ) AS by_platform)`;

/** When the last mail about a release was queued to the tester: about the promotion, a reminder, or an invitation to its build. */
export const lastMailOfRelease = (releaseId: string): string => `(
  SELECT greatest(
    (SELECT greatest(m.queued_at, m.reminded_at) FROM release_mail m WHERE m.release_id = r.id AND m.tester_id = tester.id),
    (SELECT max(i.created_at) FROM invite i WHERE i.tester_id = tester.id AND i.build_id = r.build_id))
  FROM release r WHERE r.id = ${releaseId} AND r.project_id = tester.project_id)`;

export const lastMailOfBuild = (buildId: string): string => `(
  SELECT greatest(${mailsAboutBuild('max')}, (
    SELECT max(i.created_at) FROM invite i WHERE i.tester_id = tester.id AND i.build_id = b.id))
  FROM build b WHERE b.id = ${buildId} AND b.project_id = tester.project_id)`;
