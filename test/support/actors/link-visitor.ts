import { rawRequest, type RawResponse } from '../load/raw-http';
import { type Bearer, type ProjectRef, scope } from './actors';

export interface LinkJson {
  readonly id: string;
  readonly name: string | null;
  readonly is_default: boolean;
  readonly access: string;
  readonly state: string;
  readonly used_downloads: number;
  readonly terms: { readonly text: string; readonly version: number } | null;
  readonly install_url: string;
  readonly qr_url: string | null;
}

/** Creates a link of a build or channel. */
export async function createsLink(by: Bearer, project: ProjectRef, draft: object): Promise<LinkJson> {
  const { body } = await by.post(`/links?${scope(project)}`, { name: 'ACME demo', ...draft }).expect(201);
  return body as LinkJson;
}

export const pathOfLink = ({ install_url: url }: Pick<LinkJson, 'install_url'>): string => new URL(url).pathname;

/** A visitor of install links without cookies, as the installer of iOS is one. */
export class LinkVisitor {
  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>> = { Accept: 'text/html' },
  ) {}

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawResponse> {
    return rawRequest(this.url + path, { method: 'GET', headers: { ...this.headers, ...headers } });
  }

  head(path: string): Promise<RawResponse> {
    return rawRequest(this.url + path, { method: 'HEAD', headers: this.headers });
  }

  post(path: string, fields: Readonly<Record<string, string>>): Promise<RawResponse> {
    const body = new URLSearchParams(fields).toString();
    const type = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(body.length) };
    return rawRequest(this.url + path, { method: 'POST', headers: { ...this.headers, ...type }, body });
  }

  /** Sends a form that opens a link. @returns the path of the page below the grant. */
  async opens(path: string, fields: Readonly<Record<string, string>>): Promise<string> {
    const { status, headers, text } = await this.post(path, fields);
    if (status !== 303) throw new Error(`${path} answered ${status}: ${text}`);
    return new URL(String(headers['location'])).pathname;
  }
}
