import { type NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE, type ExampleKind } from '#infra/http/dto/example';
import { ENUM_DESCRIPTIONS } from '#app/openapi/enum-descriptions';
import { openApiDocument } from '#app/openapi/openapi-document';
import { type Operation } from '#app/openapi/route-docs';
import { declaredRoutes } from '#app/routes';
import { previewApp } from '../../../scripts/reference/preview-app';
import { schemaValidator } from '../../support/checks/routes/openapi-conformance';

type Node = Record<string, unknown>;

interface Media {
  readonly schema?: Node;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>;
}

interface Body {
  readonly name: string;
  readonly schema: Node;
  readonly value: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Fields that identify different kinds of resources. All others are named after their kind: `build_id`. */
const SEVERAL_KINDS: Readonly<Record<string, readonly ExampleKind[]>> = {
  // The SDKs of App Center use this name for a channel.
  distribution_group_id: ['channel'],
  icon_build_id: ['build'],
  developer_id: ['developer', 'member'],
  token_id: ['project access token', 'personal access token'],
};

/** The kinds of the resource that `id` identifies, by schema, as far as the name of the schema does not say it. */
const KIND_OF_SCHEMA: Readonly<Record<string, ExampleKind>> = {
  NewWebhookResponse: 'webhook',
  WebhookDeliveryDetailResponse: 'webhook delivery',
  OwnInvitationResponse: 'invitation',
  ChannelOfProjectResponse: 'channel',
  AdoptionChannelResponse: 'channel',
  BuildChannelResponse: 'channel',
  CredentialResponse: 'project access token',
  IdentifiedTokenResponse: 'project access token',
  OrganizationTokenResponse: 'project access token',
  CredentialOrganizationResponse: 'organization',
  CredentialProjectResponse: 'project',
  CredentialDeveloperResponse: 'developer',
  ListedProjectResponse: 'project',
  ProjectBuildResponse: 'build',
  DeletableBuildResponse: 'build',
  BuildRestorationResponse: 'build',
  ReleaseBuildResponse: 'build',
  UploadedBuildResponse: 'build',
  BuildDownloadResponse: 'download',
  TesterDownloadResponse: 'download',
  DownloadingTesterResponse: 'tester',
  FoundProjectResponse: 'project',
  FoundBuildResponse: 'build',
  FoundChannelResponse: 'channel',
  FoundTesterResponse: 'tester',
  BuildDeletionResponse: 'build',
  SubscriberOutcomeResponse: 'tester',
  ResumableUploadResponse: 'upload',
  OpenUploadResponse: 'upload',
  NewProjectAccessTokenResponse: 'project access token',
  NewPersonalAccessTokenResponse: 'personal access token',
  ImportedTesterResponse: 'tester',
  LeftTokenResponse: 'project access token',
  TopUpResponse: 'top-up',
};

describe('the OpenAPI document', () => {
  let app: NestExpressApplication;
  let document: OpenAPIObject;
  let operations: [name: string, operation: Operation][];
  let validate: (schema: Node, value: unknown) => string | null;
  beforeAll(async () => {
    app = await previewApp();
    document = JSON.parse(JSON.stringify(openApiDocument(app))) as OpenAPIObject;
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Operation>).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    );
    const ajv = schemaValidator().addSchema(document, 'agate');
    const absolute = (schema: Node): Node =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"agate#/components/')) as Node;
    validate = (schema, value) => (ajv.validate(absolute(schema), value) ? null : ajv.errorsText());
  });
  afterAll(() => app.close());

