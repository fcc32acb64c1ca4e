import { type CanActivate, type CustomDecorator, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '#kernel/errors/app-error';
import { HttpConfig } from '#infra/config/config';
import { type AppRequest } from '#infra/http/request/app-request';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const SAME_SITE_ONLY_KEY = 'agate:same-site-only';

/** The routes of a controller reject requests from pages of other sites with any credential, and without one. */
export const SameSiteOnly = (): CustomDecorator => SetMetadata(SAME_SITE_ONLY_KEY, true);

/** Prevents pages of other sites from using a visitor's cookie, and from logging a visitor in to another account. */
@Injectable()
export class CrossSiteGuard implements CanActivate {
  private readonly allowedOrigins: ReadonlySet<string>;

  constructor(
    private readonly reflector: Reflector,
    config: HttpConfig,
  ) {
    this.allowedOrigins = new Set([config.baseUrl, ...config.dashboardOrigins].map((url) => new URL(url).origin));
  }

  /** For controllers with `@SameSiteOnly`. `AuthenticationGuard` checks requests with the cookie of a session on all routes. */
  canActivate(execution: ExecutionContext): boolean {
    if (this.reflector.get<true | undefined>(SAME_SITE_ONLY_KEY, execution.getClass()))
      this.check(execution.switchToHttp().getRequest<AppRequest>());
    return true;
  }

  /** @throws AppError permission_denied when a page of another site sent a request that changes state. */
  check(request: AppRequest): void {
    if (SAFE_METHODS.has(request.method)) return;
    const origin = request.get('origin');
    if (origin !== undefined && this.allowedOrigins.has(origin)) return;
    const site = request.get('sec-fetch-site');
    // `none`: the person typed the address. Such a request, and one without the header, comes from a page if it has an origin.
    const isOwn = site === 'same-origin' || ((site === undefined || site === 'none') && origin === undefined);
    if (!isOwn) throw new AppError('permission_denied', { message: 'This request came from a page of another site.' });
  }
}
