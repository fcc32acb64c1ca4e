export { type Build, type BuildWarning, type LinkedBuild } from './build';
export { BuildsModule } from './builds.module';
export { type Icon } from './builds.repository';
export { BuildsService } from './builds.service';
export { DownloadsService, type DownloadUrl, type OpenDownload } from './downloads.service';
