/** The current time. Injected everywhere, so that tests can move it: no other code reads the system time. */
export abstract class Clock {
  abstract now(): Date;
}
