import { type Platform } from '#kernel/builds/platform';
import { AppError } from '#kernel/errors/app-error';
import { type InspectedArtifact } from '#infra/artifact-inspection/inspected-artifact';
import { isParsed } from '#infra/artifact-inspection/reader/artifact-reader';
import { type BuildChanges, type BuildCommit } from './commits/build-commits';

/** The fields of a build that the uploader sends. Missing fields are read from the artifact. */
export interface BuildDraft {
  readonly version?: string | undefined;
  readonly buildNumber?: string | undefined;
  readonly platform?: Platform | undefined;
  readonly notes?: string | undefined;
  /** Hexadecimal hash of the file that the uploader has. */
  readonly sha256?: string | undefined;
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
  readonly ciUrl?: string | undefined;
  readonly pullRequestNumber?: number | undefined;
  readonly pullRequestUrl?: string | undefined;
  readonly pullRequestTitle?: string | undefined;
  /** The commits since the previous build, newest first. */
  readonly commits?: readonly BuildCommit[] | undefined;
  /** The commit of the previous build. */
  readonly commitsSince?: string | undefined;
  /** RFC 3339, because drafts of resumable uploads are stored as JSON. */
  readonly originalUploadedAt?: string | undefined;
  /** The channel that the build is promoted to. */
  readonly channelId?: string | undefined;
  /** Whether subscribers of that channel are mailed. Default: true. */
  readonly notify?: boolean | undefined;
}

/** Name, version and source of a build. */
export interface BuildDescription {
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly notes: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly ciUrl: string | null;
  readonly pullRequestNumber: number | null;
  readonly pullRequestUrl: string | null;
  readonly originalUploadedAt: Date | null;
}

/**
 * Checks, before a file is sent, that the draft has what a file of this kind does not contain.
 * @throws AppError invalid_input with reason `version_required` or `platform_required`.
 */
export function requireMetadata(fileName: string, draft: BuildDraft): void {
  if (isParsed(fileName)) return;
  if (draft.version === undefined) missing('version');
  if (draft.platform === undefined) missing('platform');
}

/** @throws AppError invalid_input when the draft announces another hash. */
export function requireAnnouncedHash(sha256: string, draft: Pick<BuildDraft, 'sha256'>): void {
  if (draft.sha256 === undefined || draft.sha256.toLowerCase() === sha256) return;
  throw AppError.invalidInput(
    'sha256_mismatch',
    'The received file does not have the announced sha256. Send it again.',
    {
      sha256,
    },
  );
}

/**
 * Combines the draft with the artifact's metadata.
 * @throws AppError invalid_input when they contradict each other, or when neither has a required value.
 */
export function describeBuild(
  artifact: { readonly sha256: string; readonly inspected: InspectedArtifact },
  draft: BuildDraft,
): BuildDescription {
  const { inspected, sha256 } = artifact;
  requireAnnouncedHash(sha256, draft);
  return {
    platform: platformOf(inspected, draft),
    version: draft.version ?? inspected.version ?? inspected.buildNumber ?? missing('version'),
    buildNumber: draft.buildNumber ?? inspected.buildNumber,
    notes: draft.notes ?? null,
    branch: draft.branch ?? null,
    commit: draft.commit ?? null,
    ciUrl: draft.ciUrl ?? null,
    pullRequestNumber: draft.pullRequestNumber ?? null,
    pullRequestUrl: draft.pullRequestUrl ?? null,
    originalUploadedAt: draft.originalUploadedAt === undefined ? null : new Date(draft.originalUploadedAt),
  };
}

/** Null when the draft says nothing about changes. */
export function changesOf({ pullRequestTitle, commits, commitsSince }: BuildDraft): BuildChanges | null {
  if (!pullRequestTitle && !commits) return null;
  return {
    pullRequestTitle: pullRequestTitle || null,
    commits: commits ?? null,
    commitsSince: (commits && commitsSince) ?? null,
  };
}

function platformOf(inspected: InspectedArtifact, draft: BuildDraft): Platform {
  const platform = draft.platform ?? inspected.platform ?? missing('platform');
  if (inspected.platform !== null && platform !== inspected.platform) {
    throw AppError.invalidInput('platform_mismatch', `This file is for ${inspected.platform}, not for ${platform}.`);
  }
  if (inspected.platform === null && (platform === 'ios' || platform === 'android')) {
    const expected = platform === 'ios' ? '.ipa' : '.apk or .aab';
    throw AppError.invalidInput('platform_mismatch', `A build for ${platform} must be an ${expected} file.`);
  }
  return platform;
}

function missing(field: 'version' | 'platform'): never {
  throw AppError.invalidInput(
    `${field}_required`,
    `This kind of file does not contain its ${field}. Send it as "${field}".`,
  );
}
