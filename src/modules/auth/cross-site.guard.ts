import { Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { HttpConfig } from '#platform/config/config';
import { type AgateRequest } from '#platform/http/agate-request';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Keeps pages of other sites from acting with a visitor's cookie, and from logging them in as somebody else (contract §3). */
@Injectable()
export class CrossSiteGuard {
  private readonly welcome: ReadonlySet<string>;

  constructor(config: HttpConfig) {
    this.welcome = new Set([config.baseUrl, ...config.dashboardOrigins].map((url) => new URL(url).origin));
  }

  /** @throws AppError permission_denied when a foreign page sent this state-changing request. */
  check(request: AgateRequest): void {
    if (SAFE_METHODS.has(request.method)) return;
    const origin = request.get('origin');
    if (origin !== undefined && this.welcome.has(origin)) return;
    const site = request.get('sec-fetch-site');
    const foreign = site !== undefined ? site === 'cross-site' || site === 'same-site' : origin !== undefined;
    if (foreign) throw new AppError('permission_denied', { message: 'This request came from a page of another site.' });
  }
}
