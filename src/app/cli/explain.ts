import { AppError } from '#kernel/errors/app-error';
import { StartupError } from '#kernel/errors/startup-error';

/** A command that was typed wrongly, or not confirmed. */
export class MisuseError extends Error {}

/**
 * What went wrong. For a person: our own errors say what to do, of others the whole is shown. For a program: `{error, message, details}`
 * on one line, as the API's (contract §14).
 */
export function explain(error: unknown, { asJson }: { asJson: boolean }): string {
  return asJson ? `${JSON.stringify(envelopeOf(error))}\n` : textOf(error);
}

function envelopeOf(error: unknown): { error: string; message: string; details?: object } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AppError) {
    const hasDetails = Object.keys(error.details).length > 0;
    return { error: error.entry.code, message, ...(hasDetails && { details: error.details }) };
  }
  if (error instanceof MisuseError) return { error: 'misuse', message };
  return { error: error instanceof StartupError ? 'startup_error' : 'internal_error', message };
}

function textOf(error: unknown): string {
  if (error instanceof StartupError || error instanceof MisuseError) return `${error.message}\n`;
  if (!(error instanceof AppError))
    return `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
  const details = Object.entries(error.details).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}\n`);
  return `${error.message}\n${details.join('')}`;
}
