/**
 * Lets upper modules take part in an operation of a lower module, which does not know them: the lower module owns the hook
 * and runs it; an upper module adds a handler in `onModuleInit`.
 */
export class Hook<Input extends unknown[], Result = void> {
  private readonly handlers: ((...input: Input) => Promise<Result>)[] = [];

  add(handler: (...input: Input) => Promise<Result>): void {
    this.handlers.push(handler);
  }

  /** Runs the handlers one by one, in the order in which they were added, and returns their results. @throws the first error. */
  async run(...input: Input): Promise<Result[]> {
    const results: Result[] = [];
    for (const handler of this.handlers) results.push(await handler(...input));
    return results;
  }
}
