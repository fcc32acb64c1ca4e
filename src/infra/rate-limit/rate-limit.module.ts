import { Global, Module } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerStorage } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '#kernel/context/clock';
import { RateLimitConfig } from '#infra/config/config';
import { Logger } from '#infra/logging/logger';
import { AbuseDetector } from './abuse-detector';
import { AccountFlagsErasure } from './account-flags.account-data';
import { AccountFlagEntity, AccountFlagsRepository } from './account-flags.repository';
import { FixedWindowStorage } from './fixed-window-storage';
import { HeavyTurns } from './heavy';
import { RateLimiter } from './rate-limiter';

const COUNTERS = Symbol('counters');

/** Counters are in Redis if it is configured, else in the memory of the process. */
@Module({
  providers: [
    {
      provide: COUNTERS,
      inject: [RateLimitConfig, Clock, Logger],
      useFactory: ({ redisUrl }: RateLimitConfig, clock: Clock, logger: Logger) => {
        const memory = new FixedWindowStorage(clock);
        if (!redisUrl) return memory;
        // eslint-disable-next-line @typescript-eslint/no-require-imports, @typescript-eslint/consistent-type-imports -- an import would always load the client of Redis
        const { RedisStorage } = require('./redis-storage') as typeof import('./redis-storage');
        return new RedisStorage(redisUrl, memory, logger);
      },
    },
  ],
  exports: [COUNTERS],
})
class CountersModule {}

/** Rate limiting with @nestjs/throttler. The classes are in `limits.ts`; the order of the guards is in `app.module.ts`. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([AccountFlagEntity]),
    ThrottlerModule.forRootAsync({
      imports: [CountersModule],
      inject: [COUNTERS],
      useFactory: (storage: ThrottlerStorage) => ({ throttlers: [{ limit: 1, ttl: 1000 }], storage }),
    }),
  ],
  providers: [AccountFlagsErasure, AccountFlagsRepository, AbuseDetector, HeavyTurns, RateLimiter],
  exports: [AccountFlagsErasure, AccountFlagsRepository, AbuseDetector, HeavyTurns, RateLimiter],
})
export class RateLimitModule {}
