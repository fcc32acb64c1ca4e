import { Injectable, type OnModuleInit } from '@nestjs/common';
import { digestOf, newLinkToken } from '#kernel/access/token-format';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { HttpConfig } from '#infra/config/config';
import { Jobs } from '#infra/jobs/jobs';
import { PersonalAccessTokensService } from '#modules/tokens';
import { currentSessionOf } from '../sessions/own-sessions.service';
import { DeviceCodesService } from './device-codes.service';
import {
  DEVICE_LOGIN_MINUTES,
  type DeviceDecision,
  type DeviceLogin,
  type DeviceLoginDraft,
  POLL_SECONDS,
  type StartedDeviceLogin,
} from './device-login';
import { type DeviceLoginEntity, DeviceLoginsRepository } from './device-logins.repository';
import { newUserCode } from './user-code';

/** Logins of programs that a developer confirms in a browser (RFC 8628; docs/decisions/0047-device-logins.md). */
@Injectable()
export class DeviceLoginsService implements OnModuleInit {
  constructor(
    private readonly repository: DeviceLoginsRepository,
    private readonly codes: DeviceCodesService,
    private readonly tokens: PersonalAccessTokensService,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
    private readonly config: HttpConfig,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('auth.prune-device-logins', '47 * * * *', (ctx) => this.repository.prune(ctx));
  }

  /** @throws AppError operation_not_allowed when this service has no page on which a developer could confirm. */
  async start(ctx: RequestContext, { host, scopes }: DeviceLoginDraft): Promise<StartedDeviceLogin> {
    if (!this.config.servesDashboard) throw withoutDashboard();
    const [deviceCode, userCode] = [newLinkToken(), newUserCode()];
    const createdAt = ctx.clock.now();
    await this.repository.insert(ctx, {
      deviceDigest: digestOf(deviceCode),
      userDigest: this.codes.digestOf(userCode),
      host,
      scopes: [...scopes],
      address: ctx.sourceIp,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + DEVICE_LOGIN_MINUTES * 60_000),
      intervalSeconds: POLL_SECONDS,
      polledAt: null,
      decision: null,
      developerId: null,
      organizationId: null,
      sessionId: null,
      usedAt: null,
    });
    return { deviceCode, userCode };
  }

  /** Returns the login of the program with this code. @throws AppError not_found; rate_limit_exceeded */
  find(ctx: RequestContext, userCode: string): Promise<DeviceLogin> {
    return this.codes.open(ctx, userCode, (_tx, login) => Promise.resolve(login));
  }

  /**
   * Lets the program with this code get a personal access token of the caller, in one organization, as long as the caller's session lasts.
   * @throws AppError not_found; rate_limit_exceeded; quota_exceeded; operation_not_allowed when the caller has rejected it before;
   * unauthorized when the access token names no session, so that the caller refreshes it.
   */
  async confirm(ctx: RequestContext, organizationId: string, userCode: string): Promise<void> {
    const sessionId = currentSessionOf(ctx);
    if (sessionId === null) throw new AppError('unauthorized');
    await this.codes.open(ctx, userCode, async (tx, login) => {
      if (!isUndecided(login, 'confirmed', organizationId)) return;
      const { developerId } = developerOf(tx);
      await this.tokens.requireQuota(tx, developerId);
      await this.repository.update(tx, login, { decision: 'confirmed', developerId, organizationId, sessionId });
      const payload = { scopes: login.scopes };
      await this.audit.record(tx, { type: 'device_login.confirmed', organizationId, payload });
    });
  }

  /** Rejects the program with this code. @throws AppError not_found; rate_limit_exceeded; operation_not_allowed when it was confirmed. */
  deny(ctx: RequestContext, userCode: string): Promise<void> {
    return this.codes.open(ctx, userCode, async (tx, login) => {
      if (!isUndecided(login, 'denied', null)) return;
      const { developerId } = developerOf(tx);
      await this.repository.update(tx, login, { decision: 'denied', developerId });
      const payload = { scopes: login.scopes };
      await this.audit.record(tx, { type: 'device_login.denied', organizationId: null, payload });
    });
  }
}

/** False when the same decision was made before. @throws AppError operation_not_allowed when the other decision was made. */
function isUndecided(login: DeviceLoginEntity, wanted: DeviceDecision, organizationId: string | null): boolean {
  if (login.decision === null) return true;
  if (login.decision === wanted && login.organizationId === organizationId) return false;
  throw new AppError('operation_not_allowed', {
    message: `You ${login.decision} this login before. Start a new one in the program.`,
    details: { reason: 'already_decided' },
  });
}

const withoutDashboard = (): AppError =>
  new AppError('operation_not_allowed', {
    message: 'This service has no page to confirm a login. Log in with e-mail address and password.',
    details: { reason: 'no_dashboard' },
  });
