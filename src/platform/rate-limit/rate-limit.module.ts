import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ThrottlerModule } from '@nestjs/throttler';
import { AccountFlagEntity } from './account-flag.entity';
import { AccountFlagsRepository } from './account-flags.repository';
import { FloodWatch } from './flood-watch';
import { FixedWindowStorage } from './fixed-window-storage';
import { Clock } from '#kernel/time/clock';

/** Rate limiting on @nestjs/throttler; the classes are in `limits.ts`, the order of the guards in `app.module.ts`. */
@Module({
  imports: [
    TypeOrmModule.forFeature([AccountFlagEntity]),
    ThrottlerModule.forRootAsync({
      inject: [Clock],
      useFactory: (clock: Clock) => ({ throttlers: [{ limit: 1, ttl: 1000 }], storage: new FixedWindowStorage(clock) }),
    }),
  ],
  providers: [AccountFlagsRepository, FloodWatch],
  exports: [ThrottlerModule, FloodWatch],
})
export class RateLimitModule {}
