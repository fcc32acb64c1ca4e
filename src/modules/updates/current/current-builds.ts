import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ArtifactRecord } from '#modules/builds';

/** The row of a key. From `buildId` on, the columns are null together while the key opens nothing. */
export interface OpenedKeyRow {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly channelId: string | null;
  readonly platform: Platform;
  readonly lastUsedAt: Date | null;
  readonly minSupported: string | null;
  readonly mandatory: boolean;
  readonly sequence: number | null;
  readonly buildId: string | null;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly notes: string | null;
  readonly sizeBytes: string;
  readonly sha256: string;
  readonly sha512: Buffer | null;
  readonly fileName: string;
  readonly artifact: ArtifactRecord;
  readonly since: Date;
  readonly updateSignature: string | null;
  readonly isCounted: boolean;
}

/** Reads update keys with the builds that they open. A read model implements it. */
export abstract class CurrentBuilds {
  /** @param installation the digest of the installation that checks, if it sent its id. */
  abstract find(ctx: RequestContext, digest: Buffer, installation?: Buffer): Promise<OpenedKeyRow | null>;
}
