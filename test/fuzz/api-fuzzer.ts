import { rawRequest, type RawResponse } from '../support/load/raw-http';
import { type OpenApiConformance, type OperationAt, type Schema } from '../support/checks/openapi-conformance';
import { undocumentedDetails } from '../support/checks/documented-errors';
import { errorOf } from '../support/checks/route-requests';
import { HOSTILE_BODIES, HOSTILE_TEXTS, HOSTILE_VALUES } from './hostile-values';
import { type Random } from './random';
import { type ValidRequest } from './valid-requests';
import { encodeText, wireRequest, type WireRequest } from './wire-request';

/** Somebody who asks: gives the value of `Authorization` at this moment, or null for none. */
export interface FuzzCredential {
  readonly name: string;
  readonly authorization: () => Promise<string | null>;
}

export interface FuzzTarget {
  readonly url: string;
  readonly conformance: OpenApiConformance;
  readonly credentials: readonly FuzzCredential[];
  /** Values that exist, by the name of the parameter or field that takes them. */
  readonly known: Readonly<Record<string, readonly string[]>>;
  readonly artifacts: readonly { readonly fileName: string; readonly bytes: Buffer }[];
  /** What an operation should accept; `anew` when it did not, and another scene is to be set. */
  readonly right: (at: OperationAt, anew: boolean) => Promise<ValidRequest>;
  /** Ends what was prepared for one request. */
  readonly afterEach: () => void;
}

export interface FuzzReport {
  readonly requests: number;
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>;
  /** The same for each operation. */
  readonly operations: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Operations that have never done what they are for. */
  readonly unreached: readonly string[];
  /** What must not be, each told once, with a request that shows it. */
  readonly findings: readonly string[];
}

interface FuzzRequest extends WireRequest {
  readonly who: string;
}

const BOUNDARY = 'fuzz-boundary';

/** What any request may carry. */
const HEADERS = ['Idempotency-Key', 'Range', 'If-Range', 'If-None-Match', 'Accept', 'Accept-Language', 'Cookie'].concat(
  ['Content-Type', 'Origin', 'Sec-Fetch-Site', 'User-Agent', 'X-Forwarded-For', 'X-Request-Id', 'Content-Encoding'],
);
const HOSTILE_HEADERS = [
  'bytes=0-0',
  'bytes=-1',
  'bytes=9-1,2-3',
  '*/*;q=2',
  'text/html',
  'gzip',
  'de-CH;q=x',
  'multipart/form-data',
];

/** How often a new scene is set for an operation that then refuses all the same. */
const MAX_SCENES = 3;

/**
 * Asks every operation of the OpenAPI document for things that are right, nearly right, or not right at all (reliability: K1, K2):
 * one half made from a request that it accepts, so that what comes after the checks is reached, the other from its schema.
 */
export class ApiFuzzer {
  private readonly operations = new Map<string, Map<number, number>>();
  private readonly findings = new Map<string, string>();
  private requests = 0;

  constructor(
    private readonly world: FuzzTarget,
    private readonly random: Random,
  ) {}

