import { maySeeInstallLinks } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';
import { type BuildWithUrl } from '#modules/builds';
import { type LabelledRelease } from './release';
import { type ReleaseBuildResponse, type ReleaseResponse } from './releases.dto';

export const toReleaseResponse = (ctx: RequestContext, release: LabelledRelease): ReleaseResponse => ({
  id: release.id,
  organization_id: release.organizationId,
  project_id: release.projectId,
  channel_id: release.channelId,
  build_id: release.buildId,
  platform: release.platform,
  sequence: release.sequence,
  current: release.current,
  notes: release.notes,
  notify: release.notify,
  mandatory: release.mandatory,
  promoted_at: release.promotedAt.toISOString(),
  promoted_by: { ...release.promotedBy },
  mails: release.mails && { ...release.mails },
  build: toReleaseBuild(ctx, release.build),
});

const toReleaseBuild = (ctx: RequestContext, build: BuildWithUrl): ReleaseBuildResponse => ({
  id: build.id,
  platform: build.platform,
  version: build.version,
  build_number: build.buildNumber,
  app_name: build.artifact.name,
  bundle_id: build.artifact.bundleId,
  min_os_version: build.artifact.minOsVersion,
  min_sdk: 'minSdk' in build.artifact ? build.artifact.minSdk : null,
  notes: build.notes,
  file_name: build.fileName,
  size_bytes: build.sizeBytes,
  sha256: build.sha256,
  uploaded_at: build.uploadedAt.toISOString(),
  installable: build.installable,
  install_url: maySeeInstallLinks(ctx) ? build.installUrl : null,
  icon_url: build.iconUrl,
});
