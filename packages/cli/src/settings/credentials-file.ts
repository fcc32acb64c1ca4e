import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Environment } from '../environment';
import { CliError, ExitCode, usageError } from '../output/cli-error';

/** The stored login of a service: a token, or the command that prints one. */
export interface KeptLogin {
  readonly token?: string;
  /** A command line for the shell. The first line of its output is the token. */
  readonly credential_command?: string;
  /** The e-mail address of the account, so that it need not be typed again. */
  readonly email?: string;
}

/** Logins by the address of their service. */
export type KeptLogins = Readonly<Record<string, KeptLogin>>;

const FILE = 'credentials.json';
/** Permissions of the group and of others. */
const OF_OTHERS = 0o077;

/** The file in which logins are kept, which only its owner may read. */
export class CredentialsFile {
  readonly path: string;

  constructor(
    environment: Environment,
    private readonly platform: NodeJS.Platform = process.platform,
  ) {
    this.path = join(folderOf(environment, platform), FILE);
  }

  /** Empty when the file does not exist. @throws CliError when others may read it, or when it is damaged. */
  read(): KeptLogins {
    let text;
    try {
      this.rejectWideMode();
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      if (error instanceof CliError) throw error;
      throw usageError(`${this.path} cannot be read: ${(error as Error).message}`);
    }
    return this.parsed(text);
  }

  keep(url: string, login: KeptLogin): void {
    this.write({ ...this.read(), [url]: login });
  }

  forget(url: string): void {
    const { [url]: _forgotten, ...others } = this.read();
    if (Object.keys(others).length > 0) this.write(others);
    else rmSync(this.path, { force: true });
  }

  /** Replaces the file in one step, so that an interrupted command leaves a complete one. */
  private write(services: KeptLogins): void {
    const folder = dirname(this.path);
    const temporary = `${this.path}.${randomBytes(6).toString('hex')}`;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, `${JSON.stringify({ services }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      // The process's umask may have removed permissions of the owner.
      chmodSync(temporary, 0o600);
      renameSync(temporary, this.path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw new CliError(ExitCode.usage, 'usage', `${this.path} cannot be written: ${(error as Error).message}`);
    }
  }

  private rejectWideMode(): void {
    if (this.platform === 'win32') return;
    const { mode } = statSync(this.path);
    if ((mode & OF_OTHERS) === 0) return;
    const shown = (mode & 0o777).toString(8);
    throw usageError(
      `${this.path} has the mode ${shown}, so other users may know the tokens in it. Run chmod 600 ${this.path}, and replace the tokens if others use this machine.`,
    );
  }

  private parsed(text: string): KeptLogins {
    try {
      const { services } = JSON.parse(text) as { services: KeptLogins };
      if (typeof services === 'object' && services !== null) return services;
    } catch {
      // The error is reported below.
    }
    throw usageError(`${this.path} is damaged. Delete it, and use agate login.`);
  }
}

function folderOf(environment: Environment, platform: NodeJS.Platform): string {
  const { AGATE_CONFIG_DIR, APPDATA, XDG_CONFIG_HOME } = environment;
  if (AGATE_CONFIG_DIR) return AGATE_CONFIG_DIR;
  if (platform === 'win32' && APPDATA) return join(APPDATA, 'agate');
  return join(XDG_CONFIG_HOME || join(environment['HOME'] || homedir(), '.config'), 'agate');
}
