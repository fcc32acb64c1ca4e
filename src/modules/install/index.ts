export { BuildInstallService, type InstallableBuild } from './build-install.service';
export { InstallModule } from './install.module';
export { itmsServicesUrl, MANIFEST_CONTENT_TYPE } from './manifest';
export { IMAGE_CONTENT_SECURITY_POLICY, sendIcon } from './page/icon-response';
export { LinkAddresses } from './page/link-addresses';
export { QR_CONTENT_TYPE, qrCodeSvg } from './page/qr-code';
