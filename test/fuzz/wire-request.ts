import { type OperationAt } from '../support/checks/routes/openapi-conformance';

export interface WireRequest {
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

export interface RequestParts {
  /** Parameters of the path and the query. */
  readonly ids: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | undefined;
}

/** Builds the HTTP request. Parameters that the path does not contain become the query. */
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
      // Node's client needs a Content-Length to send the body of a DELETE.
      ...(parts.body !== undefined && { 'Content-Length': String(Buffer.byteLength(parts.body)) }),
      ...parts.headers,
    },
    ...(parts.body !== undefined && { body: parts.body }),
  };
}

/** Lone surrogates cannot be encoded, so they are replaced. A segment of dots only would change the path. */
export const encodeText = (text: string): string => encodeURIComponent(text.toWellFormed());
const segment = (text: string): string =>
  encodeText(text)
    .replace(/^\.{0,2}$/, 'x')
    .slice(0, 4000);
