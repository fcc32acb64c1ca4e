export { BUILDS_FILES, BuildsErasure } from './builds.account-data';
export { copyHostedArtifacts, countArtifacts, readArtifacts, readIcons } from './stored-artifacts';
export {
  type Architecture,
  architectureInName,
  type Attachment,
  type AttachmentDraft,
  type AttachmentKind,
  type NewAttachment,
} from './attachments/attachment';
export {
  ArchitectureField,
  AttachmentForm,
  AttachmentKindField,
  AttachmentResponse,
  CreateAttachmentRequest,
  SignatureField,
  toAttachmentDraft,
  toAttachmentResponse,
} from './attachments/attachments.dto';
export { AttachmentsService } from './attachments/attachments.service';
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
export { type BuildChanges, MAX_COMMITS, SHA_PATTERN, SUBJECT_LENGTH } from './catalogue/commits/build-commits';
export { CommitRequest, toCommits } from './catalogue/commits/commits.dto';
export { type BuildDiff } from './catalogue/diff/build-diff';
export { BuildRelocationService } from './relocation/build-relocation.service';
export { ProfileDevicesService } from './devices/profile-devices.service';
export { BuildsModule } from './builds.module';
export { toBuildResponse, toUploadersBuildResponse } from './catalogue/builds.mapper';
export { type BuildFilter, buildsList } from './catalogue/list/build-filter';
export { BuildListService } from './catalogue/list/build-list.service';
export { type OldDevices, oldDevicesThatReject } from './catalogue/warnings/signature-warnings';
export { type EndingBuild, EndingBuilds, MAX_OF_LINKS } from './signing/ending-builds';
export { SIGNING_ENDS_AT } from './signing/signing-calendar.repository';
export { BuildViews } from './catalogue/views/build-views';
export { type BundleIdRule, BundleIds } from './catalogue/views/bundle-ids';
export { type LinkedBuild, LinkedBuilds } from './catalogue/views/linked-builds';
export { type BuildEntity, BUILDS_OF_PROJECT } from './catalogue/build.entity';
export {
  artifactFromJson,
  buildFromRow,
  listedBuildFromRow,
  type ListedRow,
  UNLISTED,
} from './catalogue/build-from-row';
export { artifactValidity, installability, type Validity } from './catalogue/warnings/artifact-warnings';
export { compareVersions } from './catalogue/warnings/compare-versions';
export { BuildIconsService } from './icons/build-icons.service';
export { type Icon } from './icons/build-icons.repository';
export { BuildInstallationsService } from './installations/build-installations.service';
export { BuildsService } from './catalogue/builds.service';
export { BuildResponse } from './catalogue/dto/build.response';
export { type TesterDownload } from './downloads/log/build-download';
export { toTesterDownloadResponse, TesterDownloadPage } from './downloads/log/download-log.dto';
export { DownloadViews } from './downloads/log/download-views';
export { DownloadLogService } from './downloads/log/download-log.service';
export { DownloadTicketsService } from './downloads/download-tickets.service';
export { DownloadsService, type OpenDownload } from './downloads/downloads.service';
export { type BlobCounts, type ExpectedBlob, KnownBlobs } from './orphans/known-blobs';
export { OrphanReport, type OrphanReportOptions, type Orphans } from './orphans/orphan-report';
export { isLive, isLiveIn, isTrashed, LIVE } from './catalogue/live-builds';
export { TRASH_DAYS } from './catalogue/deletion/build-deletion';
export { BuildDeletionService } from './catalogue/deletion/build-deletion.service';
export {
  type DeletableBuild,
  DeletableBuilds,
  type DeletionFilter,
  type DeletionRange,
  type DeletionSums,
  type FirstBuilds,
  type Selection,
} from './catalogue/deletion/deletable-builds';
export { type RestoredBuild, TrashService } from './catalogue/deletion/trash.service';
export { DOWNLOADED_DAYS, type RetentionGroup, type RetentionRule, YOUNG_HOURS } from './retention/retention';
