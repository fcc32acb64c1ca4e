import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type OpenAPIObject } from '@nestjs/swagger';
import { breakingChanges } from '../../../scripts/release/breaking-changes';

type Schema = { type: unknown; required: string[]; properties: Record<string, Schema>; [keyword: string]: unknown };
type Operation = {
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  responses: Record<string, { content: Record<string, object> }>;
  security: object[];
  summary: string;
};

const whole = JSON.parse(
  readFileSync(path.resolve(__dirname, '../../../docs/releases/openapi.json'), 'utf8'),
) as OpenAPIObject;
const AUDIT = '/audit/organization/{organization_id}';
const PLAN = '/organizations/{organization_id}/plan';
/** Only the paths that the tests change, with their schemas, because comparing the whole document is slow. */
const part = ['/builds', '/builds/latest', '/builds/{build_id}', '/projects', AUDIT, PLAN].map(
  (template) => `/api/v1${template}`,
);
const paths = Object.fromEntries(part.map((template) => [template, whole.paths[template]]));

/** The schemas that a part of the document refers to, and those that they refer to. */
function schemasOf(within: unknown, found: Record<string, unknown> = {}): Record<string, unknown> {
  for (const [, name] of JSON.stringify(within).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (name! in found) continue;
    found[name!] = whole.components!.schemas![name!];
    schemasOf(found[name!], found);
  }
  return found;
}
const text = JSON.stringify({ ...whole, paths, components: { ...whole.components, schemas: schemasOf(paths) } });
const released = (): OpenAPIObject => JSON.parse(text) as OpenAPIObject;
const schema = ({ components }: OpenAPIObject, name: string): Schema => components!.schemas![name] as unknown as Schema;
const at = (document: OpenAPIObject, template: string): Record<string, Operation> =>
  document.paths[`/api/v1${template}`] as unknown as Record<string, Operation>;
const without = (names: string[], gone: string): string[] => names.filter((name) => name !== gone);

/** `npm run openapi:diff` must detect each of these ways to break a client. */
describe('breakingChanges', () => {
  const changesAfter = (change: (document: OpenAPIObject) => void): string[] => {
    const document = released();
    change(document);
    expect(document).not.toEqual(released());
    return breakingChanges(released(), document);
  };

  it('returns nothing for equal documents', () => expect(breakingChanges(released(), released())).toEqual([]));

  // red when: isBreaking uses the library's judgement about types, or about fields of a request
  it.each<[what: string, where: string, change: (document: OpenAPIObject) => void]>([
    ['a removed path', '/builds/latest', (d) => delete d.paths['/api/v1/builds/latest']],
    ['a removed method', '/builds/{build_id}', (d) => delete at(d, '/builds/{build_id}')['patch']],
    [
      'a new required field in a request',
      'POST /api/v1/projects',
      (d) => {
        const body = schema(d, 'CreateProjectRequest');
        body.properties['zone'] = { ...body.properties['name']! };
        body.required.push('zone');
      },
    ],
    [
      'a shorter field in a request',
      'POST /api/v1/projects',
      (d) => (schema(d, 'CreateProjectRequest').properties['name']!['maxLength'] = 3),
    ],
    [
      'a removed field in a request',
      'PATCH /api/v1/builds/{build_id}',
      (d) => delete schema(d, 'UpdateBuildRequest').properties['notes'],
    ],
    [
      'null that a request may no longer have',
      'PATCH /api/v1/builds/{build_id}',
      (d) => (schema(d, 'UpdateBuildRequest').properties['notes']!.type = 'string'),
    ],
    [
      'a removed field in a response',
      'GET /api/v1/builds/{build_id}',
      (d) => {
        const build = schema(d, 'BuildResponse');
        delete build.properties['version'];
        build.required = without(build.required, 'version');
      },
    ],
    [
      'a field in a response that becomes optional',
      'GET /api/v1/builds/{build_id}',
      (d) => (schema(d, 'BuildResponse').required = without(schema(d, 'BuildResponse').required, 'version')),
    ],
    [
      'a field in a response that becomes nullable',
      'GET /api/v1/builds/{build_id}',
      (d) => (schema(d, 'BuildResponse').properties['version']!.type = ['string', 'null']),
    ],
    [
      'a changed type in a response',
      'GET /api/v1/builds/{build_id}',
      (d) => (schema(d, 'BuildResponse').properties['size_bytes']!.type = 'string'),
    ],
    [
      'a changed success status',
      'POST /api/v1/projects',
      (d) => {
        const { responses } = at(d, '/projects')['post']!;
        responses['200'] = responses['201']!;
        delete responses['201'];
      },
    ],
    [
      'a parameter that becomes required',
      'GET /api/v1/builds',
      (d) => at(d, '/builds')['get']!.parameters.forEach((parameter) => (parameter.required = true)),
    ],
    [
      'a removed parameter',
      'GET /api/v1/builds',
      (d) => {
        const { get } = at(d, '/builds');
        get!.parameters = get!.parameters.filter(({ name }) => name !== 'q');
      },
    ],
    ['a credential that is no longer accepted', 'GET /api/v1/builds', (d) => at(d, '/builds')['get']!.security.pop()],
    [
      'an enum value that a request may no longer have',
      `POST /api/v1${PLAN}`,
      (d) => (schema(d, 'ChangePlanRequest').properties['plan']!['enum'] = ['team']),
    ],
  ])('reports %s', (_what, where, change) => {
    const changes = changesAfter(change);
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.some((line) => line.includes(where))).toBe(true);
  });

  // red when: every difference counts as breaking, or enum values are judged like the library does
  it.each<[what: string, change: (document: OpenAPIObject) => void]>([
    ['a new path', (d) => (d.paths['/api/v1/news'] = d.paths['/api/v1/builds/latest']!)],
    [
      'a new optional field in a request',
      (d) => (schema(d, 'CreateProjectRequest').properties['zone'] = schema(d, 'BuildResponse').properties['version']!),
    ],
    [
      'a new optional parameter',
      (d) => at(d, '/builds')['get']!.parameters.push({ name: 'zone', in: 'query', schema: {} as Schema }),
    ],
    [
      'a new field in a response',
      (d) => (schema(d, 'BuildResponse').properties['zone'] = schema(d, 'BuildResponse').properties['version']!),
    ],
    ['a removed error', (d) => delete at(d, '/projects')['post']!.responses['403']],
    ['a changed summary', (d) => (at(d, '/builds')['get']!.summary = 'List the builds')],
    ['a new enum value in responses', (d) => (schema(d, 'AuditEventType')['enum'] as string[]).push('zone.made')],
    [
      'a description beside a model',
      (d) => {
        const { properties } = schema(d, 'BuildResponse');
        const { app } = properties;
        properties['app'] = { description: 'The app.', allOf: [app] } as unknown as Schema;
        (properties['signing'] as { description?: string }).description = 'The signature.';
      },
    ],
    [
      'a credential that an operation accepts but does not need',
      (d) => (at(d, '/projects')['post']!.security = [...at(d, '/projects')['post']!.security, {}]),
    ],
    ['reordered parameters', (d) => at(d, '/builds')['get']!.parameters.reverse()],
  ])('ignores %s', (_what, change) => expect(changesAfter(change)).toEqual([]));
});
