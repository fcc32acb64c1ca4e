export { BUILDS_FILES, BuildsErasure, EXPORTED_ARTIFACTS } from './builds.account-data';
export { HOSTED_ARTIFACTS } from './orphans/known-blobs.repository';
export {
  type ArtifactFile,
  type ArtifactRecord,
  type Build,
  type BuildChannel,
  type BuildWarning,
  type BuildWithDetails,
  type BuildWithUrl,
  type ListedBuild,
  type NewArtifact,
  type NewBuild,
  type ShownBuild,
  type StoredDetails,
} from './catalogue/build';
export { type BuildDraft, requireAnnouncedHash, requireMetadata } from './catalogue/build-draft';
export { type BuildDiff } from './catalogue/diff/build-diff';
export { BuildDevicesService } from './devices/build-devices.service';
export { buildDeviceContext } from './devices/build-devices.repository';
export { BuildDiffService } from './catalogue/diff/build-diff.service';
export { BuildRelocationService, type RelocationReport } from './relocation/build-relocation.service';
export { BuildsModule } from './builds.module';
export { toUploadersBuildResponse } from './catalogue/builds.mapper';
export { type BuildFilter, buildsList } from './catalogue/list/build-filter';
export { BuildListService } from './catalogue/list/build-list.service';
export { type OldDevices, oldDevicesThatReject } from './catalogue/warnings/signature-warnings';
export { signingExpiresAt } from './catalogue/warnings/signing-expiry';
export { BuildViews } from './catalogue/build-views';
export { artifactFromJson, listedBuildFromRow, type ListedRow, UNLISTED } from './catalogue/build-from-row';
export { artifactValidity, installability, type Validity } from './catalogue/warnings/artifact-warnings';
export { compareVersions } from './catalogue/warnings/compare-versions';
export { BuildIconsService } from './icons/build-icons.service';
export { BuildIconsRepository, type Icon } from './icons/build-icons.repository';
export { BuildInstallationsRepository } from './installations/build-installations.repository';
export { BuildsService } from './catalogue/builds.service';
export { BuildResponse } from './catalogue/dto/build.response';
export { type TesterDownload } from './downloads/log/build-download';
export { toTesterDownloadResponse, TesterDownloadPage } from './downloads/log/download-log.dto';
export { DownloadLogService } from './downloads/log/download-log.service';
export { DownloadTicketsService } from './downloads/download-tickets.service';
export { DownloadsService, type OpenDownload } from './downloads/downloads.service';
export { OrphanReport, type OrphanReportOptions, type Orphans } from './orphans/orphan-report';
