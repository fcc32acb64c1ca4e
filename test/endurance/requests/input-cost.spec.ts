import { readFileSync } from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { declaredRoutes } from '#app/routes';
import { scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { idsOf, pathOf } from '../../support/checks/routes/route-requests';
import { cpuMsOf } from '../../support/load/cpu-time';
import { rawRequest } from '../../support/load/raw-http';

/** Just below the default limit of a body, and just below the limit of an import of testers. */
const SMALL_BYTES = 64_000;
const LARGE_BYTES = 1_040_000;
const MAX_RESPONSE_BYTES = 64 * 1024;
/**
 * Longest time in which the event loop may stand still. The service aims at 100 ms. The rest is room for the garbage collector and for
 * this client in the same process.
 */
const MAX_STANDSTILL_MS = 500;

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface OpenApiDocument {
  readonly paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const { paths, components }: OpenApiDocument = JSON.parse(
  readFileSync(path.resolve(__dirname, '../../../docs/generated/openapi.json'), 'utf8'),
) as OpenApiDocument;

interface Attack {
  readonly name: string;
  readonly body: string;
}

/** As many parts as `bytes` hold. */
function fill(bytes: number, separator: string, part: (index: number) => string): string {
  const parts: string[] = [];
  for (let index = 0, length = 0; ; index += 1) {
    const next = part(index);
    length += next.length + separator.length;
    if (length > bytes) return parts.join(separator);
    parts.push(next);
  }
}

const list = (length: number, item: (index: number) => string): string =>
  `[${Array.from({ length }, (_, index) => item(index)).join(',')}]`;

/** JSON values that are expensive for a parser, a transformation, a validation or an error message. */
const hostileValues = (bytes: number): Attack[] => [
  { name: 'many properties', body: `{${fill(bytes, ',', (index) => `"k${index}":0`)}}` },
  { name: 'many numeric properties', body: `{${fill(bytes, ',', (index) => `"${index}":0`)}}` },
  {
    name: '100 properties with long names',
    body: `{${list(100, (i) => `"${'\\u0001'.repeat(98)}${i + 10}":0`).slice(1, -1)}}`,
  },
  { name: 'a long property name', body: `{"${'x'.repeat(bytes)}":0}` },
  { name: 'nested objects', body: `${'{"a":'.repeat(bytes / 6)}0${'}'.repeat(bytes / 6)}` },
  { name: 'nested arrays', body: `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}` },
  { name: 'arrays of arrays', body: `[${fill(bytes, ',', () => list(1_900, () => '0'))}]` },
  { name: 'many strings', body: `[${fill(bytes, ',', (index) => `"s${index}"`)}]` },
  { name: 'many numbers', body: `[${fill(bytes, ',', (index) => `${index}`)}]` },
  { name: 'many empty objects', body: `[${fill(bytes, ',', () => '{}')}]` },
  { name: 'arrays of empty objects', body: `[${fill(bytes, ',', () => list(900, () => '{}'))}]` },
  { name: '1,999 strings', body: list(1_999, (index) => `"s${index}"`) },
  { name: '1,999 empty objects', body: list(1_999, () => '{}') },
  { name: '999 empty objects', body: list(999, () => '{}') },
  { name: 'a long text', body: `"${'&'.repeat(bytes)}"` },
];

const FOR_SCALARS = ['100 properties with long names', '1,999 strings', '1,999 empty objects', 'a long text'];
const SCALARS = ['string', 'integer', 'number', 'boolean'];

/** Hostile values as the whole body and as the value of each field: all of them where an object or array is accepted. */
function jsonAttacks(fields: Readonly<Record<string, Schema>>): Attack[] {
  const small = hostileValues(SMALL_BYTES);
  const large = hostileValues(LARGE_BYTES);
  const few = small.filter(({ name }) => FOR_SCALARS.includes(name));
  return [
    ...[...small, ...large.slice(0, 2)].map(({ name, body }) => ({ name: `${name}, ${body.length} bytes`, body })),
    ...Object.entries(fields).flatMap(([field, { type = 'object' }]) =>
      (SCALARS.includes(type) ? few : [...small, ...large]).map(({ name, body }) => ({
        name: `${name} in ${field}, ${body.length} bytes`,
        body: `{"${field}":${body}}`,
      })),
    ),
  ];
}

const formAttacks = (fields: readonly string[]): Attack[] =>
  [SMALL_BYTES, LARGE_BYTES].flatMap((bytes) => [
    { name: `many fields, ${bytes} bytes`, body: fill(bytes, '&', (index) => `k${index}=0`) },
    { name: `a repeated field, ${bytes} bytes`, body: fill(bytes, '&', () => `${fields[0]}=`) },
    {
      name: `fields with long names, ${bytes} bytes`,
      body: fill(bytes, '&', (index) => `${'%01'.repeat(95)}${index}=0`),
    },
    ...fields.map((field) => ({
      name: `a long ${field}, ${bytes} bytes`,
      body: `${field}=${'<'.repeat(bytes - 100)}`,
    })),
    {
      name: `long texts, ${bytes} bytes`,
      body: fields.map((field) => `${field}=${'<'.repeat(bytes / fields.length - 100)}`).join('&'),
    },
  ]);

const csvAttacks = (): Attack[] =>
  [SMALL_BYTES, LARGE_BYTES].flatMap((bytes) => [
    { name: `many invalid lines, ${bytes} bytes`, body: `email\n${'a\n'.repeat(bytes / 2 - 10)}` },
    { name: `many columns, ${bytes} bytes`, body: `email${',a'.repeat(bytes / 2 - 10)}` },
    { name: `many columns in many lines, ${bytes} bytes`, body: `email${',a'.repeat(4_900)}\n`.repeat(bytes / 9_810) },
    { name: `many cells, ${bytes} bytes`, body: `email,name\n${`a${','.repeat(9_900)}\n`.repeat(bytes / 9_910)}` },
    { name: `many quotes, ${bytes} bytes`, body: `email\n${'""'.repeat(bytes / 2 - 10)}` },
    { name: `a long line, ${bytes} bytes`, body: `email\n${'a'.repeat(bytes - 10)}` },
    { name: `empty lines, ${bytes} bytes`, body: `email\n${'\n'.repeat(bytes - 10)}` },
  ]);

const BOUNDARY = 'b';
const formPart = (name: string, value: string, more = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const END = `--${BOUNDARY}--\r\n`;

/** Multipart bodies that are expensive for a parser. None of them names a version, so none becomes a build. */
const multipartAttacks = (): Attack[] =>
  [
    ['many fields', fill(LARGE_BYTES, '', (index) => formPart(`k${index}`, 'x'))],
    ['many files', fill(LARGE_BYTES, '', (index) => formPart('file', 'x', `; filename="${index}.dmg"`))],
    ['a long field name', formPart('x'.repeat(400_000), 'x')],
    ['many nested names', fill(LARGE_BYTES, '', (index) => formPart(`a${'[a]'.repeat(30)}[${index}]`, 'x'))],
    ['names of prototypes', fill(2_000, '', (index) => formPart(`__proto__[${index}]`, 'x'))],
    ['long values', Array.from({ length: 31 }, (_, index) => formPart(`k${index}`, '&'.repeat(33_000))).join('')],
    ['many headers in a part', `--${BOUNDARY}\r\n${'X-Header: x\r\n'.repeat(70_000)}\r\nx\r\n`],
    [
      'a long header in a part',
      `--${BOUNDARY}\r\nContent-Disposition: form-data; ${'a="b"; '.repeat(100_000)}\r\n\r\n`,
    ],
    ['no boundary', '\r\n-'.repeat(LARGE_BYTES / 3)],
    ['almost boundaries in the file', formPart('file', '\r\n--'.repeat(LARGE_BYTES / 4), '; filename="a.dmg"')],
    ['a long file name', formPart('file', 'x', `; filename="${'%C3%A4'.repeat(60_000)}.dmg"`)],
    ['a file name with many escapes', formPart('file', 'x', `; filename="${'\\"'.repeat(200_000)}"`)],
  ].map(([name = '', body = '']) => ({ name: `${name}, ${body.length} bytes`, body: body + END }));

const ATTACKS: Readonly<Record<string, (fields: Readonly<Record<string, Schema>>) => Attack[]>> = {
  'application/json': jsonAttacks,
  'application/x-www-form-urlencoded': (fields) => formAttacks(Object.keys(fields)),
  'text/csv': csvAttacks,
  'multipart/form-data': multipartAttacks,
};

/** Method, path, media type and fields of every operation with a body that the service parses. */
const OPERATIONS = Object.entries(paths).flatMap(([template, item]) =>
  Object.entries(item).flatMap(([method, { requestBody }]) =>
    Object.entries(requestBody?.content ?? {})
      .filter(([type]) => type in ATTACKS)
      .map(([type, { schema }]) => [method.toUpperCase(), template, type, fieldsOf(schema)] as const),
  ),
);

function fieldsOf({ $ref, properties }: Schema): Readonly<Record<string, Schema>> {
  if ($ref === undefined) return properties ?? {};
  return fieldsOf(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
}

describe('the cost of an invalid body', () => {
  let app: TestApp;
  let tenant: Tenant;
  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
  });
  afterAll(() => app.stop());

  function urlOf(method: string, template: string): string {
    const route = declaredRoutes(app.nest).find((each) => each.method === method && each.template === template);
    if (!route) throw new Error(`${method} ${template} is not declared`);
    const invite_token = new URL(tenant.channel.install_url).pathname.split('/').at(-1) ?? '';
    return app.url + pathOf(route, route.path.includes(':invite_token') ? { invite_token } : idsOf(tenant, route));
  }

  /**
   * The problems of the response, and of a request for /live at the same time. Other programs can stop the event loop for seconds. What this
   * process causes needs as much processor time.
   */
  async function problemsOf(method: string, url: string, type: string, { name, body }: Attack): Promise<string[]> {
    const headers = {
      'Content-Type': type.startsWith('multipart/') ? `${type}; boundary=${BOUNDARY}` : type,
      'Content-Length': String(Buffer.byteLength(body)),
      Authorization: `Bearer ${tenant.admin.token}`,
    };
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const requests = [rawRequest(url, { method, headers, body }), rawRequest(`${app.url}/api/v1/live`)] as const;
    const cpuMs = await cpuMsOf(() => Promise.all(requests));
    const [response, live] = await Promise.all(requests);
    delay.disable();
    const standstill = Math.round(Math.min(delay.max / 1e6, cpuMs));
    return [
      ...(live.status === 200 ? [] : [`${name}: /live responds with ${live.status}`]),
      ...(response.status >= 400 && response.status < 500 ? [] : [`${name}: status ${response.status}`]),
      ...(response.body.length <= MAX_RESPONSE_BYTES ? [] : [`${name}: ${response.body.length} bytes`]),
      ...(standstill < MAX_STANDSTILL_MS ? [] : [`${name}: the event loop stood still for ${standstill} ms`]),
    ];
  }

  /** The problems of the last try. There are three, because a collection of garbage takes longer now and then. */
  async function lastingProblemsOf(...attack: Parameters<typeof problemsOf>): Promise<string[]> {
    let problems: string[] = [];
    for (let tries = 0; tries < 3; tries += 1) {
      problems = await problemsOf(...attack);
      if (problems.length === 0) break;
    }
    return problems;
  }

  // red when: rejectOversizedBody accepts more, details.fields is not cut, a limit of a route is higher than it needs, or a CSV
  // file is parsed beyond its limits
  it.each(OPERATIONS)('does not stop other requests: %s %s with %s', async (method, template, type, fields) => {
    const url = urlOf(method, template);
    const problems: string[] = [];
    for (const attack of ATTACKS[type]!(fields)) problems.push(...(await lastingProblemsOf(method, url, type, attack)));
    expect(problems).toEqual([]);
  });

  // red when: a body is parsed before the guards, up to the limit of its route
  it.each(['announced', 'chunked'])(
    'is small for a caller who is not authorized: a large body is not parsed (%s)',
    async (how) => {
      const parse = jest.spyOn(JSON, 'parse');
      const body = JSON.stringify({ testers: [{ email: 'a'.repeat(LARGE_BYTES) }] });
      const url = `${app.url}/api/v1/testers/batch?${scope(tenant.project)}`;
      const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer ag_pat_unknown' };
      const response = await fetch(url, {
        method: 'POST',
        headers,
        ...(how === 'announced' ? { body } : { body: new Blob([body]).stream(), duplex: 'half' }),
      });
      const largest = Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
      parse.mockRestore();
      expect([response.status, largest < 64 * 1024]).toEqual([401, true]);
    },
  );

  it('covers the public operations and the imports', () => {
    const names = OPERATIONS.map(([method, template]) => `${method} ${template}`);
    expect(names).toEqual(
      expect.arrayContaining([
        'POST /api/v1/login/email',
        'POST /api/v1/developers',
        'POST /api/v1/testers/batch',
        'POST /api/v1/testers/import',
        'POST /install/{invite_token}/unsubscribe',
        'POST /api/v1/builds',
      ]),
    );
  });
});
