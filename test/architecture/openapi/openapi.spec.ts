import { type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CATALOGUE } from '#kernel/errors/catalogue';
import { InputValidationPipe } from '#infra/http/request/input-validation.pipe';
import { openApiDocument } from '#app/openapi/openapi-document';
import { type Operation } from '#app/openapi/route-docs';
import { declaredRoutes } from '#app/routes';
import { previewApp } from '../../../scripts/reference/preview-app';
import { schemaValidator } from '../../support/checks/routes/openapi-conformance';

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** All objects of the document, with their JSON pointers. */
function* nodes(value: unknown, pointer = ''): Generator<[string, Node]> {
  if (!isNode(value)) return;
  yield [pointer, value];
  for (const [key, inner] of Object.entries(value)) {
    yield* nodes(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

/** Whether a pointer refers to a schema. */
const isSchema = (pointer: string): boolean =>
  /^\/components\/schemas\/[^/]+(\/(properties\/[^/]+|items|(all|any|one)Of\/\d+))*$/.test(pointer) ||
  /\/schema(\/(properties\/[^/]+|items|(all|any|one)Of\/\d+))*$/.test(pointer);

/** The class of the body of each route that has one, by the route's name. */
const bodyClassesOf = (app: NestExpressApplication): [string, Type][] =>
  new DiscoveryService(app.get(ModulesContainer)).getControllers().flatMap(({ metatype }) => {
    const controller = metatype as Type;
    const prototype = controller.prototype as object;
    return new MetadataScanner().getAllMethodNames(prototype).flatMap((method): [string, Type][] => {
      const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as object;
      const body = Object.keys(parameters).find((key) => key.startsWith(`${RouteParamtypes.BODY}:`));
      const types = Reflect.getMetadata('design:paramtypes', prototype, method) as readonly Type[] | undefined;
      return body && types ? [[`${controller.name}.${method}`, types[Number(body.split(':')[1])]!]] : [];
    });
  });

describe('the OpenAPI document', () => {
  let app: NestExpressApplication;
  let document: OpenAPIObject;
  let schemas: [string, Node][];
  let validate: (pointer: string, value: unknown) => string | null;
  beforeAll(async () => {
    app = await previewApp();
    document = JSON.parse(JSON.stringify(openApiDocument(app))) as OpenAPIObject;
    schemas = [...nodes(document)].filter(([pointer]) => isSchema(pointer));
    const ajv = schemaValidator().addSchema(document, 'agate');
    validate = (pointer, value) =>
      ajv.validate({ $ref: `agate#${encodeURI(pointer)}` }, value) ? null : `${pointer}: ${ajv.errorsText()}`;
  });
  afterAll(() => app.close());

  // red when: a body is always required, as @nestjs/swagger says, so that generated clients need an argument for it
  it('requires a JSON body when the validation rejects a missing one, which means {}', async () => {
    const bodies = new Map(bodyClassesOf(app));
    const pipe = new InputValidationPipe();
    const isRequired = async (metatype: Type): Promise<boolean> =>
      pipe.transform({}, { type: 'body', metatype }).then(
        () => false,
        () => true,
      );
    const declared: Record<string, unknown> = {};
    const actual: Record<string, unknown> = {};
    for (const { name, template, method } of declaredRoutes(app)) {
      const operations = document.paths[template] as unknown as Record<string, Operation | undefined> | undefined;
      const operation = operations?.[method.toLowerCase()];
      const body = operation?.requestBody;
      const metatype = bodies.get(name);
      if (!body?.content?.['application/json'] || !metatype) continue;
      declared[name] = body.required;
      actual[name] = await isRequired(metatype);
    }
    expect(declared).toEqual(actual);
    expect(Object.values(declared).filter((required) => required === false).length).toBeGreaterThan(15);
  });

  it('is OpenAPI 3.1 without keywords of 3.0', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(schemas.filter(([, schema]) => 'nullable' in schema)).toEqual([]);
  });

  // JSON Schema requires null in the enum itself. red when: @nestjs/swagger stops adding null to it
  it('lists null in every nullable enum', () => {
    const mayBeNull = ({ type }: Node): boolean => Array.isArray(type) && type.includes('null');
    const wrong = schemas.filter(
      ([, schema]) => mayBeNull(schema) && Array.isArray(schema['enum']) && !schema['enum'].includes(null),
    );
    expect(wrong).toEqual([]);
  });

  // red when: an example is longer than its maxLength
  it('has valid examples', () => {
    const faults = schemas
      .filter(([, schema]) => 'example' in schema)
      .map(([pointer, schema]) => validate(pointer, schema['example']));
    expect(faults.length).toBeGreaterThan(100);
    expect(faults.filter(Boolean)).toEqual([]);
  });

  // red when: an example of an error lacks `details`
  it('has valid examples of errors', () => {
    const examples = document.components?.examples as Record<string, { value: unknown }>;
    const faults = Object.keys(ERROR_CATALOGUE).map((name) =>
      validate('/components/schemas/Error', examples[name]?.value),
    );
    expect(faults.filter(Boolean)).toEqual([]);
  });

  it('has an example or a model for every field of a JSON model', () => {
    const isBare = ({ example, $ref, allOf, anyOf, items, properties, type }: Node): boolean =>
      example === undefined && !$ref && !allOf && !anyOf && !items && !properties && type !== 'object';
    const fields = schemas.filter(([pointer]) =>
      /^\/components\/schemas\/(?!Error\/)\w+\/properties\/\w+$/.test(pointer),
    );
    expect(
      fields.filter(([, schema]) => isBare(schema) && schema['format'] !== 'binary').map(([pointer]) => pointer),
    ).toEqual([]);
  });

  it('describes every tag that it uses, and has unique operation ids', () => {
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item) as Node[]);
    const described = (document.tags ?? []).map(({ name }) => name);
    expect(operations.flatMap(({ tags }) => tags as string[]).filter((tag) => !described.includes(tag))).toEqual([]);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });
});
