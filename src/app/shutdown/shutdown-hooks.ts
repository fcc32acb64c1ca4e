/** ShutdownHooks something that was started. */
export type Stop = () => Promise<void>;

/** What was started and must be stopped, last first. */
export class ShutdownHooks {
  private readonly started: Stop[] = [];

  push(...stops: readonly Stop[]): void {
    this.started.push(...stops);
  }

  /**
   * ShutdownHooks everything, once: what cannot be stopped keeps nothing else running.
   * @throws the error of the one that failed, or an AggregateError of several.
   */
  async run(): Promise<void> {
    const errors: unknown[] = [];
    for (const stop of this.started.splice(0).reverse()) {
      try {
        await stop();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, 'Several parts could not be stopped.');
    if (errors.length > 0) throw errors[0];
  }
}
