import { rawRequest, type RawAnswer } from '../support/raw-http';
import { type Conformance, type OperationAt, type Schema } from '../support/conformance';
import { HOSTILE_BODIES, HOSTILE_TEXTS, HOSTILE_VALUES } from './hostile-values';
import { type Random } from './random';

/** Somebody who asks: gives the value of `Authorization` at this moment, or null for none. */
export interface FuzzCredential {
  readonly name: string;
  readonly authorization: () => Promise<string | null>;
}

export interface FuzzWorld {
  readonly url: string;
  readonly conformance: Conformance;
  readonly credentials: readonly FuzzCredential[];
  /** Values that exist, by the name of the parameter or field that takes them. */
  readonly known: Readonly<Record<string, readonly string[]>>;
  readonly artifacts: readonly { readonly fileName: string; readonly bytes: Buffer }[];
}

export interface FuzzReport {
  readonly requests: number;
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>;
  /** What must not be, each told once, with a request that shows it. */
  readonly findings: readonly string[];
}

interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: Buffer | string;
}

const BOUNDARY = 'fuzz-boundary';

/** Asks every operation of the OpenAPI document for things that are nearly right, or not at all (reliability: K1, K2). */
export class ApiFuzzer {
  private readonly statuses = new Map<number, number>();
  private readonly findings = new Map<string, string>();
  private requests = 0;

  constructor(
    private readonly world: FuzzWorld,
    private readonly random: Random,
  ) {}

