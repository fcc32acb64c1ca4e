import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { type Clock } from '#kernel/context/clock';
import { AuditModule } from '#infra/audit/audit.module';
import { ClockGuardModule } from '#infra/clock/clock-guard.module';
import { ClockModule } from '#infra/clock/system-clock';
import { DatabaseConfig, RuntimeConfig } from '#infra/config/config';
import { ConfigModule } from '#infra/config/config.module';
import { type Config } from '#infra/config/load-config';
import { CryptoModule } from '#infra/crypto/crypto.module';
import { type Secrets } from '#infra/crypto/secrets';
import { DatabaseModule } from '#infra/database/database.module';
import { ErrorFilter } from '#infra/http/errors/error-filter';
import { HttpModule } from '#infra/http/http.module';
import { BodyErrorGuard } from '#infra/http/request/body-parsers';
import { InputValidationPipe } from '#infra/http/request/input-validation.pipe';
import { IdempotencyModule } from '#infra/idempotency/idempotency.module';
import { JOB_CONNECTIONS } from '#infra/jobs/job-worker';
import { JobsModule } from '#infra/jobs/jobs.module';
import { LifecycleModule } from '#infra/lifecycle/lifecycle.module';
import { type Logger } from '#infra/logging/logger';
import { LoggingModule } from '#infra/logging/logging.module';
import { MailModule } from '#infra/mail/mail.module';
import { MetricsModule } from '#infra/metrics/metrics.module';
import { PagesModule } from '#infra/pages/pages.module';
import { AddressLimitGuard, RouteLimitGuard } from '#infra/rate-limit/rate-limit.guards';
import { RateLimitModule } from '#infra/rate-limit/rate-limit.module';
import { RowCountsModule } from '#infra/row-counts/row-counts.module';
import { AccessGuard, AccessModule } from '#modules/access';
import { AccountDataModule } from '#modules/account-data';
import { AuditFeedModule } from '#modules/audit';
import { AuthenticationGuard, AuthModule, CrossSiteGuard } from '#modules/auth';
import { BackupsModule } from '#modules/backups';
import { BillingModule } from '#modules/billing';
import { BuildsModule } from '#modules/builds';
import { CaptchaModule } from '#modules/captcha';
import { ChannelsModule } from '#modules/channels';
import { DevelopersModule } from '#modules/developers';
import { DevicesModule } from '#modules/devices';
import { EventsModule } from '#modules/events';
import { HealthModule } from '#modules/health';
import { InstallModule } from '#modules/install';
import { InstallLinksModule } from '#modules/install-links';
import { OperatorsModule } from '#modules/operators';
import { OrganizationsModule } from '#modules/organizations';
import { ProjectsModule } from '#modules/projects';
import { ReleasesModule } from '#modules/releases';
import { SettingsModule } from '#modules/settings';
import { StorageModule } from '#modules/storage';
import { TestersModule } from '#modules/testers';
import { TokensModule } from '#modules/tokens';
import { UpdatesModule } from '#modules/updates';
import { UploadsModule } from '#modules/uploads';
import { WebhooksModule } from '#modules/webhooks';
import { ReadModelsModule } from '#read-models/read-models.module';

/** The dependencies that the caller provides to the application. */
export interface AppParts {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly databaseUrl: string;
  /** URL with the role that owns the schema. Only operator commands need it. */
  readonly databaseOwnerUrl?: string | undefined;
  /** Whether this process runs jobs. Default: as ROLE says. */
  readonly work?: boolean;
}

const INFRA_MODULES = [
  AuditModule,
  ClockGuardModule,
  HttpModule,
  IdempotencyModule,
  LifecycleModule,
  MailModule,
  MetricsModule,
  PagesModule,
  RateLimitModule,
  RowCountsModule,
];

const MODULES = [
  HealthModule,
  SettingsModule,
  CaptchaModule,
  DevelopersModule,
  OrganizationsModule,
  ProjectsModule,
  AccessModule,
  TokensModule,
  AuthModule,
  BillingModule,
  StorageModule,
  InstallLinksModule,
  // Registered before the builds: otherwise the router would read `uploads` in `GET /builds/uploads` as a build's id.
  UploadsModule,
  BuildsModule,
  ChannelsModule,
  TestersModule,
  DevicesModule,
  ReleasesModule,
  InstallModule,
  UpdatesModule,
  AuditFeedModule,
  EventsModule,
  WebhooksModule,
  AccountDataModule,
  BackupsModule,
  OperatorsModule,
];

/** All modules of the application, and the order of its guards. */
@Module({})
export class AppModule {
  static forRoot({ config, secrets, logger, clock, databaseUrl, databaseOwnerUrl, work }: AppParts): DynamicModule {
    const { role, fastPaths } = config.get(RuntimeConfig);
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        LoggingModule.forRoot(logger),
        ClockModule.forRoot(clock),
        CryptoModule.forRoot(secrets),
        DatabaseModule.forRoot({
          url: databaseUrl,
          ownerUrl: databaseOwnerUrl,
          poolSize: config.get(DatabaseConfig).poolSize,
          jobPoolSize: JOB_CONNECTIONS,
          prepare: config.get(DatabaseConfig).prepare,
          fastPaths,
        }),
        JobsModule.forRoot({ databaseUrl, work: work ?? role !== 'api' }),
        ...INFRA_MODULES,
        ...MODULES,
        ReadModelsModule,
      ],
      providers: [
        { provide: APP_FILTER, useClass: ErrorFilter },
        // Guards run in this order: limit per address, authentication, limit per credential, authorization, pages of other sites, errors of
        // the body. Guards of a route run after them.
        { provide: APP_GUARD, useClass: AddressLimitGuard },
        { provide: APP_GUARD, useExisting: AuthenticationGuard },
        { provide: APP_GUARD, useClass: RouteLimitGuard },
        { provide: APP_GUARD, useExisting: AccessGuard },
        { provide: APP_GUARD, useExisting: CrossSiteGuard },
        { provide: APP_GUARD, useClass: BodyErrorGuard },
        // No interceptor is global: a single one would add a chain of observables to every request.
        { provide: APP_PIPE, useClass: InputValidationPipe },
      ],
    };
  }
}
