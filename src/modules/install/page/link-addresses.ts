import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { isUuid } from '#kernel/ids';
import { type AppRequest } from '#infra/http/request/app-request';
import { itmsServicesUrl } from '../manifest';

/** The install link and the build that a request's path names. */
export interface LinkPath {
  /** The token of the link; for a link with rules followed by `/g/` and the grant of the visitor. */
  readonly token: string;
  /** `null` when the path names no build: then the link's own build or page is meant. */
  readonly buildId: string | null;
}

/** Injects the `LinkPath` of the request. @throws AppError not_found for a malformed build id. */
export const Link = createParamDecorator((_: unknown, execution: ExecutionContext): LinkPath => {
  const request = execution.switchToHttp().getRequest<AppRequest>();
  const { build_id: buildId } = request.params as Partial<Record<string, string>>;
  if (buildId !== undefined && !isUuid(buildId)) throw new AppError('not_found');
  return { token: linkTokenOf(request), buildId: buildId?.toLowerCase() ?? null };
});

const GRANT = '/g/';

/**
 * The token in the path of a request, with the grant if there is one. An encoded slash stays encoded, so that the token is unknown: a grant
 * behind it would have passed the middleware that keeps responses out of caches.
 */
export function linkTokenOf({ params, linkGrant }: AppRequest): string {
  const { invite_token: token = '' } = params as Partial<Record<string, string>>;
  const known = token.replaceAll('/', '%2F');
  return linkGrant === undefined ? known : withGrant(known, linkGrant);
}

/** @param token without a grant. */
export const withGrant = (token: string, grant: string): string => `${token}${GRANT}${grant}`;

/** The inverse of `withGrant`. */
export function splitGrant(text: string): { readonly token: string; readonly grant: string | null } {
  const at = text.indexOf(GRANT);
  return at < 0 ? { token: text, grant: null } : { token: text.slice(0, at), grant: text.slice(at + GRANT.length) };
}

/** The addresses of a page. Absolute where another device or app opens them, otherwise paths on the page's host. */
export interface PageLinks {
  /** The absolute URL that other devices open: of the page or, when it is below a grant, of the link. */
  readonly page: string;
  /** The path of the page. */
  readonly pagePath: string;
  readonly qrCode: string;
  /** Whether iOS fetches a manifest from this address: https, or plain http on this machine (development). */
  readonly acceptedByIos: boolean;
  /** Whether only this machine can reach the address. */
  readonly localOnly: boolean;
}

/** The addresses of the files of a build. */
export interface BuildLinks {
  readonly itmsServices: string;
  /** Ends in the artifact's extension, by which phones tell the file type. */
  readonly package: string;
  readonly icon: string;
}

export type InstallLinks = PageLinks & BuildLinks;

/** The data of a build that its addresses depend on. */
interface LinkedFile {
  readonly fileExtension: string;
  /** `null` for the link of the build itself. */
  readonly buildId: string | null;
}

/** The last path segment of the package's URL. Phones tell the file type by its extension. */
export const packageNameOf = (fileExtension: string): string =>
  fileExtension === '' ? 'package' : `package.${fileExtension}`;

const LOCAL_HOSTS = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The addresses of an install link. */
export function addressesOfLink(installBaseUrl: string, inviteToken: string): LinkAddresses {
  const { token, grant } = splitGrant(inviteToken);
  const link = `${installBaseUrl.replace(/\/+$/, '')}/install/${encodeURIComponent(token)}`;
  return grant === null ? new LinkAddresses(link) : new LinkAddresses(withGrant(link, encodeURIComponent(grant)), link);
}

/**
 * The addresses of a page and of the files below it. Built from configuration alone, so that a forged `Host` header appears in no page,
 * manifest or QR code.
 */
export class LinkAddresses {
  private readonly base: URL;
  private readonly root: string;

  /**
   * @param page the absolute URL of the page.
   * @param shared the absolute URL to give to others, if it is another one: a grant is for one visitor.
   */
  constructor(
    page: string,
    private readonly shared: string | null = null,
  ) {
    this.base = new URL(page);
    this.root = this.base.pathname;
  }

  /** The addresses of the link's page or, with a build id, of the page of one of its builds. */
  ofPage(buildId: string | null = null): PageLinks {
    const pagePath = this.pathOf(buildId);
    const localOnly = LOCAL_HOSTS.test(this.base.hostname);
    return {
      page: this.shared ?? this.urlOf(buildId),
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
      package: `${path}/${encodeURIComponent(packageNameOf(fileExtension))}`,
      icon: `${path}/icon.png`,
    };
  }

  /** The absolute URL of the link's page or, with a build id, of the page of one of its builds, with the grant of the visitor. */
  urlOf(buildId: string | null = null): string {
    return `${this.base.origin}${this.pathOf(buildId)}`;
  }

  /** The action of a form that changes a subscription, or the page that registers a device. */
  ofAction(action: 'subscribe' | 'unsubscribe' | 'decline' | 'platforms' | 'device'): string {
    return `${this.root}/${action}`;
  }

  private pathOf(buildId: string | null): string {
    return buildId === null ? this.root : `${this.root}/builds/${encodeURIComponent(buildId)}`;
  }
}
