/** The service cannot start. The message is printed on the terminal without a stack: what is wrong and how to fix it. */
export class StartupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartupError';
  }
}
