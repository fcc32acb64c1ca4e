import { type InspectedArtifact } from '#infra/artifact-inspection/inspected-artifact';
import { type ArtifactRecord } from './build';

/** For the database: without the icon, which has a row of its own; times become text. */
export function artifactToJson({ icon: _icon, ...artifact }: InspectedArtifact): ArtifactRecord {
  return JSON.parse(JSON.stringify(artifact)) as ArtifactRecord;
}

/** Back from the database. */
export function restoreArtifact(stored: ArtifactRecord): InspectedArtifact {
  const artifact = { ...stored, icon: null } as unknown as InspectedArtifact;
  if (artifact.kind !== 'ipa') return artifact;
  const { signing } = artifact;
  return {
    ...artifact,
    signing: {
      ...signing,
      expiresAt: toDate(signing.expiresAt),
      certificateExpiresAt: toDate(signing.certificateExpiresAt),
    },
  };
}

const toDate = (value: Date | string | null): Date | null => (value === null ? null : new Date(value));
