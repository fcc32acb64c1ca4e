import { type InspectedArtifact } from '#infra/artifact-inspection/inspected-artifact';
import {
  type ArtifactFile,
  type ArtifactRecord,
  type Build,
  type BuildSource,
  type BuildWarning,
  type ListedBuild,
} from './build';
import { type BuildEntity } from './build.entity';
import { findingsOf } from './warnings/artifact-warnings';
import { registrationFindings } from './warnings/registration-warnings';

/** The columns that a list does not show, or reads as text. */
export const UNLISTED = ['sha256', 'sha512', 'storageAccount', 'blobKey'] as const;

/** A row as lists read it. */
export type ListedRow = Omit<BuildEntity, (typeof UNLISTED)[number]>;

/** A build as it is at a moment: its provisioning profile may have expired since the upload. */
export function buildFromRow(row: BuildEntity, now: Date): Build {
  const { sha256, blob } = fileFromRow(row);
  return { ...listedBuildFromRow(row, sha256, now), blob };
}

/**
 * `buildFromRow` for lists, which make thousands of builds. Every field is written out, because a spread (`...`) in the middle of an object
 * is slow: V8 copies its fields one by one.
 * @param sha256 lower-case hexadecimal.
 */
export function listedBuildFromRow(row: ListedRow, sha256: string, now: Date): ListedBuild {
  const { artifact, installable, notInstallable, warnings } = checkedFromRow(row, now);
  return {
    id: row.id,
    organizationId: row.organizationId,
    projectId: row.projectId,
    platform: row.platform,
    version: row.version,
    buildNumber: row.buildNumber,
    notes: row.notes,
    uploadedAt: row.uploadedAt,
    originalUploadedAt: row.originalUploadedAt,
    uploadedBy: { kind: row.uploadedByKind, id: row.uploadedById },
    fileName: row.fileName,
    sizeBytes: Number(row.sizeBytes),
    sha256,
    artifact,
    iconMediaType: row.iconMediaType,
    registration: row.androidRegistration,
    source: sourceFromRow(row),
    downloads: { total: row.downloadsTotal, uniqueTesters: row.downloadsUniqueTesters },
    pinned: row.pinned,
    expiresAt: row.expiresAt,
    deletedAt: row.deletedAt,
    installable,
    notInstallable,
    warnings,
  };
}

/** The columns from which the warnings of a build are computed. */
export type CheckedRow = Pick<BuildEntity, 'artifact' | 'androidRegistration' | 'uploadWarnings'>;

/** The metadata of a build, and what is wrong with it at a moment. */
export function checkedFromRow(
  { artifact: stored, androidRegistration, uploadWarnings }: CheckedRow,
  now: Date,
): Pick<Build, 'artifact' | 'installable' | 'notInstallable' | 'warnings'> {
  const artifact = artifactFromJson(stored);
  const findings = [...findingsOf(artifact, now), ...registrationFindings(androidRegistration)];
  const blocking = findings.find(({ blocks }) => blocks);
  return {
    artifact,
    installable: !blocking,
    notInstallable: blocking ? toWarning(blocking) : null,
    warnings: [...findings.map(toWarning), ...uploadWarnings],
  };
}

const toWarning = ({ code, message }: BuildWarning): BuildWarning => ({ code, message });

const sourceFromRow = ({
  branch,
  commit,
  ciUrl,
  pullRequestNumber: number,
  pullRequestUrl: url,
}: ListedRow): BuildSource => ({
  branch,
  commit,
  ciUrl,
  pullRequest: number === null && url === null ? null : { number, url },
});

export const fileFromRow = (
  row: Pick<BuildEntity, 'fileName' | 'sizeBytes' | 'sha256' | 'storageAccount' | 'blobKey'>,
): ArtifactFile => ({
  fileName: row.fileName,
  sizeBytes: Number(row.sizeBytes),
  sha256: row.sha256.toString('hex'),
  blob: { account: row.storageAccount, key: row.blobKey },
});

/** The metadata for the column `artifact`: without the icon and the details, which have tables of their own, and with times as text. */
export function artifactToJson({ icon: _icon, details: _details, ...artifact }: InspectedArtifact): ArtifactRecord {
  return JSON.parse(JSON.stringify(artifact)) as ArtifactRecord;
}

/**
 * The metadata of the column `artifact`: without the icon and the details. Changes and returns the stored object itself, because V8 takes
 * as long to copy it as to parse the column.
 */
export function artifactFromJson(stored: ArtifactRecord): InspectedArtifact {
  const artifact = Object.assign(stored, { icon: null, details: null }) as unknown as InspectedArtifact;
  if (artifact.kind !== 'ipa') return artifact;
  const { signing } = artifact;
  Object.assign(signing, {
    expiresAt: toDate(signing.expiresAt),
    certificateExpiresAt: toDate(signing.certificateExpiresAt),
  });
  return artifact;
}

const toDate = (value: Date | string | null): Date | null => (value === null ? null : new Date(value));
