import { digestOf } from '#kernel/access/token-format';
import { type Platform } from '#kernel/builds/platform';
import { type Identity } from '#kernel/context/identity';
import { type ProjectScope } from '#kernel/context/scope';
import { type ArtifactRecord } from '#modules/builds';

/** The build that an update key opens. */
export interface CurrentBuild {
  readonly id: string;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Base64. Null for the packages of phones, and for builds of earlier releases. */
  readonly sha512: string | null;
  readonly fileName: string;
  readonly artifact: ArtifactRecord;
  /** The notes of the promotion, else those of the build. */
  readonly notes: string | null;
  /** Whether installed apps must install it. Never for the key of a whole project. */
  readonly mandatory: boolean;
  /** The number of the release in its channel. Null for the key of a whole project. */
  readonly sequence: number | null;
  /** When the build was promoted or, for the key of a whole project, uploaded. */
  readonly since: Date;
  /** The developer's signature of the file, null when none is stored. */
  readonly updateSignature: string | null;
}

/** A valid update key and the build that it opens now. */
export interface OpenedKey extends ProjectScope {
  readonly id: string;
  readonly token: string;
  readonly channelId: string | null;
  readonly platform: Platform;
  /** The lowest supported version, on Android the version code. Null: every version is supported. */
  readonly minSupported: string | null;
  /** Whether the installation that opened the key was counted for the build. */
  readonly isCounted: boolean;
  /** Null while nothing is promoted or, for the key of a whole project, uploaded. */
  readonly build: CurrentBuild | null;
}

/** The identity with which a key downloads its build. */
export const identityOfKey = ({ id, token, channelId }: OpenedKey): Identity => ({
  kind: 'update-key',
  updateKeyId: id,
  digest: digestOf(token),
  channelId,
});

/** An update key with a build. */
export interface OpenedBuild extends OpenedKey {
  readonly build: CurrentBuild;
}

/** The SDKs of App Center read numbers as 32 bits. */
export const MAX_INT = 2 ** 31 - 1;

/** The number by which the SDKs of App Center know a build, and report it. */
export const releaseNumberOf = ({ build }: OpenedBuild): number =>
  // Builds of a key without a channel have no number. The second of the upload also grows from build to build, and fits into 32 bits until
  // 2038.
  build.sequence ?? Math.min(Math.floor(build.since.getTime() / 1000), MAX_INT);
