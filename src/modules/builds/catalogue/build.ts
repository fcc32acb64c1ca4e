import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope, type ProjectScope } from '#kernel/context/scope';
import { type InspectedArtifact } from '#infra/artifact-inspection/inspected-artifact';

/** Something that will go wrong, or surprise, on a device: a code for programs and a sentence for people. */
export interface BuildWarning {
  readonly code: string;
  readonly message: string;
}

/** What an artifact says about itself, as it is kept: without its icon, with times as text. */
export type ArtifactRecord = Readonly<Record<string, unknown>>;

export interface BuildSource {
  readonly branch: string | null;
  readonly commit: string | null;
  readonly ciUrl: string | null;
}

/** How often an artifact was fetched: by tickets whose first byte was asked for, and by how many different testers. */
export interface DownloadCounts {
  readonly total: number;
  readonly uniqueTesters: number;
}

/** The file of a build, and where it is kept. */
export interface ArtifactFile {
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly blob: { readonly account: string; readonly key: string };
}

/** One uploaded artifact. */
export interface Build extends ProjectScope, ArtifactFile {
  readonly id: string;
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly notes: string | null;
  readonly uploadedAt: Date;
  readonly uploadedBy: { readonly kind: string; readonly id: string | null };
  readonly artifact: InspectedArtifact;
  readonly iconMediaType: string | null;
  readonly source: BuildSource;
  readonly downloads: DownloadCounts;
  /** Whether a device can install it from a link at this moment, and if not, why. */
  readonly installable: boolean;
  readonly notInstallable: BuildWarning | null;
  readonly warnings: readonly BuildWarning[];
}

/** A build with its permanent install link. */
export interface BuildWithUrl extends Build {
  readonly installUrl: string;
}

/** A build as its upload answers it. */
export interface UploadedBuild extends BuildWithUrl {
  /** The release it was promoted as, when the upload named a channel. */
  readonly releaseId: string | null;
}

/**
 * Puts builds into channels as they are made. It is a module above that does so: builds know no channels, and it registers
 * itself by `BuildsService.promoteBy`.
 */
export interface BuildPromoter {
  /** Asked before anything is stored, where possible. @throws AppError unless the caller may promote into the channel. */
  allow(ctx: RequestContext, scope: ProjectScope, channelId: string): Promise<void>;
  /** In the transaction that makes the build. @returns the release's id. */
  promote(tx: RequestContext, channel: ChannelScope, buildId: string): Promise<string>;
}
