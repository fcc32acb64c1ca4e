/** The service cannot start. The message is for the person at the terminal: what is wrong and how to mend it. */
export class StartupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartupError';
  }
}
