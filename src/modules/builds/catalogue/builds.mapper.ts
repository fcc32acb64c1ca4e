import { maySeeInstallLinks } from '#kernel/access/policy';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import {
  type AndroidSigning,
  type ArtifactDetails,
  type InspectedIpa,
  type IosCode,
} from '#infra/artifact-inspection/inspected-artifact';
import { type DownloadUrl } from '../downloads/download-tickets.service';
import { type DownloadUrlResponse } from '../downloads/downloads.dto';
import { type Registration } from '../registrations/registration';
import { isCertificateVerified, verdictOf } from './android-certificate';
import { type BuildChannel, type ShownBuild } from './build';
import { toCommitResponses } from './commits/commits.dto';
import { freesBytesAt } from './deletion/build-deletion';
import { type LatestBuildQuery, type ListBuildsQuery } from './dto/build.requests';
import { type BuildResponse } from './dto/build.response';
import { type BuildFacetsResponse } from './dto/build-facets.response';
import { type AppResponse, type BuildChannelResponse, type PullRequestResponse } from './dto/build-parts.response';
import { type SigningResponse } from './dto/signing.response';
import { type BuildFilter, type LatestFilter } from './list/build-filter';
import { type BuildFacets } from './list/build-list.repository';

/** A build as the caller may see it. */
export const toBuildResponse = (ctx: RequestContext, build: ShownBuild): BuildResponse => ({
  ...toUploadersBuildResponse(build),
  ...(!maySeeInstallLinks(ctx) && { install_url: null, qr_url: null }),
});

/** A build with its install link. Only for the response to its upload: that caller has the bytes already. */
export const toUploadersBuildResponse = (build: ShownBuild): BuildResponse => ({
  id: build.id,
  organization_id: build.organizationId,
  project_id: build.projectId,
  platform: build.platform,
  version: build.version,
  build_number: build.buildNumber,
  notes: build.notes,
  uploaded_at: build.uploadedAt.toISOString(),
  original_uploaded_at: toTime(build.originalUploadedAt),
  uploaded_by: { ...build.uploadedBy },
  file_name: build.fileName,
  size_bytes: build.sizeBytes,
  sha256: build.sha256,
  install_url: build.installUrl,
  qr_url: build.qrUrl,
  icon_url: build.iconUrl,
  app: toApp(build),
  signing: toSigning(build),
  source: {
    branch: build.source.branch,
    commit: build.source.commit,
    ci_url: build.source.ciUrl,
    pull_request: toPullRequest(build),
    commits: build.changes?.commits ? toCommitResponses(build.changes.commits) : null,
    commits_since: build.changes?.commitsSince ?? null,
  },
  channels: toChannels(build.channels),
  downloads: { total: build.downloads.total, unique_testers: build.downloads.uniqueTesters },
  pinned: build.pinned,
  expires_at: toTime(build.expiresAt),
  deleted_at: toTime(build.deletedAt),
  frees_bytes_at: toTime(build.deletedAt && freesBytesAt(build.deletedAt)),
  installable: build.installable,
  not_installable: build.notInstallable && { ...build.notInstallable },
  warnings: build.warnings.map(({ code, message }) => ({ code, message })),
});

const toTime = (time: Date | null): string | null => time?.toISOString() ?? null;

const toPullRequest = ({ source: { pullRequest }, changes }: ShownBuild): PullRequestResponse | null =>
  pullRequest && { number: pullRequest.number, url: pullRequest.url, title: changes?.pullRequestTitle ?? null };

const toChannels = (channels: readonly BuildChannel[]): BuildChannelResponse[] =>
  channels.map(({ id, name, current }) => ({ id, name, current }));

export const toLatestFilter = (query: LatestBuildQuery): LatestFilter => ({
  platform: query.platform,
  version: query.version,
  branch: query.branch,
  commit: query.commit,
  channelId: query.channel_id,
});

export const toBuildFilter = (query: ListBuildsQuery): BuildFilter => ({
  platform: query.platform,
  version: query.version,
  branch: query.branch,
  commit: query.commit,
  sha256: query.sha256,
  q: query.q,
  uploadedBy: query.uploaded_by,
  from: query.from === undefined ? undefined : new Date(query.from),
  to: query.to === undefined ? undefined : new Date(query.to),
  channelId: query.channel_id,
  warning: query.warning,
  installable: query.installable,
  hasWarnings: query.has_warnings,
  deleted: query.deleted === true || undefined,
});

export const toFacetsResponse = (facets: BuildFacets): BuildFacetsResponse => ({
  platforms: facets.platform.map(({ value, count }) => ({ value: value as Platform, count })),
  versions: facets.version.map(({ value, count }) => ({ value, count })),
  branches: facets.branch.map(({ value, count }) => ({ value, count })),
});

export const toDownloadUrlResponse = ({ url, expiresAt }: DownloadUrl): DownloadUrlResponse => ({
  url,
  expires_at: expiresAt.toISOString(),
});

function toApp({ artifact, details }: ShownBuild): AppResponse {
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
    ...toAppDetails(details),
  };
}

const toAppDetails = (details: ArtifactDetails | null): Pick<AppResponse, 'permissions' | 'usage_descriptions'> => ({
  permissions: details && [...details.permissions],
  usage_descriptions: details && details.usageDescriptions.map(({ key, text }) => ({ key, text })),
});

function toSigning({ artifact, details, registration }: ShownBuild): SigningResponse | null {
  if (artifact.kind === 'ipa') return toIosSigning(artifact, details);
  return artifact.kind === 'other' ? null : toAndroidSigning(artifact.signing, registration);
}

const toIosSigning = ({ signing, code }: InspectedIpa, details: ArtifactDetails | null): SigningResponse => ({
  ...toCode(code),
  platform: 'ios',
  kind: signing.distribution,
  profile_name: signing.profileName,
  team_id: signing.teamId,
  team_name: signing.teamName,
  expires_at: signing.expiresAt?.toISOString() ?? null,
  device_count: signing.deviceCount,
  entitlements: details && details.entitlements.map(({ key, values }) => ({ key, values: [...values] })),
  devices: details?.devices ? [...details.devices] : null,
  schemes: null,
  verified: null,
  verified_schemes: null,
  problem: null,
  registration: null,
});

type CodeOfResponse = Pick<
  SigningResponse,
  'checks' | 'certificate_sha256' | 'certificate_subject' | 'certificate_verified'
>;

const toCode = (code: IosCode | undefined): CodeOfResponse => ({
  checks: code ? [...code.checks] : null,
  certificate_sha256: code?.certificate?.sha256 ?? null,
  certificate_subject: code?.certificate?.subject ?? null,
  certificate_verified: code?.certificate ? true : null,
});

const toAndroidSigning = (signing: AndroidSigning, registration: Registration | null): SigningResponse => ({
  platform: 'android',
  kind: null,
  profile_name: null,
  team_id: null,
  team_name: null,
  expires_at: null,
  device_count: null,
  entitlements: null,
  devices: null,
  checks: null,
  schemes: [...signing.schemes],
  certificate_sha256: signing.certificateSha256,
  certificate_subject: signing.certificateSubject,
  certificate_verified: signing.certificateSha256 === null ? null : isCertificateVerified(signing),
  verified: verdictOf(signing),
  verified_schemes: signing.verification ? [...signing.verification.verifiedSchemes] : null,
  problem: signing.verification?.problem ? { ...signing.verification.problem } : null,
  registration: registration && { ...registration },
});
