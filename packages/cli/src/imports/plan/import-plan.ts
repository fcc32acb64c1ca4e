import { type Platform } from '@agate/client';

/** A promotion of a build to a channel. */
export interface PlannedRelease {
  /** The name of the channel. */
  readonly channel: string;
  /** Null when testers see the notes of the build. */
  readonly notes: string | null;
  /** In RFC 3339. Null when it is the time of the upload. */
  readonly promoted_at: string | null;
}

/** A build to upload. Fields that are null are read from the file, or are not set. */
export interface PlannedBuild {
  /** The name of the file for people: its path relative to the imported folder, or its address. */
  readonly file: string;
  /** In hexadecimal. Null when the content is not known in advance. */
  readonly sha256: string | null;
  readonly platform: Platform | null;
  readonly version: string | null;
  readonly build_number: string | null;
  readonly notes: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly ci_url: string | null;
  /** The time of the upload to the former service, in RFC 3339. */
  readonly uploaded_at: string | null;
  readonly releases: readonly PlannedRelease[];
}

export interface PlannedTester {
  readonly email: string;
  readonly name: string | null;
  /** The names of the channels that the tester subscribes to. */
  readonly channels: readonly string[];
}

/** The objects that an import creates in one project, in the form of the file `import.json`. */
export interface ImportPlan {
  /** The names of all channels. */
  readonly channels: readonly string[];
  /** Oldest first. */
  readonly builds: readonly PlannedBuild[];
  readonly testers: readonly PlannedTester[];
  /** Sentences about objects that cannot be imported and have to be made by hand. */
  readonly remarks: readonly string[];
}

export const EMPTY_BUILD: Omit<PlannedBuild, 'file'> = {
  sha256: null,
  platform: null,
  version: null,
  build_number: null,
  notes: null,
  branch: null,
  commit: null,
  ci_url: null,
  uploaded_at: null,
  releases: [],
};

/** A plan with these builds and testers: oldest builds first, and every channel that they name. */
export function planOf(
  builds: readonly PlannedBuild[],
  testers: readonly PlannedTester[] = [],
  channels: readonly string[] = [],
): ImportPlan {
  const named = [
    ...channels,
    ...builds.flatMap(({ releases }) => releases.map(({ channel }) => channel)),
    ...testers.flatMap((tester) => tester.channels),
  ];
  return { channels: [...new Set(named)], builds: byTime(builds, (build) => build.uploaded_at), testers, remarks: [] };
}

/** Sorts by time, oldest first. Items without a time stay behind those that precede them. */
export function byTime<Item>(items: readonly Item[], timeOf: (item: Item) => string | null): Item[] {
  let latest = Number.NEGATIVE_INFINITY;
  return items
    .map((item) => {
      const text = timeOf(item);
      const time = text === null ? latest : Date.parse(text);
      latest = Math.max(latest, time);
      return { item, time };
    })
    .toSorted((a, b) => (a.time === b.time ? 0 : a.time - b.time))
    .map(({ item }) => item);
}
