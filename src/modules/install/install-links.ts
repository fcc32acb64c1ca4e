import { itmsServicesUrl } from './manifest';

/** Every address of one invite token. Absolute ones leave the browser (installer, camera); paths stay on its host. */
export interface InstallLinks {
  /** The page itself, absolute. */
  readonly page: string;
  /** The page itself, as a path. */
  readonly pagePath: string;
  readonly itmsServices: string;
  /** Ends in the artifact's extension: phones go by it. */
  readonly package: string;
  readonly icon: string;
  readonly qrCode: string;
  /** Whether iOS would fetch a manifest from here: https, or plain http on this machine (development). */
  readonly acceptedByIos: boolean;
  /** Whether no other device can reach the address. */
  readonly localOnly: boolean;
}

const LOCAL_HOSTS = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Built from configuration alone, so that a forged `Host` header reaches no page, manifest or QR code. */
export function installLinks(installBaseUrl: string, inviteToken: string, fileExtension: string): InstallLinks {
  const base = new URL(installBaseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const pagePath = `${prefix}/install/${encodeURIComponent(inviteToken)}`;
  const localOnly = LOCAL_HOSTS.test(base.hostname);
  return {
    page: `${base.origin}${pagePath}`,
    pagePath,
    itmsServices: itmsServicesUrl(`${base.origin}${pagePath}/manifest.plist`),
    package: `${pagePath}/package.${encodeURIComponent(fileExtension)}`,
    icon: `${pagePath}/icon.png`,
    qrCode: `${pagePath}/qr.svg`,
    acceptedByIos: base.protocol === 'https:' || localOnly,
    localOnly,
  };
}