  async run(requestsPerOperation: number): Promise<FuzzReport> {
    // What deletes comes last, so that the others find something.
    const operations = [...this.world.conformance.operations].sort(
      (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
    );
    for (const at of operations) for (let run = 0; run < requestsPerOperation; run++) await this.ask(at);
    return { requests: this.requests, statuses: this.statuses, findings: [...this.findings.values()] };
  }

  private async ask(at: OperationAt): Promise<void> {
    const credential = this.random.pick(this.world.credentials);
    const request = await this.requestFor(at, credential);
    this.requests++;
    const describe = (problem: string): void => {
      const body = request.body?.toString().slice(0, 300) ?? '';
      const story = `${problem}\n  ${request.method} ${request.path} as ${credential.name} ${body}`;
      this.findings.set(problem.replace(/[0-9a-f-]{36}/g, 'id').slice(0, 120), story);
    };
    try {
      const answer = await rawRequest(this.world.url + request.path, request);
      this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
      this.problemsOf(request, answer).forEach(describe);
    } catch (error) {
      describe(`${at.operation.operationId} no answer: ${String(error)}`);
    }
  }

  private problemsOf({ method, path }: FuzzRequest, { status, headers, text }: RawAnswer): string[] {
    if (status >= 500) return [`${this.world.conformance.operationOf(method, path)?.operation.operationId} ${status}`];
    if (!headers['x-request-id']) return [`${method} ${status} has no X-Request-Id`];
    // The head was too long for any route to see it.
    if (headers['connection'] === 'close' && /too long/.test(text)) return status === 400 ? [] : [`${status}`];
    return this.world.conformance.problemsOf({ method, path, status, contentType: headers['content-type'], text });
  }

  private async requestFor(at: OperationAt, credential: FuzzCredential): Promise<FuzzRequest> {
    const { parameters = [] } = at.operation;
    const values = (place: string): [string, string][] =>
      parameters
        .filter((parameter) => parameter.in === place && (place === 'path' || this.random.chance(0.85)))
        .map(({ name, schema }) => [name, this.textFor(name, schema)]);
    const path = values('path').reduce((url, [name, value]) => url.replace(`{${name}}`, segment(value)), at.path);
    const query = values('query').map(([name, value]) => `${name}=${encodeText(value)}`);
    const headers: Record<string, string> = { Accept: 'application/json' };
    for (const [name, value] of values('header')) headers[name] = value.replace(/[^\x20-\x7e]/g, '?').slice(0, 2000);
    const authorization = await credential.authorization();
    if (authorization !== null) headers['Authorization'] = authorization;
    const body = this.bodyFor(at, headers);
    // Node's client frames the body of a DELETE only when told so.
    if (body !== undefined) headers['Content-Length'] = String(Buffer.byteLength(body));
    return {
      method: at.method,
      path: query.length > 0 ? `${path}?${query.join('&')}` : path,
      headers,
      ...(body !== undefined && { body }),
    };
  }

  private bodyFor(at: OperationAt, headers: Record<string, string>): Buffer | string | undefined {
    const content = at.operation.requestBody?.content;
    if (!content) return undefined;
    const type = this.random.pick(Object.keys(content));
    const hostile = this.random.chance(0.12);
    headers['Content-Type'] = type === 'multipart/form-data' ? `${type}; boundary=${BOUNDARY}` : type;
    if (hostile) return this.random.pick(HOSTILE_BODIES);
    const value = this.valueFor('', content[type]?.schema ?? {});
    if (type === 'multipart/form-data') return this.multipart(value as Record<string, unknown>);
    if (type === 'application/json') return JSON.stringify(value);
    if (type === 'application/octet-stream') return this.random.pick(this.world.artifacts).bytes;
    return Object.entries(value as object)
      .map(([name, inner]) => `${name}=${encodeText(asText(inner))}`)
      .join('&');
  }

  private multipart(fields: Readonly<Record<string, unknown>>): Buffer {
    const { bytes, fileName } = this.random.pick(this.world.artifacts);
    const part = (disposition: string, body: Buffer | string): Buffer =>
      Buffer.concat([
        Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
        Buffer.from(body as string),
        Buffer.from('\r\n'),
      ]);
    const parts = Object.entries(fields)
      .filter(([name]) => name !== 'file' && this.random.chance(0.5))
      .map(([name, value]) => part(`name="${name}"`, asText(value)));
    const files = Array.from({ length: this.random.pick([0, 1, 1, 1, 1, 2]) }, () =>
      part(`name="file"; filename="${fileName}"`, bytes),
    );
    const end = this.random.chance(0.9) ? `--${BOUNDARY}--\r\n` : '';
    return Buffer.concat([...parts, ...files, ...parts.slice(0, 1), Buffer.from(end)]);
  }

  /** Mostly what exists or what fits; sometimes anything. */
  private textFor(name: string, schema: Schema): string {
    const value = this.valueFor(name, schema);
    return asText(value);
  }

  private valueFor(name: string, given: Schema): unknown {
    if (name !== '' && this.random.chance(0.12)) return this.random.pick(HOSTILE_TEXTS);
    if (name !== '' && this.random.chance(0.05)) return this.random.pick(HOSTILE_VALUES);
    const known = this.world.known[name];
    if (known && this.random.chance(0.8)) return this.random.pick(known);
    const schema = this.world.conformance.resolve(given);
    const variants = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined;
    if (variants) return this.valueFor(name, this.random.pick(variants));
    const all = schema['allOf'] as readonly Schema[] | undefined;
    if (all) return Object.assign({}, ...all.map((each) => this.valueFor('', each) as object)) as object;
    if (schema['enum']) return this.random.pick(schema['enum'] as readonly unknown[]);
    return this.valueOfType(schema);
  }

  private valueOfType(schema: Schema): unknown {
    const types = [schema['type'] ?? 'object'].flat();
    switch (this.random.pick(types)) {
      case 'object':
        return this.objectFor(schema);
      case 'array':
        return Array.from({ length: this.random.pick([0, 1, 2]) }, () =>
          this.valueFor('item', schema['items'] as Schema),
        );
      case 'integer':
      case 'number':
        return this.random.pick([schema['minimum'], schema['maximum'], 1, 2, 1000] as number[]) ?? 1;
      case 'boolean':
        return this.random.chance(0.5);
      case 'null':
        return null;
      default:
        return schema['format'] === 'uuid' ? this.random.uuid() : (schema['example'] ?? 'some text');
    }
  }

  private objectFor(schema: Schema): object {
    const required = new Set((schema['required'] ?? []) as readonly string[]);
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
      .filter(([key]) => this.random.chance(required.has(key) ? 0.95 : 0.6))
      .map(([key, inner]) => [key, this.valueFor(key, inner)]);
    if (this.random.chance(0.05)) properties.push(['organization_role', 'ADMIN']);
    return Object.fromEntries(properties) as object;
  }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

/** Lone surrogates cannot be encoded; a dot would be another path. */
const encodeText = (text: string): string => encodeURIComponent(text.toWellFormed());
const segment = (text: string): string =>
  encodeText(text)
    .replace(/^\.{0,2}$/, 'x')
    .slice(0, 4000);
