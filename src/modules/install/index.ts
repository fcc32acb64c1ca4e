export { BuildInstallService, type InstallableBuild } from './build-install.service';
export { InstallFiles } from './install-files';
export { InstallModule } from './install.module';
export { itmsServicesUrl } from './manifest';
export { LinkAddresses } from './page/link-addresses';
export { type PageOrigin, PageOrigins } from './page/page-origins';
export { PageVersions } from './page/page-versions';
