import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type RetentionRule } from '../../retention/retention';

/** Which builds are deleted: those that meet all conditions. */
export interface DeletionFilter {
  readonly platform?: Platform | undefined;
  readonly version?: string | undefined;
  /** A branch, or a pattern of branches (`matchesBranch`). */
  readonly branch?: string | undefined;
  /** Id of the developer or project access token. */
  readonly uploadedBy?: string | undefined;
  /** Uploaded at this time or later. */
  readonly from?: Date | undefined;
  /** Uploaded before this time. */
  readonly to?: Date | undefined;
}

/** What decides about the builds of a project: a filter, for those that existed at a preview, or the rules of retention. */
export type Selection =
  { readonly filter: DeletionFilter; readonly newestId: string | null } | { readonly rules: readonly RetentionRule[] };

/** A build that would be deleted. */
export interface DeletableBuild {
  readonly id: string;
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly branch: string | null;
  readonly uploadedAt: Date;
  readonly sizeBytes: number;
}

/** The builds of a selection that are deleted, in numbers. */
export interface DeletionSums {
  readonly builds: number;
  /** The size of their files, with attachments. */
  readonly bytes: number;
  /** The part of `bytes` in the hosted store, whose storage is metered. */
  readonly hostedBytes: number;
  /** The builds that are selected and protected: pinned or current in a channel, and with rules for other reasons, too. */
  readonly kept: number;
  /** Some of the builds, the oldest first. */
  readonly sample: readonly DeletableBuild[];
  /** Recognizes the builds (`digestOfIds`). */
  readonly digest: bigint;
}

/** The first builds of a selection, and all of it, at one moment. */
export interface FirstBuilds extends Pick<DeletionSums, 'builds' | 'digest'> {
  /** The oldest first. */
  readonly ids: readonly string[];
}

/** A number by which a set of builds is recognized: the sum of the last 48 bits of their ids, which are random. */
export const digestOfIds = (ids: readonly string[]): bigint =>
  ids.reduce((sum, id) => sum + BigInt(`0x${id.slice(-12)}`), 0n);

/** A part of the ids of a selection. */
export interface DeletionRange {
  /** Null for the first part. */
  readonly after: string | null;
  readonly limit: number;
}

/**
 * The builds of a project that a deletion of several builds deletes. Previews and deletions ask the same query. Reads tables of upper
 * modules.
 */
export abstract class DeletableBuilds {
  abstract sum(ctx: RequestContext, scope: ProjectScope, selection: Selection): Promise<DeletionSums>;

  /** The oldest builds of the selection, its number and its digest, in one statement. */
  abstract first(ctx: RequestContext, scope: ProjectScope, selection: Selection, limit: number): Promise<FirstBuilds>;

  /** Ids of the selection, the oldest first. */
  abstract find(
    ctx: RequestContext,
    scope: ProjectScope,
    selection: Selection,
    range: DeletionRange,
  ): Promise<readonly string[]>;

  /**
   * Those of the builds that rules let go at this moment. When the caller has locked the builds, nothing protects these until its transaction
   * ends: links, first downloads, pins and promotions lock the build, too.
   */
  abstract among(
    tx: RequestContext,
    scope: ProjectScope,
    rules: readonly RetentionRule[],
    ids: readonly string[],
  ): Promise<readonly string[]>;

  /** The newest build of the project, null when it has none. */
  abstract newestId(ctx: RequestContext, scope: ProjectScope): Promise<string | null>;
}
