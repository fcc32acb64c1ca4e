import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from '#kernel/context/clock';

/** The system clock. */
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

@Module({})
export class ClockModule {
  static forRoot(clock: Clock): DynamicModule {
    return { module: ClockModule, global: true, providers: [{ provide: Clock, useValue: clock }], exports: [Clock] };
  }
}
