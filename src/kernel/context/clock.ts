/** Where "now" comes from. Tests move it; nothing else reads the machine's time. */
export abstract class Clock {
  abstract now(): Date;
}
