import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { HttpConfig } from '#infra/config/config';
import { type AppRequest } from '#infra/http/request/app-request';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** The values of `Sec-Fetch-Site` for requests from the service's own pages, or typed into the address bar. */
const OWN_SITES = new Set(['same-origin', 'none']);

/** Prevents pages of other sites from using a visitor's cookie, and from logging a visitor in to another account. */
@Injectable()
export class CrossSiteGuard implements CanActivate {
  private readonly allowedOrigins: ReadonlySet<string>;

  constructor(config: HttpConfig) {
    this.allowedOrigins = new Set([config.baseUrl, ...config.dashboardOrigins].map((url) => new URL(url).origin));
  }

  /** For the login routes, which pages of other sites may not call with any credential. */
  canActivate(execution: ExecutionContext): boolean {
    this.check(execution.switchToHttp().getRequest<AppRequest>());
    return true;
  }

  /** @throws AppError permission_denied when a page of another site sent a request that changes state. */
  check(request: AppRequest): void {
    if (SAFE_METHODS.has(request.method)) return;
    const origin = request.get('origin');
    if (origin !== undefined && this.allowedOrigins.has(origin)) return;
    const site = request.get('sec-fetch-site');
    const isCrossSite = site !== undefined ? !OWN_SITES.has(site) : origin !== undefined;
    if (isCrossSite)
      throw new AppError('permission_denied', { message: 'This request came from a page of another site.' });
  }
}
