import { type LinkedBuild } from './build';
import { type AppResponse } from './dto/build-parts.response';
import { type BuildResponse, type DownloadUrlResponse } from './dto/build.response';
import { type SigningResponse } from './dto/signing.response';
import { type DownloadUrl } from './downloads.service';
import { type InspectedArtifact } from './inspection';

export const toBuildResponse = (build: LinkedBuild): BuildResponse => ({
  id: build.id,
  organization_id: build.organizationId,
  project_id: build.projectId,
  platform: build.platform,
  version: build.version,
  build_number: build.buildNumber,
  notes: build.notes,
  uploaded_at: build.uploadedAt.toISOString(),
  uploaded_by: { ...build.uploadedBy },
  file_name: build.fileName,
  size_bytes: build.sizeBytes,
  sha256: build.sha256,
  install_url: build.installUrl,
  icon_url: build.iconMediaType ? `${build.installUrl}/icon.png` : null,
  app: toApp(build.artifact),
  signing: toSigning(build.artifact),
  source: { branch: build.source.branch, commit: build.source.commit, ci_url: build.source.ciUrl },
  installable: build.installable,
  warnings: build.warnings.map(({ code, message }) => ({ code, message })),
});

export const toDownloadUrlResponse = ({ url, expiresAt }: DownloadUrl): DownloadUrlResponse => ({
  url,
  expires_at: expiresAt.toISOString(),
});

function toApp(artifact: InspectedArtifact): AppResponse {
  const android = artifact.kind === 'apk' || artifact.kind === 'aab' ? artifact : null;
  return {
    name: artifact.name,
    bundle_id: artifact.bundleId,
    min_os_version: artifact.minOsVersion,
    device_families: artifact.kind === 'ipa' ? [...artifact.deviceFamilies] : [],
    abis: [...(android?.abis ?? [])],
    min_sdk: android?.minSdk ?? null,
    target_sdk: android?.targetSdk ?? null,
    debuggable: android?.debuggable ?? false,
  };
}

function toSigning({ signing }: InspectedArtifact): SigningResponse | null {
  if (!signing) return null;
  const ios = signing.platform === 'ios' ? signing : null;
  const android = signing.platform === 'android' ? signing : null;
  return {
    platform: signing.platform,
    kind: ios?.distribution ?? null,
    profile_name: ios?.profileName ?? null,
    team_id: ios?.teamId ?? null,
    team_name: ios?.teamName ?? null,
    expires_at: ios?.expiresAt?.toISOString() ?? null,
    device_count: ios?.deviceCount ?? null,
    schemes: android ? [...android.schemes] : null,
    certificate_sha256: android?.certificateSha256 ?? null,
    certificate_subject: android?.certificateSubject ?? null,
  };
}
