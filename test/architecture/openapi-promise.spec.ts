import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type OpenAPIObject } from '@nestjs/swagger';
import { breakingChanges } from '../../scripts/release/breaking-changes';

type Schema = { type: unknown; required: string[]; properties: Record<string, Schema>; [keyword: string]: unknown };
type Operation = {
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  responses: Record<string, { content: Record<string, object> }>;
  security: object[];
  summary: string;
};

const whole = JSON.parse(
  readFileSync(path.resolve(__dirname, '../../docs/releases/openapi.json'), 'utf8'),
) as OpenAPIObject;
const AUDIT = '/audit/organization/{organization_id}';
const PLAN = '/organizations/{organization_id}/plan';
/** The part of it that is sabotaged here; comparing all of it takes its time. */
const part = ['/builds', '/builds/latest', '/builds/{build_id}', '/projects', AUDIT, PLAN].map(
  (template) => `/api/v1${template}`,
);
const text = JSON.stringify({
  ...whole,
  paths: Object.fromEntries(part.map((template) => [template, whole.paths[template]])),
});
const released = (): OpenAPIObject => JSON.parse(text) as OpenAPIObject;
const schema = ({ components }: OpenAPIObject, name: string): Schema => components!.schemas![name] as unknown as Schema;
const at = (document: OpenAPIObject, template: string): Record<string, Operation> =>
  document.paths[`/api/v1${template}`] as unknown as Record<string, Operation>;
const without = (names: string[], gone: string): string[] => names.filter((name) => name !== gone);

/** `npm run openapi:diff` is only worth what it notices: each sabotage stands for a way to break a client. */
describe('the difference to the last release', () => {
  const changesAfter = (change: (document: OpenAPIObject) => void): string[] => {
    const document = released();
    change(document);
    expect(document).not.toEqual(released());
    return breakingChanges(released(), document);
  };

  it('is none while nothing changes', () => expect(breakingChanges(released(), released())).toEqual([]));

  // red when: isBreaking believes the library about types, or about fields of a request
  it.each<[what: string, where: string, change: (document: OpenAPIObject) => void]>([
    ['a path that is gone', '/builds/latest', (d) => delete d.paths['/api/v1/builds/latest']],
    ['a method that is gone', '/builds/{build_id}', (d) => delete at(d, '/builds/{build_id}')['patch']],
    [
      'a body that must say more',
      'POST /api/v1/projects',
      (d) => {
        const body = schema(d, 'CreateProjectRequest');
        body.properties['zone'] = { ...body.properties['name']! };
        body.required.push('zone');
      },
    ],
    [
      'a body that may say less',
      'POST /api/v1/projects',
      (d) => (schema(d, 'CreateProjectRequest').properties['name']!['maxLength'] = 3),
    ],
    [
      'a field of a body that is refused from now on',
      'PATCH /api/v1/builds/{build_id}',
      (d) => delete schema(d, 'UpdateBuildRequest').properties['notes'],
    ],
    [
      'null that is refused from now on',
      'PATCH /api/v1/builds/{build_id}',
      (d) => (schema(d, 'UpdateBuildRequest').properties['notes']!.type = 'string'),
    ],
    [
      'a field of an answer that is gone',
      'GET /api/v1/builds/{build_id}',
      (d) => {
        const build = schema(d, 'BuildResponse');
        delete build.properties['version'];
        build.required = without(build.required, 'version');
      },
    ],
    [
      'a field of an answer that may be left out',
      'GET /api/v1/builds/{build_id}',
      (d) => (schema(d, 'BuildResponse').required = without(schema(d, 'BuildResponse').required, 'version')),
    ],
    [
      'a field of an answer that may be null',
      'GET /api/v1/builds/{build_id}',
      (d) => (schema(d, 'BuildResponse').properties['version']!.type = ['string', 'null']),
    ],
    [
      'a field of an answer that is of another type',
      'GET /api/v1/builds/{build_id}',
      (d) => (schema(d, 'BuildResponse').properties['size_bytes']!.type = 'string'),
    ],
    [
      'another status of success',
      'POST /api/v1/projects',
      (d) => {
        const { responses } = at(d, '/projects')['post']!;
        responses['200'] = responses['201']!;
        delete responses['201'];
      },
    ],
    [
      'a parameter that must be there',
      'GET /api/v1/builds',
      (d) => at(d, '/builds')['get']!.parameters.forEach((parameter) => (parameter.required = true)),
    ],
    [
      'a parameter that is gone',
      'GET /api/v1/builds',
      (d) => {
        const { get } = at(d, '/builds');
        get!.parameters = get!.parameters.filter(({ name }) => name !== 'q');
      },
    ],
    ['a credential that is refused from now on', 'GET /api/v1/builds', (d) => at(d, '/builds')['get']!.security.pop()],
    [
      'a value of a body that is refused from now on',
      `POST /api/v1${PLAN}`,
      (d) => (schema(d, 'ChangePlanRequest').properties['plan']!['enum'] = ['team']),
    ],
  ])('tells %s', (_what, where, change) => {
    const changes = changesAfter(change);
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.some((line) => line.includes(where))).toBe(true);
  });

  // red when: whatever differs counts as broken, or values are judged as the library does
  it.each<[what: string, change: (document: OpenAPIObject) => void]>([
    ['a path', (d) => (d.paths['/api/v1/news'] = d.paths['/api/v1/builds/latest']!)],
    [
      'a field that may be sent',
      (d) => (schema(d, 'CreateProjectRequest').properties['zone'] = schema(d, 'BuildResponse').properties['version']!),
    ],
    [
      'a parameter that may be sent',
      (d) => at(d, '/builds')['get']!.parameters.push({ name: 'zone', in: 'query', schema: {} as Schema }),
    ],
    [
      'a field of an answer',
      (d) => (schema(d, 'BuildResponse').properties['zone'] = schema(d, 'BuildResponse').properties['version']!),
    ],
    ['an error less', (d) => delete at(d, '/projects')['post']!.responses['403']],
    ['another sentence', (d) => (at(d, '/builds')['get']!.summary = 'List what there is')],
    ['a value more in answers', (d) => (schema(d, 'AuditEventType')['enum'] as string[]).push('zone.made')],
    ['another order of parameters', (d) => at(d, '/builds')['get']!.parameters.reverse()],
  ])('lets %s be', (_what, change) => expect(changesAfter(change)).toEqual([]));
});
