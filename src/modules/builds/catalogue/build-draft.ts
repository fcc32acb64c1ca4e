import { type Platform } from '#kernel/builds/platform';
import { AppError } from '#kernel/errors/app-error';
import { type InspectedArtifact } from '#infra/artifact-inspection/inspected-artifact';
import { isParsed } from '#infra/artifact-inspection/reader/artifact-reader';

/** What the uploader says about a build; what is left out, the artifact says. */
export interface BuildDraft {
  readonly version?: string | undefined;
  readonly buildNumber?: string | undefined;
  readonly platform?: Platform | undefined;
  readonly notes?: string | undefined;
  /** Hexadecimal: what the uploader believes to have sent. */
  readonly sha256?: string | undefined;
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
  readonly ciUrl?: string | undefined;
  /** Promotes it at once. */
  readonly channelId?: string | undefined;
}

/**
 * Says before a file is sent what could only be refused after: some kinds of files tell nothing about themselves.
 * @throws AppError invalid_input when the draft leaves out what they do not tell.
 */
export function assertTellsEnough(fileName: string, draft: BuildDraft): void {
  if (isParsed(fileName)) return;
  if (draft.version === undefined) missing('version');
  if (draft.platform === undefined) missing('platform');
}

/** What a build is called and where it came from. */
export interface BuildDescription {
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly notes: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly ciUrl: string | null;
}

/** @throws AppError invalid_input when it is not the hash that was announced, if one was. */
export function assertHash(sha256: string, draft: BuildDraft): void {
  if (draft.sha256 === undefined || draft.sha256.toLowerCase() === sha256) return;
  throw AppError.invalidInput('sha256_mismatch', 'The file that arrived is not the one that was announced.', {
    sha256,
  });
}

/**
 * Puts together what the uploader and the artifact say (contract §7).
 * @throws AppError invalid_input where they contradict each other, or where neither says what is needed.
 */
export function describeBuild(
  stored: { readonly sha256: string; readonly inspected: InspectedArtifact },
  draft: BuildDraft,
): BuildDescription {
  const { inspected, sha256 } = stored;
  assertHash(sha256, draft);
  return {
    platform: platformOf(inspected, draft),
    version: draft.version ?? inspected.version ?? inspected.buildNumber ?? missing('version'),
    buildNumber: draft.buildNumber ?? inspected.buildNumber,
    notes: draft.notes ?? null,
    branch: draft.branch ?? null,
    commit: draft.commit ?? null,
    ciUrl: draft.ciUrl ?? null,
  };
}

function platformOf(inspected: InspectedArtifact, draft: BuildDraft): Platform {
  const platform = draft.platform ?? inspected.platform ?? missing('platform');
  if (inspected.platform !== null && platform !== inspected.platform) {
    throw AppError.invalidInput('platform_mismatch', `This file is for ${inspected.platform}, not for ${platform}.`);
  }
  if (inspected.platform === null && (platform === 'ios' || platform === 'android')) {
    const wanted = platform === 'ios' ? '.ipa' : '.apk or .aab';
    throw AppError.invalidInput('platform_mismatch', `A build for ${platform} must be an ${wanted} file.`);
  }
  return platform;
}

function missing(field: 'version' | 'platform'): never {
  throw AppError.invalidInput(
    `${field}_required`,
    `This kind of file does not tell its ${field}: send it as "${field}".`,
  );
}
