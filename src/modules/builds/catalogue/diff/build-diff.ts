import { type AppCapabilities } from '#infra/artifact-inspection/inspected-artifact';
import { type Build, type BuildWarning, type StoredDetails } from '../build';
import { type CommitsBetween } from '../commits/commits-between';
import { type ContentsDiff, contentsDiff } from './contents-diff';

/** A build with the long facts of its artifact, null when they were not kept. */
export interface ComparedBuild {
  readonly build: Build;
  readonly details: StoredDetails | null;
}

export interface Change<T> {
  /** The value of the build that is compared against. */
  readonly from: T | null;
  readonly to: T | null;
}

export interface ListChange<T> {
  readonly added: readonly T[];
  readonly removed: readonly T[];
}

/** The differences between two builds. A field is null when both builds have the same value. */
export interface BuildDiff {
  readonly platform: Change<string> | null;
  readonly name: Change<string> | null;
  readonly bundleId: Change<string> | null;
  readonly version: Change<string> | null;
  readonly buildNumber: Change<string> | null;
  readonly sizeBytes: Change<number> | null;
  readonly minOsVersion: Change<string> | null;
  readonly minSdk: Change<number> | null;
  readonly targetSdk: Change<number> | null;
  readonly signingKind: Change<string> | null;
  readonly profileName: Change<string> | null;
  readonly teamId: Change<string> | null;
  readonly certificateSha256: Change<string> | null;
  /** Null when they are unknown for one of the builds, too. */
  readonly permissions: ListChange<string> | null;
  /** Keys whose values differ are in both lists. Null when they are unknown for one of the builds, too. */
  readonly entitlements: ListChange<string> | null;
  readonly warnings: ListChange<BuildWarning> | null;
  /** The ABIs of the native code. */
  readonly abis: ListChange<string> | null;
  /** Of the device. Null when they are unknown for one of the builds, too. */
  readonly features: ListChange<string> | null;
  /** Null when they are unknown for one of the builds, too. */
  readonly urlSchemes: ListChange<string> | null;
  /** Null when they are unknown for one of the builds, too. */
  readonly frameworks: ListChange<string> | null;
  /** Null when they are unknown for one of the builds, too. */
  readonly contents: ContentsDiff | null;
  /** Null when the builds are not of one branch and platform, and when no upload from one to the other named commits. */
  readonly commits: CommitsBetween | null;
}

/** Compares a build with another one, usually an earlier one. */
export function diffOf(before: ComparedBuild, after: ComparedBuild): Omit<BuildDiff, 'commits'> {
  const change = <T>(read: (build: Build) => T | null): Change<T> | null => {
    const [from, to] = [read(before.build), read(after.build)];
    return from === to ? null : { from, to };
  };
  const known = before.details && after.details ? { before: before.details, after: after.details } : null;
  const keysOf = ({ entitlements }: StoredDetails) => entitlements;
  return {
    platform: change(({ platform }) => platform),
    name: change(({ artifact }) => artifact.name),
    bundleId: change(({ artifact }) => artifact.bundleId),
    version: change(({ version }) => version),
    buildNumber: change(({ buildNumber }) => buildNumber),
    sizeBytes: change(({ sizeBytes }) => sizeBytes),
    minOsVersion: change(({ artifact }) => artifact.minOsVersion),
    minSdk: change((build) => sdksOf(build).minSdk),
    targetSdk: change((build) => sdksOf(build).targetSdk),
    ...signingChanges(change),
    permissions: known && listChange(known.before.permissions, known.after.permissions, (name) => name),
    entitlements: known && listChange(keysOf(known.before), keysOf(known.after), JSON.stringify, ({ key }) => key),
    warnings: listChange(before.build.warnings, after.build.warnings, ({ code }) => code),
    abis: listChange(abisOf(before.build), abisOf(after.build), (abi) => abi),
    ...capabilityChanges(known),
    contents: contentsChange(known),
  };
}

const abisOf = ({ artifact }: Build): readonly string[] =>
  artifact.kind === 'apk' || artifact.kind === 'aab' ? artifact.abis : [];

/** The long facts of both builds, null when one has none. */
type KnownDetails = { readonly before: StoredDetails; readonly after: StoredDetails } | null;

function capabilityChanges(known: KnownDetails): Pick<BuildDiff, 'features' | 'urlSchemes' | 'frameworks'> {
  const [from, to] = [known?.before.capabilities, known?.after.capabilities];
  const changeOf = (fact: keyof AppCapabilities): ListChange<string> | null =>
    from && to ? listChange(from[fact], to[fact], (name) => name) : null;
  return {
    features: changeOf('features'),
    urlSchemes: changeOf('urlSchemes'),
    frameworks: changeOf('frameworks'),
  };
}

function contentsChange(known: KnownDetails): ContentsDiff | null {
  const [from, to] = [known?.before.contents, known?.after.contents];
  return from && to ? contentsDiff(from, to) : null;
}

const sdksOf = ({ artifact }: Build): { readonly minSdk: number | null; readonly targetSdk: number | null } =>
  artifact.kind === 'apk' || artifact.kind === 'aab' ? artifact : { minSdk: null, targetSdk: null };

function signingChanges(
  change: (read: (build: Build) => string | null) => Change<string> | null,
): Pick<BuildDiff, 'signingKind' | 'profileName' | 'teamId' | 'certificateSha256'> {
  const ios = ({ artifact: { signing } }: Build) => (signing?.platform === 'ios' ? signing : null);
  return {
    signingKind: change((build) => ios(build)?.distribution ?? null),
    profileName: change((build) => ios(build)?.profileName ?? null),
    teamId: change((build) => ios(build)?.teamId ?? null),
    certificateSha256: change(({ artifact: { signing } }) =>
      signing?.platform === 'android' ? signing.certificateSha256 : null,
    ),
  };
}

/** Null when both lists have the same items. */
function listChange<T>(before: readonly T[], after: readonly T[], identify: (item: T) => string): ListChange<T> | null;
function listChange<T, R>(
  before: readonly T[],
  after: readonly T[],
  identify: (item: T) => string,
  show: (item: T) => R,
): ListChange<R> | null;
function listChange<T>(
  before: readonly T[],
  after: readonly T[],
  identify: (item: T) => string,
  show: (item: T) => unknown = (item) => item,
): ListChange<unknown> | null {
  const missingIn = (others: readonly T[]) => {
    const known = new Set(others.map(identify));
    return (item: T): boolean => !known.has(identify(item));
  };
  const added = after.filter(missingIn(before)).map(show);
  const removed = before.filter(missingIn(after)).map(show);
  return added.length + removed.length === 0 ? null : { added, removed };
}
