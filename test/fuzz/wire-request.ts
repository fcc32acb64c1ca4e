import { type OperationAt } from '../support/checks/openapi-conformance';

export interface WireRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

export interface RequestParts {
  /** The parameters of path and query. */
  readonly ids: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | undefined;
}

/** A request as it goes over the wire: what its path does not name is its query. */
export function wireRequest(
  { method, path: template }: OperationAt,
  authorization: string | null,
  parts: RequestParts,
): WireRequest {
  const named = Object.entries(parts.ids).filter(([name]) => template.includes(`{${name}}`));
  const path = named.reduce((url, [name, value]) => url.replace(`{${name}}`, segment(value)), template);
  const query = Object.entries(parts.ids)
    .filter(([name]) => !template.includes(`{${name}}`))
    .map(([name, value]) => `${name}=${encodeText(value)}`);
  return {
    method,
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: {
      Accept: 'application/json',
      ...(authorization !== null && { Authorization: authorization }),
      // Node's client frames the body of a DELETE only when told so.
      ...(parts.body !== undefined && { 'Content-Length': String(Buffer.byteLength(parts.body)) }),
      ...parts.headers,
    },
    ...(parts.body !== undefined && { body: parts.body }),
  };
}

/** Lone surrogates cannot be encoded; a dot would be another path. */
export const encodeText = (text: string): string => encodeURIComponent(text.toWellFormed());
const segment = (text: string): string =>
  encodeText(text)
    .replace(/^\.{0,2}$/, 'x')
    .slice(0, 4000);
