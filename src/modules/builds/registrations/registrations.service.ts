import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type InspectedArtifact } from '#infra/artifact-inspection/inspected-artifact';
import { AndroidConfig } from '#infra/config/config';
import { Jobs } from '#infra/jobs/jobs';
import { Logger } from '#infra/logging/logger';
import { CircuitOpenError } from '#infra/network/circuit-breaker';
import { verifiedCertificateOf } from '../catalogue/android-certificate';
import { DeveloperStatus, StatusUnavailable } from './developer-status';
import { type Registration, type RegistrationState, type SignedPackageName } from './registration';
import { RegistrationsRepository } from './registrations.repository';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The checks of one run. */
const CHECKS_PER_RUN = 100;
/** The age of builds whose packages are checked although they were uploaded before the checks were switched on, and their number a day. */
const RECENT_MS = 90 * DAY_MS;
const BUILDS_PER_RUN = 10_000;

/** The time after which a state is checked again: a bad one may be mended soon. */
const AGAIN_MS: Readonly<Record<RegistrationState, number>> = {
  registered: 30 * DAY_MS,
  not_registered: DAY_MS,
  other_certificate: DAY_MS,
  unknown: 7 * DAY_MS,
};

/** Whether the packages of builds are registered to a verified developer of Android. Off unless the operator switches it on. */
@Injectable()
export class RegistrationsService implements OnModuleInit {
  constructor(
    private readonly repository: RegistrationsRepository,
    private readonly status: DeveloperStatus,
    private readonly config: AndroidConfig,
    private readonly jobs: Jobs,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    if (this.isOn) {
      this.jobs.schedule('builds.check-registrations', '* * * * *', (ctx, { signal }) => this.checkDue(ctx, signal), {
        jobClass: 'store',
      });
    }
    this.jobs.schedule('builds.watch-registrations', '41 3 * * *', (ctx) => this.watchBuilds(ctx), {
      catchUpHours: 24,
    });
  }

  /** The registration of the package of a new build. Its first check follows within a minute. */
  async ofNewBuild(tx: RequestContext, artifact: InspectedArtifact): Promise<Registration | null> {
    const signed = this.isOn ? signedPackageOf(artifact) : null;
    return signed && this.repository.watch(tx, signed);
  }

  /** Checks the packages that are due, one after another. Ends when the API gives no answers. */
  async checkDue(ctx: RequestContext, signal: AbortSignal): Promise<void> {
    for (const signed of await this.repository.due(ctx, CHECKS_PER_RUN)) {
      try {
        await this.check(ctx, signed, signal);
      } catch (error) {
        if (error instanceof CircuitOpenError) return;
        if (!(error instanceof StatusUnavailable)) throw error;
        return this.pause(ctx, error);
      }
    }
  }

  /** Adds the packages of recent builds; when the checks are off, deletes what they found. */
  async watchBuilds(ctx: RequestContext): Promise<void> {
    if (!this.isOn) return void (await this.repository.forget(ctx));
    const since = new Date(ctx.clock.now().getTime() - RECENT_MS);
    await this.repository.watchBuilds(ctx, since, BUILDS_PER_RUN);
  }

  private get isOn(): boolean {
    return this.config.verification === 'on';
  }

  private async check(ctx: RequestContext, signed: SignedPackageName, signal: AbortSignal): Promise<void> {
    const state = await this.status.stateOf(signed, signal);
    const nextAt = new Date(ctx.clock.now().getTime() + AGAIN_MS[state]);
    await this.repository.record(ctx, { ...signed, state, nextAt });
  }

  /** An hour without requests after a rejected key or too many requests. Outages are left to the circuit breaker. */
  private async pause(ctx: RequestContext, error: StatusUnavailable): Promise<void> {
    const { status } = error;
    if (status === null || status >= 500) return;
    this.logger.error({ err: error }, 'The Android Developer Status API rejects requests: they pause for an hour');
    await this.repository.postpone(ctx, new Date(ctx.clock.now().getTime() + HOUR_MS));
  }
}

/** Null for app bundles, for packages whose certificate is only claimed, and for debug certificates, which nobody registers. */
function signedPackageOf(artifact: InspectedArtifact): SignedPackageName | null {
  const certificateSha256 = verifiedCertificateOf(artifact);
  if (artifact.kind !== 'apk' || certificateSha256 === null || artifact.signing.debugCertificate) return null;
  return { packageName: artifact.bundleId, certificateSha256 };
}
