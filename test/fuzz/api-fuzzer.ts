import { undocumentedDetails } from '../support/checks/routes/documented-errors';
import { type OpenApiConformance, type OperationAt, type Schema } from '../support/checks/routes/openapi-conformance';
import { errorOf } from '../support/checks/routes/route-requests';
import { rawRequest, type RawResponse } from '../support/load/raw-http';
import { HOSTILE_BODIES, HOSTILE_TEXTS, HOSTILE_VALUES } from './hostile-values';
import { type Random } from './random';
import { type ValidRequest } from './valid-requests';
import { encodeText, type WireRequest, wireRequest } from './wire-request';

/** A caller. `authorization` returns the current `Authorization` header, null for none. */
export interface FuzzCredential {
  readonly name: string;
  readonly authorization: () => Promise<string | null>;
}

export interface FuzzTarget {
  readonly url: string;
  readonly conformance: OpenApiConformance;
  readonly credentials: readonly FuzzCredential[];
  /** Existing values, by the name of their parameter or field. */
  readonly known: Readonly<Record<string, readonly string[]>>;
  readonly artifacts: readonly { readonly fileName: string; readonly bytes: Buffer }[];
  /**
   * Returns a request that the operation should accept. `freshTenant`: in a new tenant, because the previous request was
   * rejected.
   */
  readonly valid: (at: OperationAt, freshTenant: boolean) => Promise<ValidRequest>;
  /** Cleans up after each request. */
  readonly afterEach: () => void;
}

export interface FuzzReport {
  readonly requests: number;
  /** Number of responses by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Number of responses by status, for each operation. */
  readonly operations: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Operations that never succeeded. */
  readonly unreached: readonly string[];
  /** Distinct problems, each with a request that shows it. */
  readonly findings: readonly string[];
}

interface FuzzRequest extends WireRequest {
  readonly caller: string;
}

const BOUNDARY = 'fuzz-boundary';

/** Headers that any request may have. */
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

/** Maximum number of fresh tenants for an operation that keeps rejecting valid requests. */
const MAX_FRESH_TENANTS = 3;

/**
 * Sends valid, nearly valid and invalid requests to every operation of the OpenAPI document. One half is derived from a
 * valid request, so that code behind the validation is reached; the other is generated from the schema.
 */
export class ApiFuzzer {
  private readonly operations = new Map<string, Map<number, number>>();
  private readonly findings = new Map<string, string>();
  private requests = 0;

  constructor(
    private readonly target: FuzzTarget,
    private readonly random: Random,
  ) {}

