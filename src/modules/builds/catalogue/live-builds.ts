/**
 * SQL of the condition of builds that are not in the trash (docs/decisions/0096-trash-and-retention.md). A test finds the statements about
 * builds without it.
 */
export const LIVE = 'deleted_at IS NULL';

/** SQL of the condition of builds that are in the trash. */
export const IN_TRASH = 'deleted_at IS NOT NULL';

/** The condition `LIVE` of a table that has the alias `b`, or another one. */
export const isLive = (alias: string): string => `${alias}.${LIVE}`;

/** SQL of whether a build is in the trash. For rows about builds that are read without their build. */
export const isTrashed = (buildId: string): string =>
  `EXISTS (SELECT FROM build trashed WHERE trashed.id = ${buildId} AND trashed.${IN_TRASH})`;

/** SQL of whether a build of a project is not in the trash, for statements that read an index of builds alone, which has no `deleted_at`. */
export const isLiveIn = (projectId: string, buildId: string): string =>
  `${buildId} NOT IN (SELECT trashed.id FROM build trashed WHERE trashed.project_id = ${projectId} AND trashed.${IN_TRASH})`;
