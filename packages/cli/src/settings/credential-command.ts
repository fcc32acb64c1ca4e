import { spawnSync } from 'node:child_process';
import { type Environment } from '../environment';
import { credentialError } from '../output/cli-error';

/** The time that a password manager may take to ask its owner. */
const LIMIT_MS = 120_000;

/**
 * Runs a command that prints a token, such as `op read op://Private/Agate/token`, and returns the first line of its output.
 * @throws CliError when the command fails or prints nothing. The error never contains the output.
 */
export function runCredentialCommand(command: string, environment: Environment): string {
  const { status, signal, error, stdout } = spawnSync(command, {
    shell: true,
    env: environment,
    encoding: 'utf8',
    // The command inherits standard input, because a password manager may ask in the terminal.
    stdio: ['inherit', 'pipe', 'inherit'],
    timeout: LIMIT_MS,
    windowsHide: true,
  });
  const end = error?.message ?? (signal === null ? `exit code ${status}` : `signal ${signal}`);
  if (error || status !== 0) throw credentialError(`The credential command failed (${end}): ${command}`);
  const token = stdout.split(/\r?\n/, 1)[0]?.trim() ?? '';
  if (token === '') throw credentialError(`The credential command printed no token: ${command}`);
  return token;
}
