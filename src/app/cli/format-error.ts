import { AppError } from '#kernel/errors/app-error';
import { StartupError } from '#kernel/errors/startup-error';
import { originalFrames } from '#infra/logging/loggable-error';

/** The command line is wrong, or the change was not confirmed. */
export class UsageError extends Error {}

/**
 * Formats an error. As text: the message, which says what to do; other errors with their stack trace. As JSON: one line with
 * `{error, message, details}`, like an error response of the API.
 */
export function formatError(error: unknown, { asJson }: { asJson: boolean }): string {
  return asJson ? `${JSON.stringify(toJson(error))}\n` : toText(error);
}

function toJson(error: unknown): { error: string; message: string; details?: object } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AppError) {
    const hasDetails = Object.keys(error.details).length > 0;
    return { error: error.entry.code, message, ...(hasDetails && { details: error.details }) };
  }
  if (error instanceof UsageError) return { error: 'misuse', message };
  return { error: error instanceof StartupError ? 'startup_error' : 'internal_error', message };
}

function toText(error: unknown): string {
  if (error instanceof StartupError || error instanceof UsageError) return `${error.message}\n`;
  if (!(error instanceof AppError))
    return `${error instanceof Error ? originalFrames(error.stack ?? error.message) : String(error)}\n`;
  const details = Object.entries(error.details).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}\n`);
  return `${error.message}\n${details.join('')}`;
}