  async run(requestsPerOperation: number): Promise<FuzzReport> {
    // DELETE operations run last, so that the others find their resources.
    const operations = [...this.target.conformance.operations].sort(
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
    let freshTenants = 0;
    let isUsedUp = false;
    for (let run = 0; run < requests; run++) {
      if (run % 2 === 1) {
        await this.send(at, await this.generatedRequest(at));
        continue;
      }
      const inFreshTenant = isUsedUp && freshTenants++ < MAX_FRESH_TENANTS;
      const valid = await this.target.valid(at, inFreshTenant);
      const mutations = run === 0 || inFreshTenant ? 0 : this.random.pick([0, 0, 1, 1, 1, 2, 3]);
      const status = await this.send(at, await this.mutatedRequest(at, valid, mutations));
      this.target.afterEach();
      if (mutations > 0) continue;
      isUsedUp = !isDone(status);
      if (!isUsedUp) freshTenants = 0;
    }
  }

  /** @returns the status; 0 when there was no response. */
  private async send(at: OperationAt, request: FuzzRequest): Promise<number> {
    this.requests++;
    const describe = (problem: string): void => {
      const body = request.body?.toString().slice(0, 300) ?? '';
      const story = `${problem}\n  ${request.method} ${request.path} as ${request.caller} ${body}`;
      this.findings.set(problem.replace(/[0-9a-f-]{36}/g, 'id').slice(0, 120), story);
    };
    try {
      const response = await rawRequest(this.target.url + request.path, request);
      this.count(at.operation.operationId, response.status);
      this.problemsOf(request, response).forEach(describe);
      return response.status;
    } catch (error) {
      describe(`${at.operation.operationId} no response: ${String(error)}`);
      return 0;
    }
  }

  private count(operation: string, status: number): void {
    const statuses = this.operations.get(operation) ?? new Map<number, number>();
    this.operations.set(operation, statuses.set(status, (statuses.get(status) ?? 0) + 1));
  }

  private problemsOf({ method, path }: FuzzRequest, response: RawResponse): string[] {
    const { status, headers, text } = response;
    if (status >= 500) return [`${this.target.conformance.operationOf(method, path)?.operation.operationId} ${status}`];
    if (!headers['x-request-id']) return [`${method} ${status} has no X-Request-Id`];
    // The headers were too long to reach a route.
    if (headers['connection'] === 'close' && /too long/.test(text)) return status === 400 ? [] : [`${status}`];
    return [
      ...this.target.conformance.problemsOf({ method, path, status, contentType: headers['content-type'], text }),
      ...undocumentedDetails(errorOf(response)),
    ];
  }

  /** Generates a request from the schema. */
  private async generatedRequest(at: OperationAt): Promise<FuzzRequest> {
    const { parameters = [] } = at.operation;
    const values = (place: string): [string, string][] =>
      parameters
        .filter((parameter) => parameter.in === place && (place === 'path' || this.random.chance(0.85)))
        .map(({ name, schema }) => [name, this.textFor(name, schema)]);
    const ids = Object.fromEntries([...values('path'), ...values('query')]);
    const headers: Record<string, string> = {};
    for (const [name, value] of values('header')) headers[name] = headerText(value);
    const credential = this.random.pick(this.target.credentials);
    const body = this.bodyFor(at, headers);
    return { caller: credential.name, ...wireRequest(at, await credential.authorization(), { ids, headers, body }) };
  }

  /** Applies a number of mutations to a valid request. */
  private async mutatedRequest(at: OperationAt, valid: ValidRequest, mutations: number): Promise<FuzzRequest> {
    const ids: Record<string, string> = { ...valid.ids };
    const headers: Record<string, string> = {};
    let { body, authorization } = valid;
    let caller = 'the permitted caller';
    if (at.operation.requestBody) headers['Content-Type'] = valid.contentType;
    else body = undefined;
    const mutate = {
      id: () => this.mutateIds(at, ids),
      header: () => this.mutateHeaders(at, headers),
      body: () => {
        body = body === undefined ? undefined : this.mutatedBody(at, body, valid.contentType);
      },
      credential: async () => {
        const credential = this.random.pick(this.target.credentials);
        caller = credential.name;
        authorization = await credential.authorization();
      },
    };
    for (let n = 0; n < mutations; n++)
      await mutate[this.random.pick(['id', 'id', 'body', 'body', 'body', 'header', 'credential'] as const)]();
    return { caller, ...wireRequest(at, authorization, { ids, headers, body: textOf(body) }) };
  }

  /** Replaces a parameter of the path or query. */
  private mutateIds({ operation }: OperationAt, ids: Record<string, string>): void {
    const named = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header');
    if (named.length === 0) return;
    const { name, in: place, schema } = this.random.pick(named);
    if (place === 'query' && this.random.chance(0.15)) delete ids[name];
    else ids[name] = this.textFor(name, schema);
  }

  private mutateHeaders({ operation }: OperationAt, headers: Record<string, string>): void {
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header');
    const name = this.random.pick([...declared.map((parameter) => parameter.name), ...HEADERS]);
    headers[name] = headerText(this.random.pick([...HOSTILE_TEXTS, ...HOSTILE_HEADERS, this.random.uuid()]));
  }

  private mutatedBody({ operation }: OperationAt, body: object | string, type: string): object | string {
    if (this.random.chance(0.1)) return this.random.pick(HOSTILE_BODIES).toString();
    if (Buffer.isBuffer(body)) {
      const at = Math.floor(this.random.next() * body.length);
      return Buffer.concat([body.subarray(0, at), Buffer.from([0]), body.subarray(at + 1)]);
    }
    if (typeof body === 'string') {
      const [from, to] = [0, 0].map(() => Math.floor(this.random.next() * body.length));
      return body.slice(0, from) + this.random.pick([...HOSTILE_TEXTS, '']) + body.slice(to);
    }
    const schema = this.target.conformance.resolve(operation.requestBody?.content?.[type]?.schema ?? {});
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
    if (type === 'application/octet-stream' || type === 'application/pkcs7-signature')
      return this.random.pick(this.target.artifacts).bytes;
    return Object.entries(value as object)
      .map(([name, inner]) => `${name}=${encodeText(asText(inner))}`)
      .join('&');
  }

  private multipart(fields: Readonly<Record<string, unknown>>): Buffer {
    const { bytes, fileName } = this.random.pick(this.target.artifacts);
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

  /** Usually an existing or valid value, sometimes a hostile one. */
  private textFor(name: string, schema: Schema): string {
    const value = this.valueFor(name, schema);
    return asText(value);
  }

  private valueFor(name: string, given: Schema): unknown {
    if (name !== '' && this.random.chance(0.12)) return this.random.pick(HOSTILE_TEXTS);
    if (name !== '' && this.random.chance(0.05)) return this.random.pick(HOSTILE_VALUES);
    const known = this.target.known[name];
    if (known && this.random.chance(0.8)) return this.random.pick(known);
    const schema = this.target.conformance.resolve(given);
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

const textOf = (body: object | string | undefined): Buffer | string | undefined =>
  typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body;

const isDone = (status: number): boolean => status >= 200 && status < 400;

const headerText = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?').slice(0, 2000);
