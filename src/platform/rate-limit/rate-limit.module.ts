import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ThrottlerModule, type ThrottlerStorage } from '@nestjs/throttler';
import { AccountFlagEntity } from './account-flag.entity';
import { AccountFlagsRepository } from './account-flags.repository';
import { FloodWatch } from './flood-watch';
import { FixedWindowStorage } from './fixed-window-storage';
import { RedisStorage } from './redis-storage';
import { Clock } from '#kernel/time/clock';
import { RateLimitConfig } from '#platform/config/config';
import { Logger } from '#platform/logging/logger';

const COUNTERS = Symbol('counters');

/** Where the hits are counted: in Redis when there is one, else in the memory of this process. */
@Module({
  providers: [
    {
      provide: COUNTERS,
      inject: [RateLimitConfig, Clock, Logger],
      useFactory: ({ redisUrl }: RateLimitConfig, clock: Clock, logger: Logger) => {
        const memory = new FixedWindowStorage(clock);
        return redisUrl ? new RedisStorage(redisUrl, memory, logger) : memory;
      },
    },
  ],
  exports: [COUNTERS],
})
class CountersModule {}

/** Rate limiting on @nestjs/throttler; the classes are in `limits.ts`, the order of the guards in `app.module.ts`. */
@Module({
  imports: [
    TypeOrmModule.forFeature([AccountFlagEntity]),
    ThrottlerModule.forRootAsync({
      imports: [CountersModule],
      inject: [COUNTERS],
      useFactory: (storage: ThrottlerStorage) => ({ throttlers: [{ limit: 1, ttl: 1000 }], storage }),
    }),
  ],
  providers: [AccountFlagsRepository, FloodWatch],
  exports: [ThrottlerModule, AccountFlagsRepository, FloodWatch],
})
export class RateLimitModule {}
