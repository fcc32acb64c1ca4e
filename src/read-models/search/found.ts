import { type Platform } from '#kernel/builds/platform';

/** A found object and its project. */
interface InProject {
  readonly id: string;
  readonly projectId: string;
  readonly projectName: string;
}

export interface FoundProject {
  readonly id: string;
  readonly name: string;
}

export interface FoundBuild extends InProject {
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly branch: string | null;
  readonly uploadedAt: Date;
}

export interface FoundChannel extends InProject {
  readonly name: string;
}

export interface FoundTester extends InProject {
  readonly name: string | null;
  readonly email: string;
}

/** The results of a search, the best match first. */
export interface Found {
  readonly projects: readonly FoundProject[];
  readonly builds: readonly FoundBuild[];
  readonly channels: readonly FoundChannel[];
  readonly testers: readonly FoundTester[];
}
