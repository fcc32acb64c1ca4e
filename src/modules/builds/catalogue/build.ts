import { type Platform } from '#kernel/builds/platform';
import { type ProjectScope } from '#kernel/context/scope';
import { type ArtifactDetails, type InspectedArtifact } from '#infra/artifact-inspection/inspected-artifact';
import { type LabelledOwner } from '#modules/tokens';
import { type Registration } from '../registrations/registration';
import { type BuildChanges } from './commits/build-commits';

/** A problem on devices, or something a tester may not expect: a code for programs and a sentence for people. */
export interface BuildWarning {
  readonly code: string;
  readonly message: string;
}

/** The artifact's metadata as stored in the database: without the icon, with times as text. */
export type ArtifactRecord = Readonly<Record<string, unknown>>;

export interface BuildSource {
  readonly branch: string | null;
  readonly commit: string | null;
  readonly ciUrl: string | null;
  /** Null when the upload named neither its number nor its page. */
  readonly pullRequest: { readonly number: number | null; readonly url: string | null } | null;
}

/** How often an artifact was downloaded: tickets that were used, and different testers among them. */
export interface DownloadCounts {
  readonly total: number;
  readonly uniqueTesters: number;
}

/** The file of a build and where it is stored. */
export interface ArtifactFile {
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly blob: { readonly account: string; readonly key: string };
}

/** A stored artifact that is to become a build. */
export interface NewArtifact extends ArtifactFile {
  /** 64 bytes. Null for the packages of phones, whose updaters need none. */
  readonly sha512: Buffer | null;
  readonly inspected: InspectedArtifact;
}

/** A build that is being created. */
export interface NewBuild extends ProjectScope {
  readonly id: string;
  /** The ids of the devices in its provisioning profile. Null when it is not restricted to devices. */
  readonly devices: readonly string[] | null;
}

/** A channel that a build was promoted to. */
export interface BuildChannel {
  readonly id: string;
  readonly name: string;
  /** Whether the build is the channel's current release of its platform, which testers get. */
  readonly current: boolean;
}

/** One uploaded artifact. */
export interface Build extends ProjectScope, ArtifactFile {
  readonly id: string;
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly notes: string | null;
  readonly uploadedAt: Date;
  /** When the file was uploaded to the service that it was imported from, according to the uploader. */
  readonly originalUploadedAt: Date | null;
  readonly uploadedBy: { readonly kind: string; readonly id: string | null };
  readonly artifact: InspectedArtifact;
  readonly iconMediaType: string | null;
  /** Null when it was not checked. */
  readonly registration: Registration | null;
  readonly source: BuildSource;
  readonly downloads: DownloadCounts;
  /** Whether neither retention nor a deletion of several builds deletes it. */
  readonly pinned: boolean;
  /** When retention deletes it; null when no rule lets it go. */
  readonly expiresAt: Date | null;
  /** When it was moved to the trash; null when it was not. */
  readonly deletedAt: Date | null;
  /** Whether a device can install the build from a link now. */
  readonly installable: boolean;
  /** The warning that says why it is not installable; null when it is. */
  readonly notInstallable: BuildWarning | null;
  readonly warnings: readonly BuildWarning[];
}

/** A build in a list, which does not show where the file is stored. */
export type ListedBuild = Omit<Build, 'blob'>;

/** A build with its install link and the address of its icon. */
export interface BuildWithUrl extends Build {
  /**
   * A credential to download: show it only to callers who may download (`maySeeInstallLinks`). Null while the build is being deleted, and
   * when its link cannot be opened.
   */
  readonly installUrl: string | null;
  /** The link as a QR code. Null where `installUrl` is, and for a link with rules. */
  readonly qrUrl: string | null;
  /** Opens nothing but the icon. Null when the build has none. */
  readonly iconUrl: string | null;
}

/** The long facts of an artifact as stored. Only rows of earlier releases contain the ids of devices. */
export type StoredDetails = Omit<ArtifactDetails, 'devices'> & Partial<Pick<ArtifactDetails, 'devices'>>;

/** A build with the long facts of its artifact and its changes, which lists do not have. */
export interface BuildWithDetails extends BuildWithUrl {
  /** Null when none were kept. */
  readonly details: ArtifactDetails | null;
  /** Null when the upload said nothing about them. */
  readonly changes: BuildChanges | null;
}

/** A build with the name of the uploader, and what other modules know about it. */
export interface ShownBuild extends Omit<BuildWithUrl, 'blob'> {
  readonly uploadedBy: LabelledOwner;
  /** In the order of their names. */
  readonly channels: readonly BuildChannel[];
  /** Null in lists and when none were kept. Without the devices, if the caller may not see them. */
  readonly details: ArtifactDetails | null;
  /** Null in lists, and when the upload said nothing about them. */
  readonly changes: BuildChanges | null;
}