  const schemas = (): [string, Node][] => Object.entries(document.components?.schemas ?? {}) as [string, Node][];
  const propertiesOf = (schema: Node): [string, Node][] =>
    Object.entries((schema['properties'] ?? {}) as Record<string, Node>);
  const isDescribed = ({ description }: { description?: unknown }): boolean =>
    typeof description === 'string' && /^\S.*[.)`|]$/s.test(description.trim());

  /** The media types of requests and successful responses that have JSON, a form or parts. */
  const media = function* (): Generator<[string, Media]> {
    for (const [name, { requestBody, responses }] of operations) {
      const request = requestBody?.content ?? {};
      const successful = Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, response]) => Object.entries(('content' in response && response.content) || {}));
      for (const [type, content] of [...Object.entries(request), ...successful] as [string, Media][])
        if (/json|form/.test(type)) yield [`${name} ${type}`, content];
    }
  };

  const bodies = (): Body[] =>
    [...media()].flatMap(([name, { schema = {}, example, examples }]) => {
      const named = Object.values(examples ?? {}).map(({ $ref, value }) =>
        $ref
          ? (document.components?.examples?.[$ref.replace('#/components/examples/', '')] as { value: unknown }).value
          : value,
      );
      return [...(example === undefined ? [] : [example]), ...named].map((value) => ({ name, schema, value }));
    });

  // red when: a controller has a route that its `x.docs.ts` lacks
  it('describes every operation and its retries', () => {
    const undescribed = operations.filter(
      ([, { description = '' }]) => !isDescribed({ description }) || !description.includes('**Retry:**'),
    );
    expect(undescribed.map(([name]) => name)).toEqual([]);
  });

  // A change that accepts no key can be repeated safely only in ways that the declarations do not contain.
  it('has a written sentence about retries for each mutating route that accepts no Idempotency-Key', () => {
    const silent = declaredRoutes(app).filter(
      ({ method, idempotent, docs }) => !['GET', 'HEAD'].includes(method) && !idempotent && !docs?.retry,
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  // red when: a path parameter has no description
  it('describes every parameter', () => {
    const undescribed = operations.flatMap(([name, { parameters = [] }]) =>
      parameters.filter((parameter) => !isDescribed(parameter)).map((parameter) => `${name} ${parameter.name}`),
    );
    expect(undescribed).toEqual([]);
  });

  // red when: a field has no description, or a class no @ApiSchema
  it('describes every schema and every property', () => {
    const undescribed = schemas().flatMap(([name, schema]) => [
      ...(isDescribed(schema) ? [] : [name]),
      ...propertiesOf(schema).flatMap(([field, property]) => (isDescribed(property) ? [] : [`${name}.${field}`])),
    ]);
    expect(undescribed).toEqual([]);
  });

  // Without an entry, an enum has the description of the field that uses it first. red when: `Platform` is not in the table
  it('explains every enum that several fields share', () => {
    const names = schemas().flatMap(([name, schema]) => ('enum' in schema ? [name] : []));
    expect(Object.keys(ENUM_DESCRIPTIONS).sort()).toEqual(names.sort());
    const unexplained = schemas().filter(([, schema]) =>
      (schema['enum'] as (string | null)[] | undefined)?.some(
        (value) => value !== null && !String(schema['description']).includes(`\`${value}\``),
      ),
    );
    expect(unexplained.map(([name]) => name)).toEqual([]);
  });

  // red when: makeParentOptional does not run
  it('names the credentials with which a parent may be omitted', () => {
    const faults = operations.flatMap(([name, { parameters = [], security = [] }]) => {
      const schemes = security.flatMap((scheme) => Object.keys(scheme));
      if (!schemes.includes('project_access_token')) return [];
      const others = schemes.filter((scheme) => scheme !== 'project_access_token');
      return parameters
        .filter((parameter) => parameter.in === 'query' && /^(organization|project)_id$/.test(parameter.name))
        .filter(
          (parameter) =>
            JSON.stringify(parameter['x-required-with']) !== JSON.stringify(others) ||
            ![...others, 'project_access_token'].every((scheme) => parameter.description?.includes(`\`${scheme}\``)),
        )
        .map((parameter) => `${name} ${parameter.name}`);
    });
    expect(faults).toEqual([]);
  });

  // red when: SessionCookies sets cookies on a route whose documentation has no `cookies`
  it('documents the cookies of a session', () => {
    const setting = operations.filter(([, { responses }]) => JSON.stringify(responses).includes('"Set-Cookie"'));
    expect(setting.map(([name]) => name).sort()).toEqual(
      ['email', 'invitation', 'logout', 'refresh'].map((route) => `POST /api/v1/login/${route}`),
    );
    const refresh = operations.find(([name]) => name === 'POST /api/v1/login/refresh')?.[1];
    expect(refresh?.security).toEqual(expect.arrayContaining([{ refresh_cookie: [] }, {}]));
  });

  // red when: BodyExamples skips a media type
  it('has a whole body as an example of every request and response', () => {
    const missing = [...media()].filter(([, { example, examples }]) => example === undefined && !examples);
    expect(missing.map(([name]) => name)).toEqual([]);
    expect(bodies().length).toBeGreaterThan(100);
  });

  // red when: the example of a field is longer than its maxLength, or a named example misses a field
  it('has examples that match their schemas', () => {
    const faults = bodies().flatMap(({ name, schema, value }) => {
      const fault = validate(schema, value);
      return fault ? [`${name}: ${fault}`] : [];
    });
    expect(faults).toEqual([]);
  });

  describe('has examples', () => {
    const kindsOf = (field: string): readonly string[] =>
      SEVERAL_KINDS[field] ?? [field.replace(/_id$/, '').replaceAll('_', ' ')];
    const idsOf = (kinds: readonly string[]): unknown[] => kinds.map((kind) => EXAMPLE.ids[kind as ExampleKind]);

    /** All fields of a value at any depth. */
    function* fields(value: unknown): Generator<[string, unknown]> {
      if (!isNode(value)) return;
      for (const [key, inner] of Object.entries(value)) {
        yield [key, inner];
        yield* fields(inner);
      }
    }

    // red when: a field `build_id` is an @IdField() without `of: 'build'`
    it('whose fields with one name have one id', () => {
      const wrong = bodies().flatMap(({ name, value }) =>
        [...fields(value)]
          .filter(([field, id]) => field.endsWith('_id') && /^[0-9a-f-]{36}$/.test(String(id)))
          .filter(([field, id]) => !idsOf(kindsOf(field)).includes(id))
          .map(([field, id]) => `${name}: ${field} ${String(id)}`),
      );
      expect(wrong).toEqual([]);
    });

    // red when: IdParam has another example than IdField
    it('whose parameters have the ids of the bodies', () => {
      const wrong = operations.flatMap(([name, { parameters = [] }]) =>
        parameters
          .map((parameter) => [parameter.name, (parameter.schema as Node)['example']] as const)
          .filter(([field]) => field.endsWith('_id') && field !== 'bundle_id')
          .filter(([field, id]) => !idsOf(kindsOf(field)).includes(id))
          .map(([field]) => `${name}: ${field}`),
      );
      expect(wrong).toEqual([]);
    });

    // red when: the id of BuildResponse is not the one that releases and uploads refer to
    it('whose resources have the ids that others refer to', () => {
      const wrong = schemas().flatMap(([name, schema]) => {
        const example = propertiesOf(schema).find(([field]) => field === 'id')?.[1]['example'];
        if (typeof example !== 'string' || /((Actor|By)Response|Event)$/.test(name)) return [];
        const kind =
          KIND_OF_SCHEMA[name] ??
          name
            .replace(/Response$/, '')
            .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
            .toLowerCase();
        return example === EXAMPLE.ids[kind as ExampleKind] ? [] : [`${name} is not the ${kind}`];
      });
      expect(wrong).toEqual([]);
    });

    it('whose resources have different ids', () => {
      const ids = Object.values(EXAMPLE.ids);
      expect(new Set(ids).size).toBe(ids.length);
    });
  });

  // red when: a route that the introduction shows is renamed
  it('shows commands for existing operations in its introduction', () => {
    const { description = '' } = document.info;
    const commands = [...description.matchAll(/^curl .*$/gm)].map(([command]) => command);
    expect(commands.length).toBeGreaterThanOrEqual(5);
    const server = document.servers?.[0]?.url ?? '';
    const paths = commands.map((command) => /(\/api\/v1[^\s"?]*)/.exec(command.replace(server, ''))?.[1]);
    expect(paths.filter((path) => !document.paths[path ?? ''])).toEqual([]);
    for (const topic of ['Authentication', 'Errors', 'Paging', 'Idempotency', 'Limits'])
      expect(description).toContain(`# ${topic}\n`);
  });
});
