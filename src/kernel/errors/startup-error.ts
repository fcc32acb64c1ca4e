/**
 * The service cannot start, and a person can do something about it. `main` prints the message alone (no stack) and exits
 * with status 1, so the message says what is wrong and what to do next, and never holds a secret.
 */
export class StartupError extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'StartupError';
  }
}
