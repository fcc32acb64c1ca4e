import { type Clock } from './context/clock';

/** What is asked for more often than it needs to be found out; whoever asks meanwhile waits for the same answer. */
export class SingleFlightCache<T> {
  private askedAt = Number.NEGATIVE_INFINITY;
  private isOpen = false;
  private answer: Promise<T>;

  /** @param freshMs how long an answer is good for, from the question on. */
  constructor(
    private readonly find: () => Promise<T>,
    private readonly freshMs: number,
    private readonly clock: Clock,
  ) {}

  /** What was found out now or a moment ago, a failure too. */
  value(): Promise<T> {
    const now = this.clock.now().getTime();
    if (!this.isOpen && now - this.askedAt >= this.freshMs) {
      this.askedAt = now;
      this.answer = this.ask();
    }
    return this.answer;
  }

  private async ask(): Promise<T> {
    this.isOpen = true;
    try {
      return await this.find();
    } finally {
      this.isOpen = false;
    }
  }
}
