import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { FixedWindowStorage } from './fixed-window-storage';
import { Clock } from '#kernel/time/clock';

/** Rate limiting on @nestjs/throttler; the classes are in `limits.ts`, the order of the guards in `app.module.ts`. */
@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      inject: [Clock],
      useFactory: (clock: Clock) => ({ throttlers: [{ limit: 1, ttl: 1000 }], storage: new FixedWindowStorage(clock) }),
    }),
  ],
  exports: [ThrottlerModule],
})
export class RateLimitModule {}
