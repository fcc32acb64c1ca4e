import { itmsServicesUrl } from '../manifest';

/** The address of a page. Absolute where it leaves the browser (camera, clipboard); paths stay on its host. */
export interface PageLinks {
  /** The page itself, absolute. */
  readonly page: string;
  /** The page itself, as a path. */
  readonly pagePath: string;
  readonly qrCode: string;
  /** Whether iOS would fetch a manifest from here: https, or plain http on this machine (development). */
  readonly acceptedByIos: boolean;
  /** Whether no other device can reach the address. */
  readonly localOnly: boolean;
}

/** The addresses of what a build is installed by. */
export interface BuildLinks {
  readonly itmsServices: string;
  /** Ends in the artifact's extension: phones go by it. */
  readonly package: string;
  readonly icon: string;
}

export type InstallLinks = PageLinks & BuildLinks;

/** What a build's addresses depend on. */
export interface LinkedFile {
  readonly fileExtension: string;
  /** Null behind the link of the build itself. */
  readonly buildId: string | null;
}

const LOCAL_HOSTS = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The addresses behind one invite token. Built from configuration alone, so that a forged `Host` header reaches no page,
 * manifest or QR code.
 */
export class LinkAddresses {
  private readonly base: URL;
  private readonly root: string;

  constructor(installBaseUrl: string, inviteToken: string) {
    this.base = new URL(installBaseUrl);
    this.root = `${this.base.pathname.replace(/\/+$/, '')}/install/${encodeURIComponent(inviteToken)}`;
  }

  /** Of the page of the link, or of the page that one of its builds has there. */
  ofPage(buildId: string | null = null): PageLinks {
    const pagePath = this.pathOf(buildId);
    const localOnly = LOCAL_HOSTS.test(this.base.hostname);
    return {
      page: `${this.base.origin}${pagePath}`,
      pagePath,
      qrCode: `${pagePath}/qr.svg`,
      acceptedByIos: this.base.protocol === 'https:' || localOnly,
      localOnly,
    };
  }

  ofBuild({ fileExtension, buildId }: LinkedFile): BuildLinks {
    const path = this.pathOf(buildId);
    return {
      itmsServices: itmsServicesUrl(`${this.base.origin}${path}/manifest.plist`),
      package: `${path}/package.${encodeURIComponent(fileExtension)}`,
      icon: `${path}/icon.png`,
    };
  }

  /** Where the form of a state change posts to. */
  ofAction(action: 'subscribe' | 'unsubscribe' | 'decline'): string {
    return `${this.root}/${action}`;
  }

  private pathOf(buildId: string | null): string {
    return buildId === null ? this.root : `${this.root}/builds/${encodeURIComponent(buildId)}`;
  }
}