  async run(requestsPerOperation: number): Promise<FuzzReport> {
    // What deletes comes last, so that the others find something.
    const operations = [...this.world.conformance.operations].sort(
      (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
    );
    for (const at of operations) await this.fuzz(at, requestsPerOperation);
    return {
      requests: this.requests,
      statuses: total(this.operations),
      operations: this.operations,
      unreached: [...this.operations]
        .filter(([, statuses]) => ![...statuses.keys()].some(isDone))
        .map(([name]) => name),
      findings: [...this.findings.values()],
    };
  }

  private async fuzz(at: OperationAt, requests: number): Promise<void> {
    let scenes = 0;
    let spent = false;
    for (let run = 0; run < requests; run++) {
      if (run % 2 === 1) {
        await this.ask(at, await this.wildRequest(at));
        continue;
      }
      const right = await this.world.right(at, spent && scenes++ < MAX_SCENES);
      const bends = run === 0 ? 0 : this.random.pick([0, 0, 1, 1, 1, 2, 3]);
      const status = await this.ask(at, await this.bentRequest(at, right, bends));
      this.world.afterEach();
      if (bends > 0) continue;
      spent = !isDone(status);
      if (!spent) scenes = 0;
    }
  }

  /** @returns the status, 0 without an answer. */
  private async ask(at: OperationAt, request: FuzzRequest): Promise<number> {
    this.requests++;
    const describe = (problem: string): void => {
      const body = request.body?.toString().slice(0, 300) ?? '';
      const story = `${problem}\n  ${request.method} ${request.path} as ${request.who} ${body}`;
      this.findings.set(problem.replace(/[0-9a-f-]{36}/g, 'id').slice(0, 120), story);
    };
    try {
      const answer = await rawRequest(this.world.url + request.path, request);
      this.count(at.operation.operationId, answer.status);
      this.problemsOf(request, answer).forEach(describe);
      return answer.status;
    } catch (error) {
      describe(`${at.operation.operationId} no answer: ${String(error)}`);
      return 0;
    }
  }

  private count(operation: string, status: number): void {
    const statuses = this.operations.get(operation) ?? new Map<number, number>();
    this.operations.set(operation, statuses.set(status, (statuses.get(status) ?? 0) + 1));
  }

  private problemsOf({ method, path }: FuzzRequest, answer: RawResponse): string[] {
    const { status, headers, text } = answer;
    if (status >= 500) return [`${this.world.conformance.operationOf(method, path)?.operation.operationId} ${status}`];
    if (!headers['x-request-id']) return [`${method} ${status} has no X-Request-Id`];
    // The head was too long for any route to see it.
    if (headers['connection'] === 'close' && /too long/.test(text)) return status === 400 ? [] : [`${status}`];
    return [
      ...this.world.conformance.problemsOf({ method, path, status, contentType: headers['content-type'], text }),
      ...undocumentedDetails(errorOf(answer)),
    ];
  }

  /** From the schema alone. */
  private async wildRequest(at: OperationAt): Promise<FuzzRequest> {
    const { parameters = [] } = at.operation;
    const values = (place: string): [string, string][] =>
      parameters
        .filter((parameter) => parameter.in === place && (place === 'path' || this.random.chance(0.85)))
        .map(({ name, schema }) => [name, this.textFor(name, schema)]);
    const ids = Object.fromEntries([...values('path'), ...values('query')]);
    const headers: Record<string, string> = {};
    for (const [name, value] of values('header')) headers[name] = headerText(value);
    const credential = this.random.pick(this.world.credentials);
    const body = this.bodyFor(at, headers);
    return { who: credential.name, ...wireRequest(at, await credential.authorization(), { ids, headers, body }) };
  }

  /** A right one, with so many things about it that are not. */
  private async bentRequest(at: OperationAt, right: ValidRequest, bends: number): Promise<FuzzRequest> {
    const ids: Record<string, string> = { ...right.ids };
    const headers: Record<string, string> = {};
    let { body, authorization } = right;
    let who = 'who may';
    if (at.operation.requestBody) headers['Content-Type'] = right.contentType;
    else body = undefined;
    const bend = {
      id: () => this.bendIds(at, ids),
      header: () => this.bendHeaders(at, headers),
      body: () => {
        body = body === undefined ? undefined : this.bentBody(at, body, right.contentType);
      },
      credential: async () => {
        const credential = this.random.pick(this.world.credentials);
        who = credential.name;
        authorization = await credential.authorization();
      },
    };
    for (let n = 0; n < bends; n++)
      await bend[this.random.pick(['id', 'id', 'body', 'body', 'body', 'header', 'credential'] as const)]();
    return { who, ...wireRequest(at, authorization, { ids, headers, body: textOf(body) }) };
  }

  /** Another value for something that the path or the query names, or could. */
  private bendIds({ operation }: OperationAt, ids: Record<string, string>): void {
    const named = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header');
    if (named.length === 0) return;
    const { name, in: place, schema } = this.random.pick(named);
    if (place === 'query' && this.random.chance(0.15)) delete ids[name];
    else ids[name] = this.textFor(name, schema);
  }

  private bendHeaders({ operation }: OperationAt, headers: Record<string, string>): void {
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header');
    const name = this.random.pick([...declared.map((parameter) => parameter.name), ...HEADERS]);
    headers[name] = headerText(this.random.pick([...HOSTILE_TEXTS, ...HOSTILE_HEADERS, this.random.uuid()]));
  }

  private bentBody({ operation }: OperationAt, body: object | string, type: string): object | string {
    if (this.random.chance(0.1)) return this.random.pick(HOSTILE_BODIES).toString();
    if (typeof body === 'string') {
      const [from, to] = [0, 0].map(() => Math.floor(this.random.next() * body.length));
      return body.slice(0, from) + this.random.pick([...HOSTILE_TEXTS, '']) + body.slice(to);
    }
    const schema = this.world.conformance.resolve(operation.requestBody?.content?.[type]?.schema ?? {});
    const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
    const name = this.random.pick([...Object.keys(properties), ...Object.keys(body), 'id']);
    const { [name as keyof object]: _, ...rest } = body;
    return this.random.chance(0.2) ? rest : { ...rest, [name]: this.valueFor(name, properties[name] ?? {}) };
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

function total(operations: ReadonlyMap<string, ReadonlyMap<number, number>>): Map<number, number> {
  const sum = new Map<number, number>();
  for (const statuses of operations.values())
    for (const [status, times] of statuses) sum.set(status, (sum.get(status) ?? 0) + times);
  return sum;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

const textOf = (body: object | string | undefined): string | undefined =>
  typeof body === 'object' ? JSON.stringify(body) : body;

const isDone = (status: number): boolean => status >= 200 && status < 400;

const headerText = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?').slice(0, 2000);
