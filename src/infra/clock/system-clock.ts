import { Clock } from '#kernel/context/clock';

/** The system clock. */
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
