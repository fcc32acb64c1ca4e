import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { HttpConfig } from '#infra/config/config';
import { type AppRequest } from '#infra/http/request/app-request';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** What `Sec-Fetch-Site` says of a request of our own pages, or of one that a person typed. */
const OWN_SITES = new Set(['same-origin', 'none']);

/** Keeps pages of other sites from acting with a visitor's cookie, and from logging them in as somebody else (contract §3). */
@Injectable()
export class CrossSiteGuard implements CanActivate {
  private readonly welcome: ReadonlySet<string>;

  constructor(config: HttpConfig) {
    this.welcome = new Set([config.baseUrl, ...config.dashboardOrigins].map((url) => new URL(url).origin));
  }

  /** For routes that a foreign page may not call whatever the credential: those of login. */
  canActivate(execution: ExecutionContext): boolean {
    this.check(execution.switchToHttp().getRequest<AppRequest>());
    return true;
  }

  /** @throws AppError permission_denied when a foreign page sent this state-changing request. */
  check(request: AppRequest): void {
    if (SAFE_METHODS.has(request.method)) return;
    const origin = request.get('origin');
    if (origin !== undefined && this.welcome.has(origin)) return;
    const site = request.get('sec-fetch-site');
    const foreign = site !== undefined ? !OWN_SITES.has(site) : origin !== undefined;
    if (foreign) throw new AppError('permission_denied', { message: 'This request came from a page of another site.' });
  }
}
