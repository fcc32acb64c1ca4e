import { IsInt, IsNumber, IsOptional, IsUrl, Max, Min } from 'class-validator';
import { type LimitName, LIMITS, NETWORK_FACTOR } from '#infra/rate-limit/limits';
import { Variable } from '../variable';

/** Quotas. Above them, requests get `400 quota_exceeded`. */
export class QuotaConfig {
  @Variable('MAX_ORGANIZATIONS_PER_DEVELOPER', {
    default: '20',
    describe: 'Maximum organizations that a developer belongs to.',
  })
  @IsInt()
  @Min(1)
  organizationsPerDeveloper: number;

  @Variable('QUOTA_PROJECTS_PER_ORGANIZATION', { default: '1000', describe: 'Maximum projects of an organization.' })
  @IsInt()
  @Min(0)
  projectsPerOrganization: number;

  @Variable('QUOTA_CHANNELS_PER_PROJECT', { default: '50', describe: 'Maximum channels of a project.' })
  @IsInt()
  @Min(0)
  channelsPerProject: number;

  @Variable('QUOTA_MEMBERS_PER_ORGANIZATION', { default: '1000', describe: 'Maximum members of an organization.' })
  @IsInt()
  @Min(0)
  membersPerOrganization: number;

  @Variable('QUOTA_TESTERS_PER_PROJECT', { default: '100000', describe: 'Maximum testers of a project.' })
  @IsInt()
  @Min(0)
  testersPerProject: number;

  @Variable('QUOTA_DEVICES_PER_PROJECT', {
    default: '10000',
    describe: 'Maximum iPhones, iPads and other devices of Apple that a project knows.',
  })
  @IsInt()
  @Min(0)
  devicesPerProject: number;

  @Variable('QUOTA_TOKENS_PER_PROJECT', {
    default: '100',
    describe: 'Maximum active project access tokens of a project.',
  })
  @IsInt()
  @Min(0)
  tokensPerProject: number;

  @Variable('QUOTA_PATS_PER_DEVELOPER', {
    default: '50',
    describe: 'Maximum active personal access tokens of a developer.',
  })
  @IsInt()
  @Min(0)
  patsPerDeveloper: number;

  @Variable('QUOTA_OPEN_UPLOADS_PER_PROJECT', {
    default: '100',
    describe: 'Maximum open resumable uploads of a project.',
  })
  @IsInt()
  @Min(0)
  openUploadsPerProject: number;

  @Variable('MAX_OPEN_RESERVATIONS', {
    default: '100',
    describe:
      'Maximum open reservations in one organization: of a developer or tester through all their credentials, of a project access token, and of each client address of a shared install link.',
  })
  @IsInt()
  @Min(1)
  openReservations: number;
}

/** Rate limits. */
export class RateLimitConfig {
  @Variable('RATE_LIMIT_FACTOR', {
    default: '1',
    describe: 'Factor for every rate limit. 0 disables rate limiting and is rejected in production.',
  })
  @IsNumber()
  @Min(0)
  rateLimitFactor: number;

  @Variable('REDIS_URL', {
    secret: true,
    describe:
      'URL of a Redis in which several processes share their rate-limit counters. Default: each process counts in its memory.',
  })
  @IsOptional()
  @IsUrl({ protocols: ['redis', 'rediss'], require_tld: false, require_protocol: true })
  redisUrl: string | undefined;

  @Variable('MAX_STORED_ANSWER_BYTES', {
    default: String(64 * 1024 * 1024),
    describe:
      'Maximum size of the stored idempotent responses of one developer or project within a day. Above it, requests get 429.',
  })
  @IsInt()
  @Min(1)
  storedResponseBytes: number;

  /** Requests per window that a limit allows, multiplied by `RATE_LIMIT_FACTOR`; at least 1. */
  limitOf(name: LimitName): number {
    return this.scaled((this as unknown as Record<string, number>)[propertyOf(name)] ?? LIMITS[name].limit);
  }

  /** Requests per window that a limit allows to a whole network (IPv4 /24, IPv6 /48). */
  networkLimitOf(name: LimitName): number {
    return this.limitOf(name) * NETWORK_FACTOR;
  }

  /** Multiplies a limit by `RATE_LIMIT_FACTOR`; at least 1. */
  scaled(limit: number): number {
    return Math.max(1, Math.round(limit * this.rateLimitFactor));
  }
}

const propertyOf = (name: LimitName): string => `limit:${name}`;

/** The variable of a limit: `RATE_LIMIT_TESTER_MAIL` for `tester-mail`. */
export const limitVariableOf = (name: LimitName): string => `RATE_LIMIT_${name.toUpperCase().replaceAll('-', '_')}`;

for (const [name, { limit, windowSeconds, describe }] of Object.entries(LIMITS)) {
  const [target, property] = [RateLimitConfig.prototype, propertyOf(name as LimitName)];
  const text = `${describe} Maximum requests within ${windowSeconds} seconds.`;
  Variable(limitVariableOf(name as LimitName), { default: String(limit), describe: text })(target, property);
  // The type by which `loadConfig` converts the text of the variable.
  Reflect.defineMetadata('design:type', Number, target, property);
  for (const check of [IsInt(), Min(1), Max(1_000_000)]) check(target, property);
}

/** Limits of uploads. */
export class UploadConfig {
  @Variable('MAX_UPLOAD_BYTES', {
    default: '2147483648',
    describe: 'Maximum size of an artifact, at most 80 GB. Larger ones get payload_too_large.',
  })
  @IsInt()
  @Min(1)
  @Max(80_000_000_000)
  maxBytes: number;

  @Variable('MAX_OPEN_UPLOAD_BYTES_ON_TRIAL', {
    default: '21474836480',
    describe:
      'Maximum bytes that all open uploads of an organization may hold in the hosted store while only trial credit pays for it. Above it, uploads get quota_exceeded. 0: no maximum.',
  })
  @IsInt()
  @Min(0)
  maxOpenBytesOnTrial: number;

  @Variable('MAX_OPEN_UPLOAD_BYTES', {
    default: '0',
    describe:
      'Maximum bytes that all open uploads of any other organization may hold in the hosted store, also with BILLING=off. 0: no maximum.',
  })
  @IsInt()
  @Min(0)
  maxOpenBytes: number;

  @Variable('UPLOAD_BUFFER_BYTES', {
    default: '50331648',
    describe:
      'Maximum memory of all uploads to S3 and Azure in this process, in blocks of 8 MiB. Uploads wait while it is in use.',
  })
  @IsInt()
  @Min(8_388_608)
  bufferBytes: number;

  @Variable('UPLOAD_MIN_BYTES_PER_SECOND', {
    default: '10000',
    describe:
      'Minimum rate of an upload, averaged over one minute. A slower upload is cut off (upload_too_slow). 0 disables it.',
  })
  @IsInt()
  @Min(0)
  minBytesPerSecond: number;

  @Variable('MAX_UPLOADS_AT_ONCE', {
    default: '10',
    describe:
      'Maximum uploads in one request at the same time: of one organization, and of one developer or project access token. Above ' +
      'it, uploads get 429. Also the maximum parts that one process passes on to S3 or Azure for them. RATE_LIMIT_FACTOR multiplies it.',
  })
  @IsInt()
  @Min(1)
  atOnce: number;
}
