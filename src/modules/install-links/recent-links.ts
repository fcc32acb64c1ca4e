/** The time for which a link that nobody opens counts as recent, in days. */
export const RECENT_LINK_DAYS = 90;

/**
 * SQL of whether a recent link opens a build: its own link, by the time at which it or its replacement was made, or one of a tester, by the time
 * at which it was mailed, used or opened last.
 * @param buildId SQL, never input.
 */
export const hasRecentLink = (buildId: string): string => `EXISTS (
  SELECT FROM invite i WHERE i.build_id = ${buildId}
    AND greatest(i.created_at, i.spent_at, i.last_opened_at) > (SELECT app_now() - interval '${RECENT_LINK_DAYS * 24} hours'))`;
