import { type ProjectRole } from '#kernel/access/roles';
import { type Platform } from '#kernel/builds/platform';
import { type NearSigningEnd } from '#kernel/builds/signing-end';
import { type Project } from '../project';

/** The number of days of downloads in a summary, the last of which is today. */
export const DOWNLOAD_DAYS = 14;

/** The newest build of a project for a platform. */
export interface ProjectBuild {
  readonly id: string;
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly sizeBytes: number;
  readonly uploadedAt: Date;
  /** Whether a device can install the build from its link now. */
  readonly installable: boolean;
  /**
   * A credential to download: show it only to callers who may download. Null while the build is being deleted, and when its link cannot be
   * opened.
   */
  readonly installUrl: string | null;
  /** Null when the build has no icon. */
  readonly iconUrl: string | null;
  /** When devices stop launching the app. Null when that is not known, as for Android. */
  readonly signingExpiresAt: Date | null;
}

export interface ProjectChannel {
  readonly id: string;
  readonly name: string;
}

/** A build that is current in a channel, which testers get. */
export interface ProjectCurrentBuild {
  readonly channelId: string;
  readonly channelName: string;
  readonly promotedAt: Date;
  readonly buildId: string;
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string | null;
  /** The fields of the same names in `ProjectBuild`. */
  readonly installable: boolean;
  readonly signingExpiresAt: Date | null;
}

/** A build whose signature has expired or expires soon. */
export interface ProjectSigningEnd extends NearSigningEnd {
  readonly buildId: string;
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string | null;
}

/** The icon of a project: that of its newest build with one. */
export interface ProjectIcon {
  readonly iconBuildId: string | null;
  readonly iconUrl: string | null;
}

/** The data of other modules about a project. */
export interface ProjectFacts {
  /** The newest build of each platform that has builds. */
  readonly latest: readonly ProjectBuild[];
  /** Sorted by name. */
  readonly channels: readonly ProjectChannel[];
  /** Sorted by the names of the channels. */
  readonly current: readonly ProjectCurrentBuild[];
  /** Builds among `latest` and `current` that a channel or a recent link shows, the first to expire first. */
  readonly signingEnds: readonly ProjectSigningEnd[];
  readonly builds: number;
  readonly testers: number;
  readonly openUploads: number;
  /** The counts of the last days in UTC, the oldest first. */
  readonly downloadsByDay: readonly number[];
  readonly lastUploadAt: Date | null;
  readonly lastReleaseAt: Date | null;
  readonly lastDownloadAt: Date | null;
}

export interface ProjectSummary extends ProjectFacts, ProjectIcon {
  readonly project: Project;
  /** The role of the caller. */
  readonly role: ProjectRole | null;
}

/** A project and the role of the caller in it, own or implied by the organization. */
export interface VisibleProject extends Project {
  readonly role: ProjectRole | null;
}

export interface DescribedProject extends Project, ProjectIcon {
  /** Null when the request does not include it. */
  readonly summary: ProjectSummary | null;
}

export const NO_FACTS: ProjectFacts = {
  latest: [],
  channels: [],
  current: [],
  signingEnds: [],
  builds: 0,
  testers: 0,
  openUploads: 0,
  downloadsByDay: Array.from({ length: DOWNLOAD_DAYS }, () => 0),
  lastUploadAt: null,
  lastReleaseAt: null,
  lastDownloadAt: null,
};
