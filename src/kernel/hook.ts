/**
 * A point where a module lets the modules above it take part, without knowing them: the lower module owns the hook and runs it,
 * an upper module adds a handler in `onModuleInit`.
 */
export class Hook<Input extends unknown[], Result = void> {
  private readonly handlers: ((...input: Input) => Promise<Result>)[] = [];

  add(handler: (...input: Input) => Promise<Result>): void {
    this.handlers.push(handler);
  }

  /** Runs the handlers one after another, in the order in which they were added, and returns their results. @throws the first error. */
  async run(...input: Input): Promise<Result[]> {
    const results: Result[] = [];
    for (const handler of this.handlers) results.push(await handler(...input));
    return results;
  }
}
