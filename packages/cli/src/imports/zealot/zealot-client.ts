import { CliError, ExitCode } from '../../output/cli-error';
import { connectionErrorOf } from '../../output/connection-errors';

/** The fields of Zealot's responses that are needed here. Older versions lack some of them. */
export interface ZealotApp {
  readonly id: number;
  readonly name: string;
  readonly schemes?: readonly ZealotScheme[];
}

export interface ZealotScheme {
  readonly name: string;
  readonly channels?: readonly ZealotChannel[];
}

export interface ZealotChannel {
  readonly name: string;
  /** The credential of a channel, with which its releases are read. */
  readonly key?: string;
  readonly device_type?: string;
  readonly has_password?: boolean;
}

export interface ZealotRelease {
  readonly id?: number;
  readonly release_version?: string;
  readonly build_version?: string;
  readonly branch?: string | null;
  readonly git_commit?: string | null;
  readonly ci_url?: string | null;
  readonly device_type?: string | null;
  readonly install_url?: string;
  readonly text_changelog?: string | null;
  readonly created_at?: string;
}

const PER_PAGE = 100;

/** Reads data from a Zealot server. */
export class ZealotClient {
  constructor(
    private readonly address: string,
    private readonly token: string,
    private readonly signal: AbortSignal,
  ) {}

  /** All apps that the token may see, with their schemes and channels. @throws CliError when the server or the token does not exist. */
  async apps(): Promise<readonly ZealotApp[]> {
    const apps = await this.json<unknown>(`/api/apps?${new URLSearchParams({ token: this.token })}`);
    if (!Array.isArray(apps)) throw failure(`${this.address} did not respond with a list of apps. Check --from.`);
    return apps as ZealotApp[];
  }

  /** All releases of a channel, newest first. */
  async releases(channelKey: string): Promise<ZealotRelease[]> {
    const all: ZealotRelease[] = [];
    for (let page = 1; ; page += 1) {
      const query = new URLSearchParams({ channel_key: channelKey, page: String(page), per_page: String(PER_PAGE) });
      const { releases = [] } = await this.json<{ releases?: readonly ZealotRelease[] }>(`/api/apps/versions?${query}`);
      all.push(...releases);
      if (releases.length < PER_PAGE) return all;
    }
  }

  /** The file of a release. @throws CliError when the server does not send it, for example for channels with a password. */
  async download(id: number): Promise<Response> {
    const response = await this.get(`/download/releases/${id}`);
    const isPage = response.headers.get('Content-Type')?.startsWith('text/html') ?? false;
    if (response.ok && response.body && !isPage) return response;
    await response.body?.cancel();
    if (!isPage) throw failure(`Zealot does not send the file (status ${response.status}).`);
    throw failure('Zealot shows a page in place of the file. Remove the password of the channel during the import.');
  }

  private async json<Body>(path: string): Promise<Body> {
    const response = await this.get(path);
    const body = (await response.json().catch(() => null)) as (Body & { error?: string }) | null;
    if (response.ok && body !== null) return body;
    const reason = typeof body?.error === 'string' ? body.error : `status ${response.status}`;
    throw failure(`Zealot rejects the request: ${reason}. Check --from and AGATE_ZEALOT_TOKEN.`);
  }

  private async get(path: string): Promise<Response> {
    try {
      return await fetch(`${this.address}${path}`, {
        signal: this.signal,
        headers: { Accept: 'application/json, */*' },
      });
    } catch (error) {
      if (this.signal.aborted) throw error;
      const reason = connectionErrorOf(error) ?? 'unknown error';
      throw new CliError(
        ExitCode.tryAgain,
        'network_error',
        `${this.address} cannot be reached (${reason}). Check --from.`,
      );
    }
  }
}

const failure = (message: string): CliError => new CliError(ExitCode.refused, 'zealot', message);
