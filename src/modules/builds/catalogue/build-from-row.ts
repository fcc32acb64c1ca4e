import { type ArtifactFile, type Build, type BuildWarning } from './build';
import { type BuildEntity } from './build.entity';
import { installability, warningsOf } from './warnings/artifact-warnings';
import { restoreArtifact } from './stored-artifact';

/** A build as it is at a moment: profiles expire while builds lie. */
export function buildFromRow(entity: BuildEntity, now: Date): Build {
  const artifact = restoreArtifact(entity.artifact);
  const timely: readonly BuildWarning[] = warningsOf(artifact, now);
  const { installable, reason } = installability(artifact, now);
  return {
    id: entity.id,
    organizationId: entity.organizationId,
    projectId: entity.projectId,
    platform: entity.platform,
    version: entity.version,
    buildNumber: entity.buildNumber,
    notes: entity.notes,
    uploadedAt: entity.uploadedAt,
    uploadedBy: { kind: entity.uploadedByKind, id: entity.uploadedById },
    ...restoreFile(entity),
    artifact,
    iconMediaType: entity.iconMediaType,
    source: { branch: entity.branch, commit: entity.commit, ciUrl: entity.ciUrl },
    downloads: { total: entity.downloadsTotal, uniqueTesters: entity.downloadsUniqueTesters },
    installable,
    notInstallable: timely.find(({ code }) => code === reason) ?? null,
    warnings: [...timely, ...entity.uploadWarnings],
  };
}

export const restoreFile = (
  row: Pick<BuildEntity, 'fileName' | 'sizeBytes' | 'sha256' | 'storageAccount' | 'blobKey'>,
): ArtifactFile => ({
  fileName: row.fileName,
  sizeBytes: Number(row.sizeBytes),
  sha256: row.sha256.toString('hex'),
  blob: { account: row.storageAccount, key: row.blobKey },
});
